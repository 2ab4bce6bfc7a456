import Wire

/// A list that was published anew and differs in more than scores.
public struct Change: Hashable, Sendable {
  /// Whose list; nil for the one over all apps.
  public let app: AppID?
  /// The round of publishing.
  public let generation: UInt64
  /// The whole list.
  public let shortcuts: [Shortcut]
  /// Actions that were not in the list before.
  public let entered: [ActionID]
  /// Actions that are in the list no more.
  public let left: [ActionID]
  /// Actions that have another rank.
  public let moved: [ActionID]
  /// How many changes were lost before this one, as they were not read in time.
  public internal(set) var missed: UInt64

  init(_ node: JSONNode) throws(ClientError) {
    app = node["app"]?.string.map { AppID($0) }
    generation = node["generation"]?.count ?? 0
    shortcuts = try Shortcut.list(node["shortcuts"], app: app)
    func ids(_ name: String) -> [ActionID] {
      (node[name]?.elements ?? []).compactMap { $0.string.map { ActionID($0) } }
    }
    (entered, left, moved) = (ids("entered"), ids("left"), ids("moved"))
    missed = node["missed"]?.count ?? 0
  }
}

extension ControlConnection {
  private static let mostKept = 256

  /// Asks for changes of one app's list, or of every app's and the list over all. A second call replaces the first.
  public func subscribe(to app: AppID? = nil) throws(ClientError) {
    try request("subscribe") { if let app { $0.member("app", app.text) } }
    changes.removeAll { app != nil && $0.app != app }
  }

  /// The next change; nil if none came in time.
  ///
  /// - Parameter timeout: how long to wait; nil for ever.
  public func nextChange(timeout: Duration? = nil) throws(ClientError) -> Change? {
    changes.isEmpty ? try nextChangeLine(timeout: timeout) : changes.removeFirst()
  }

  /// Keeps a change for ``nextChange(timeout:)``; of too many the oldest is counted as missed.
  func keep(_ change: Change) {
    changes.append(change)
    guard changes.count > Self.mostKept else { return }
    changes[1].missed += changes[0].missed + 1
    changes.removeFirst()
  }
}
