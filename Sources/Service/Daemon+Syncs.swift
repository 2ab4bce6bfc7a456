import Posix
import Ranking
import Systemd

extension Daemon {
  /// A sync is answered after so long at the latest: 5 s.
  private static let patience: Int64 = 5_000_000_000

  /// A client asks whether its uses are safe: a commit begins, and if that takes too long the client is told so.
  func syncAsked() {
    committer.begin()
    if patienceEnds == nil { watchPatience(until: ledger.now().decay + Self.patience) }
  }

  private func watchPatience(until time: Int64) {
    patienceEnds = time
    patienceTimer?.fire(after: max(time - ledger.now().decay, 0))
  }

  /// Answers the syncs that have waited too long, and goes on watching those that have not.
  func patienceEnded() {
    patienceEnds = nil
    let now = ledger.now().decay
    let late =
      committer.takeSyncs(askedBefore: now - Self.patience) + intake.takePendingSyncs(askedBefore: now - Self.patience)
    intake.answer(late, unsafeBecause: "the disk has not answered for \(Self.patience / 1_000_000_000) s")
    if let first = committer.firstSyncAskedAt ?? intake.firstSyncAskedAt { watchPatience(until: first + Self.patience) }
  }
}
