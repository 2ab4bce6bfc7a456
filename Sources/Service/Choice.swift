import Storage

/// What the person has decided about an action, or about a whole app.
struct Choice: Equatable, Sendable {
  /// When it was pinned, wall time; nil if it is not.
  var pinnedAt: Int64?
  /// The order of pinning within the app.
  var pinPosition: Int64 = 0
  /// When it was blocked, wall time; nil if it is not.
  var blockedAt: Int64?
  /// When it was disabled or enabled, wall time: both win over what a definition says.
  var disabledAt: Int64?
  var enabledAt: Int64?

  var isEmpty: Bool { pinnedAt == nil && blockedAt == nil && disabledAt == nil && enabledAt == nil }

  init() {}

  init(_ row: ChoiceRow) {
    pinnedAt = row.pinnedAt
    pinPosition = row.pinPosition
    blockedAt = row.blockedAt
    disabledAt = row.disabledAt
    enabledAt = row.enabledAt
  }

  /// As it is to be stored.
  ///
  /// - Parameters:
  ///   - action: empty for a choice about the whole app.
  ///   - isAppNamed: whether the action stays with its app.
  func row(app: [UInt8], action: [UInt8], isAppNamed: Bool = false) -> ChoiceRow {
    ChoiceRow(
      app: app, action: action, pinnedAt: pinnedAt, pinPosition: pinPosition, blockedAt: blockedAt,
      disabledAt: disabledAt, enabledAt: enabledAt, isAppNamed: isAppNamed)
  }
}
