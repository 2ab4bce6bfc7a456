import Ranking
import Storage

/// A commit in the making: everything that is not stored yet, as it is when this is made, and what goes with it.
struct CommitDraft {
  private(set) var batch: CommitBatch
  private(set) var changes: UncommittedChanges

  /// - Complexity: O(ids seen since the last commit, and open connections).
  init(_ registry: Registry, contents: Committer.Contents, policy: Committer.Policy) {
    let frozen = registry.ledger.ranking.freeze()
    changes = UncommittedChanges(takenFrom: registry)
    batch = CommitBatch(registry.ledger, changes, contents: contents, policy: policy)
    batch.reserve(frozen)
  }

  /// Copies some of what has changed, however that has changed since.
  ///
  /// - Returns: whether more is left.
  mutating func copy(_ registry: Registry, atMost count: Int) -> Bool {
    let hasMore = registry.ledger.ranking.copyFrozen(atMost: count)
    let copies = registry.ledger.ranking.takeCopies()
    changes.add(copies)
    batch.add(copies)
    return hasMore
  }

  /// Copies all of it.
  mutating func copyAll(_ registry: Registry) { while copy(registry, atMost: 1000) {} }
}
