import Ranking

/// Everything that is not stored yet, on its way to the disk; it comes back from there if it can't be stored.
struct UncommittedChanges {
  let uses: UncommittedUses
  let ids: [RememberedID]
  let importedIDs: [RememberedID]
  let registry: Registry.Uncommitted
  /// Numbers of apps whose lists or hits have changed.
  let apps: [UInt32]
  let days: [FinishedDay]

  /// - Complexity: O(what has changed).
  init(takenFrom registry: Registry) {
    uses = registry.ledger.ranking.takeUncommitted()
    ids = registry.ledger.recentIDs.takeUncommitted()
    importedIDs = registry.ledger.importedIDs.takeUncommitted()
    self.registry = registry.takeUncommitted()
    apps = registry.ledger.ranking.takeUncommittedApps()
    days = registry.ledger.ranking.takeFinishedDays()
  }

  /// Has it taken again.
  func giveBack(to registry: Registry) {
    registry.ledger.ranking.giveBack(uses)
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
