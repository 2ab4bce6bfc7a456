/// An action by the ids that it has in files.
package struct ActionName: Hashable, Sendable {
  /// The app's id.
  package let app: [UInt8]
  /// The action's id.
  package let action: [UInt8]

  package init(app: [UInt8], action: [UInt8]) {
    self.app = app
    self.action = action
  }
}

/// What is gone but may be stored.
package struct GoneNames: Equatable, Sendable {
  /// Actions that were purged.
  package var actions = ActionNameList()
  /// Apps that have no action any more.
  package var apps: [[UInt8]] = []

  package init(actions: [ActionName] = [], apps: [[UInt8]] = []) {
    for name in actions { self.actions.append(name) }
    self.apps = apps
  }

  /// How many there are.
  package var count: Int { actions.count + apps.count }
}
