import Ranking
import Storage

/// A commit in the making: everything that is not stored yet, as it is when this is made, and what goes with it.
struct CommitDraft {
  private(set) var batch: CommitBatch
  private(set) var changes: UncommittedChanges

  /// - Complexity: O(ids seen since the last commit, and open connections).
  init(_ registry: Registry, contents: Committer.Contents, policy: Committer.Policy) {
    // Before all is frozen, as this may be what says that all is to be stored.
    changes = UncommittedChanges(takenFrom: registry)
    registry.ledger.ranking.freeze()
    batch = CommitBatch(registry.ledger, changes, contents: contents, policy: policy)
  }

  /// Copies some of what has changed, however that has changed since.
  ///
  /// - Returns: whether more is left.
  mutating func copy(_ registry: Registry, atMost count: Int) -> Bool {
    let isMore = registry.ledger.ranking.copyFrozen(atMost: count)
    let apps = registry.ledger.ranking.takeCopiedApps()
    changes.apps += apps.map(\.number)
    for app in apps { batch.add(app.state) }
    if isMore { return true }
    changes.actions = registry.ledger.ranking.takeCopies()
    batch.changes = changes.actions.changes
    return false
  }

  /// Copies all of it.
  mutating func copyAll(_ registry: Registry) { while copy(registry, atMost: 1000) {} }
}
