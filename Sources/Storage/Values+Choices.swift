/// An action that an app has registered.
package struct RegistrationRow: Equatable, Sendable {
  package var app: [UInt8]
  package var action: [UInt8]
  /// Its place among those of the app; two may have the same.
  package var position: Int64
  /// A JSON object in UTF-8.
  package var definition: [UInt8]
  /// Whether it stays with its app, whoever owns it by its name.
  package var isAppNamed: Bool

  package init(app: [UInt8], action: [UInt8], position: Int64, definition: [UInt8], isAppNamed: Bool = false) {
    self.isAppNamed = isAppNamed
    self.app = app
    self.action = action
    self.position = position
    self.definition = definition
  }
}

/// One change in the actions that are registered.
package enum RegistrationChange: Equatable, Sendable {
  /// Registers an action, in the place of what was registered of it.
  case set(RegistrationRow)
  case remove(app: [UInt8], action: [UInt8])
}

/// What the user has decided of an action or of a whole app. Times are wall times, Unix nanoseconds.
package struct ChoiceRow: Equatable, Sendable {
  package var app: [UInt8]
  /// Empty for the whole app.
  package var action: [UInt8]
  /// When it was pinned; nil if it is not.
  package var pinnedAt: Int64?
  /// Its place among what is pinned.
  package var pinPosition: Int64
  /// When it was blocked; nil if it is not.
  package var blockedAt: Int64?
  /// When it was disabled, whatever a catalogue says; nil if it is not.
  package var disabledAt: Int64?
  /// When it was enabled, whatever a catalogue says; nil if it is not.
  package var enabledAt: Int64?
  /// Whether it stays with its app, whoever owns the action by its name.
  package var isAppNamed: Bool

  package init(
    app: [UInt8], action: [UInt8], pinnedAt: Int64? = nil, pinPosition: Int64 = 0, blockedAt: Int64? = nil,
    disabledAt: Int64? = nil, enabledAt: Int64? = nil, isAppNamed: Bool = false
  ) {
    self.isAppNamed = isAppNamed
    self.app = app
    self.action = action
    self.pinnedAt = pinnedAt
    self.pinPosition = pinPosition
    self.blockedAt = blockedAt
    self.disabledAt = disabledAt
    self.enabledAt = enabledAt
  }

  /// Whether nothing is decided, so that there is nothing to be stored.
  var isEmpty: Bool { pinnedAt == nil && blockedAt == nil && disabledAt == nil && enabledAt == nil }
}
