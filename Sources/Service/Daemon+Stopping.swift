import Posix
import Systemd

extension Daemon {
  /// Takes what has arrived, writes snapshots and state, and ends; each step follows from the one before.
  func stop() {
    if isStopping { return }
    isStopping = true
    snapshotTimer = nil
    tell(.stopping, .status("Stopping: counting what has arrived"))
    committer.onFinished = { [unowned self] in closeState() }
    intake.drainAndClose { [unowned self] in
      isDrained = true
      tell(.status("Stopping: writing snapshots and the state"))
      publisher.startRound()
    }
  }

  private func closeState() {
    intake.finish(isStored: committer.failure == nil)
    disk.perform(.close)
  }
}
