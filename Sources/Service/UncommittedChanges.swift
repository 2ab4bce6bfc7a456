import Ranking

/// Everything that is not stored yet, on its way to the disk; it comes back from there if it can't be stored.
struct UncommittedChanges {
  /// What was copied of actions.
  var actions = StateCopies()
  /// Numbers of apps that were copied.
  var apps: [UInt32] = []
  let ids: [RememberedID]
  let importedIDs: [RememberedID]
  let registry: Registry.Uncommitted
  let days: [FinishedDay]

  /// What is known at once; actions and apps are frozen in the ranking, and copied bit by bit.
  ///
  /// - Complexity: O(ids and choices that have changed).
  init(takenFrom registry: Registry) {
    self.registry = registry.takeUncommitted()
    if self.registry.sweeps { registry.ledger.ranking.markAllUncommitted() }
    ids = registry.ledger.recentIDs.takeUncommitted()
    importedIDs = registry.ledger.importedIDs.takeUncommitted()
    days = registry.ledger.ranking.takeFinishedDays()
  }

  /// Has it taken again.
  ///
  /// - Complexity: O(what there is).
  func giveBack(to registry: Registry) {
    registry.ledger.ranking.giveBack(UncommittedUses(actions))
    registry.ledger.recentIDs.giveBack(ids)
    registry.ledger.importedIDs.giveBack(importedIDs)
    registry.giveBack(self.registry)
    registry.ledger.ranking.giveBackApps(apps)
    registry.ledger.ranking.giveBackFinishedDays(days)
  }

  /// Has all that is known taken again.
  static func markAll(_ registry: Registry) {
    registry.ledger.ranking.markAllUncommitted()
    registry.ledger.recentIDs.markAllUncommitted()
    registry.ledger.importedIDs.markAllUncommitted()
    registry.markAllUncommitted()
  }
}
