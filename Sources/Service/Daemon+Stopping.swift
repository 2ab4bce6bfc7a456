import IntakeLog
import Posix
import Storage
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
    if let failure = committer.failure {
      let outcome =
        intake.intakeLog.keeps
        ? "the intake log stays and keeps for the next start what is missing"
        : "what was counted since the last commit is lost, as there is no intake log that would keep it"
      log(.error, "the state could not be stored before the end: \(failure.error.description); \(outcome)")
    }
    intake.finish(isStored: committer.failure == nil)
    disk.perform(.close)
  }
}
