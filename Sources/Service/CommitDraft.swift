import Ranking
import Storage

/// A commit in the making: everything that is not stored yet, as it is when this is made, and what goes with it.
struct CommitDraft {
  private(set) var batch: CommitBatch
  private(set) var changes: UncommittedChanges
  /// What was copied last, and how many of its actions are in ``batch``: while many are used, many are copied between two
  /// steps.
  private var copies = StateCopies()
  private var added = 0
  /// Whether the ranking may have more to copy.
  private var hasMore = true

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
    if added == copies.actions.count {
      hasMore = registry.ledger.ranking.copyFrozen(atMost: count)
      (copies, added) = (registry.ledger.ranking.takeCopies(), 0)
    }
    let part = copies.part(from: added, atMost: count)
    added += part.actions.count
    changes.add(part)
    batch.add(part)
    return hasMore || added < copies.actions.count
  }

  /// Copies all of it.
  mutating func copyAll(_ registry: Registry) { while copy(registry, atMost: 1000) {} }
}
