import Posix
import Ranking
import Systemd

extension Daemon {
  /// A client asks whether its uses are safe: a commit begins, and if that takes too long the client is told so.
  func syncAsked() {
    committer.begin()
    watchPatience(askedAt: ledger.now().decay)
  }

  private func watchPatience(askedAt time: Int64) {
    guard let end = patience.note(askedAt: time) else { return }
    patienceTimer?.fire(after: max(end - ledger.now().decay, 0))
  }

  /// Answers the syncs that have waited too long, and goes on watching those that have not.
  func patienceEnded() {
    let time = patience.look(at: ledger.now().decay)
    let late = committer.takeSyncs(askedUntil: time) + intake.takePendingSyncs(askedUntil: time)
    let reason = publisher.failure.map { "snapshots can't be written: \($0.error.description)" }
    intake.answer(
      late, unsafeBecause: reason ?? "the disk has not answered for \(SyncPatience.longest / 1_000_000_000) s")
    if let first = committer.firstSyncAskedAt ?? intake.firstSyncAskedAt { watchPatience(askedAt: first) }
  }
}
