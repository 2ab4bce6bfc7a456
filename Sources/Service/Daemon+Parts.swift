import IntakeLog
import Posix
import Ranking
import Settings
import Storage
import Systemd

extension Daemon {
  /// The parts as they know one another. They are set while the daemon is made, one after the other.
  final class Parts {
    weak var disk: DiskThread?
    weak var files: DiskThread?
    weak var publisher: Publisher?
    weak var intake: Intake?
    weak var committer: Committer?
    /// Called with reports that concern the daemon as a whole.
    var onReport: (DiskThread.Report) -> Void = { _ in }

    /// Passes on what a disk thread reports.
    func take(_ report: DiskThread.Report) {
      switch report {
      case .wrote(let outcomes): publisher?.finished(outcomes)
      case .committed(let error, let recovery):
        // A state that was made anew may lack connections.
        if recovery != nil { intake?.unstored.markAll() }
        // Before another commit begins, which may take the log's bytes as they lie there.
        if error != nil { intake?.giveUpOldest() }
        committer?.finished(error, recovery)
      case .removed(let error): publisher?.removed(error)
      case .backedUp, .closed, .queried: break
      }
      onReport(report)
    }

    /// What a commit that begins now has to contain beside the counts.
    func contents(_ kind: CommitKind) -> Committer.Contents {
      guard let intake, let publisher else { preconditionFailure("a commit before there is anything to commit") }
      return Committer.Contents(
        logPosition: intake.logPosition, connections: kind == .input ? nil : intake.takeConnectionChanges(),
        lastConnection: intake.lastConnection,
        maxLineBytes: intake.limits.maxLineBytes, generation: publisher.generation,
        syncs: intake.takePendingSyncs(askedUntil: lastAnswerable))
    }

    /// What has come in since a position of the intake log, if that holds all of it.
    func input(_ start: LogPosition) -> InputBatch? {
      guard let intake, start.log == intake.logPosition.log,
        let parts = unsafe intake.intakeLog.bytes(from: start.offset)
      else { return nil }
      return unsafe InputBatch(start: start, ringSize: intake.intakeLog.ringSize, parts: parts)
    }

    /// Syncs that were asked later have to wait: what was forgotten before them is still to be read in published files.
    private var lastAnswerable: Int64 {
      guard let publisher, let forgotten = intake?.desk.control.lastForgotten, publisher.publishedAsOf < forgotten
      else { return .max }
      return forgotten - 1
    }
  }

  func take(_ report: DiskThread.Report) {
    switch report {
    case .wrote where !isReady:
      StartProgress(manager: manager).tell("\(ledger.counters.snapshotsWritten) lists are published")
    case .wrote, .removed, .queried: break
    case .committed(let error, _):
      if error == nil, !committer.holdsInput, backup.isDue(at: ledger.now()) || committer.hasMovedActions {
        committer.hasMovedActions = false
        disk.perform(.backUp)
      }
      updateStatus()
    case .backedUp(let error):
      guard let error else { return }
      backup.retryLater(at: ledger.now())
      log.limited(
        .warning, kind: "backup", now: ledger.now().decay, "the daily backup failed: \(error.description)")
    case .closed(let error):
      if let error { log(.error, error.description) }
      loop.exit()
    }
  }

  func statusReport() -> StatusReport {
    let now = Clocks.boot()
    return StatusReport(
      registry: registry, generation: publisher.generation, openConnections: intake.openConnections,
      keptConnections: intake.store.count, intakeLogBytes: intake.intakeLog.used,
      snapshotFailure: publisher.failure, storageFailure: committer.failure, settingsRefusal: settingsRefusal,
      diskBusyTime: max(disk.busyTime(now: now) ?? 0, files.busyTime(now: now) ?? 0), catalogueErrors: catalogue.errors,
      subscribers: subscriptions.count, longestTurn: loop.longestTurn, roundDelays: publisher.delays)
  }
}

/// When the daily backup is due: a day after the last one, also across restarts as far as its age tells. A state that has
/// none yet gets one soon, and then at growing distances, as its first days are worth as much as later ones.
struct BackupSchedule {
  private static let day: Int64 = 86_400_000_000_000
  private static let hour: Int64 = day / 24

  /// Decay time of the last one; nil if there is none.
  private var last: Int64?
  private var distance: Int64

  /// - Parameter lastAge: how old the last backup is, nanoseconds; nil if there is none.
  init(lastAge: Int64?, now: Moment) {
    last = lastAge.map { now.decay.saturatingSubtracting(max($0, 0)) }
    distance = lastAge == nil ? Self.hour / 30 : Self.day
  }

  /// The last one failed: another is due in an hour.
  mutating func retryLater(at now: Moment) {
    last = now.decay
    distance = Self.hour
  }

  /// Whether a backup is due at this moment; it counts as made then.
  mutating func isDue(at now: Moment) -> Bool {
    if let last, now.decay - last < distance { return false }
    if last != nil { distance = min(distance * 2, Self.day) }
    last = now.decay
    return true
  }
}
