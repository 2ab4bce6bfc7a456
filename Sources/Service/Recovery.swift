import IntakeLog
import Posix
import Ranking
import Settings
import Storage
import Wire

/// Brings the state to where the process before had come: what the database holds, then the input that it has stored as it
/// came, and then what the intake log holds beyond that, both read by the very code that reads what comes from clients.
final class Recovery {
  /// The connections that were open, by number; those that the service manager kept can be gone on with.
  private(set) var sessions: [UInt64: StreamSession] = [:]
  /// The number of the last connection.
  private(set) var lastConnection: UInt64
  /// Up to where input was worked through, in the last of the old intake logs if there is one; nil if there was nothing.
  private(set) var position: LogPosition?
  /// The old intake logs: to be kept until a commit contains what was counted from them.
  var oldLogs: OldLogs
  private let desk: LineDesk
  /// Those whose end is in the log.
  private var ended: Set<UInt64> = []
  /// The clocks at this start.
  private let start: ClockReading
  /// Whether what is worked through was stored in the boot of the last commit.
  private var isStored = false
  private var maxLineBytes: Int
  private var datagramCutter: LineCutter
  private let progress: StartProgress?
  /// Bytes of lines that were worked through, and how many of these were told of.
  private var bytes = (done: 0, told: 0)
  /// So many lie between two signs of progress: less than a second of work.
  private static let bytesToTell = 4 << 20

  /// The name among the totals of the line limit in force at the last commit.
  static let maxLineBytesTotal = "inForce.maxLineBytes"
  /// And whether uses were recorded by the settings then.
  static let recordsTotal = "inForce.record"

  /// Works through what is left of the process before.
  ///
  /// - Parameters:
  ///   - settings: those of this start, which hold after what was logged.
  ///   - progress: is told how far it has come.
  /// - Complexity: O(bytes that came in after the last commit of rows).
  init(
    _ stored: StoredState, runtimeDirectory: String, desk: LineDesk, settings: Settings,
    progress: StartProgress? = nil, log: Log
  ) throws(SystemError) {
    self.desk = desk
    self.progress = progress
    start = desk.ledger.reading()
    oldLogs = OldLogs(directory: runtimeDirectory)
    lastConnection = stored.nextConnection
    let storedLimit = stored.totals.first { $0.name == Self.maxLineBytesTotal }.flatMap { Int(exactly: $0.value) }
    maxLineBytes = storedLimit.flatMap { (1...1 << 30).contains($0) ? $0 : nil } ?? settings.maxLineBytes
    datagramCutter = LineCutter(maxLineBytes: maxLineBytes)
    let now = desk.ledger.startedAt
    desk.ledger.recording.isAllowed = stored.totals.first { $0.name == Self.recordsTotal }?.value != 0
    for row in stored.connections {
      let state = SessionState(row)
      sessions[row.number] = StreamSession(
        state, maxLineBytes: LineLimit.bytes(maxLineBytes, for: state.access), now: now)
    }
    let committed = replay(stored.pendingInput, log) ?? stored.logPosition
    desk.ledger.endEarlierBoot()
    // A state that names the second log was stored when the first had been worked through.
    let second = try IntakeLog.recover(inDirectory: runtimeDirectory, named: IntakeLog.successorName)?.identity
    let isFirstStored = second != nil && second == committed?.log
    for name in [IntakeLog.fileName, IntakeLog.successorName] {
      guard let old = try IntakeLog.recover(inDirectory: runtimeDirectory, named: name) else { continue }
      oldLogs.found(name)
      if name == IntakeLog.fileName, isFirstStored { continue }
      replay(old, name, committed, log)
    }
    desk.ledger.recording.isAllowed = settings.record
    for session in sessions.values {
      session.maxLineBytes = LineLimit.bytes(settings.maxLineBytes, for: session.access)
    }
  }

  /// Works through input that was stored; returns where it ends.
  private func replay(_ input: PendingInput?, _ log: Log) -> LogPosition? {
    guard let input else { return nil }
    let before = desk.ledger.counters.accepted
    (desk.isReplaying, isStored) = (true, true)
    let excerpt = LogExcerpt(
      identity: input.start.log, ringSize: input.ringSize, start: input.start.offset, bytes: input.bytes)
    let outcome = excerpt.replay { take($0) }
    (desk.isReplaying, isStored) = (false, false)
    let end = LogPosition(log: input.start.log, offset: outcome.end)
    position = end
    if let damage = outcome.damage {
      log(
        .error,
        "the stored input is damaged after \(outcome.records) records: \(damage.description); what came before is counted"
      )
    }
    log(
      .notice,
      "\(outcome.records) records of stored input were worked through, \(desk.ledger.counters.accepted - before) uses "
        + "counted from them")
    return end
  }

  private func replay(_ old: borrowing RecoveredLog, _ name: String, _ committed: LogPosition?, _ log: Log) {
    let start = Self.start(of: old, committed)
    let before = desk.ledger.counters.accepted
    desk.isReplaying = true
    let outcome = old.replay(from: start) { take($0) }
    desk.isReplaying = false
    if let identity = old.identity { position = LogPosition(log: identity, offset: outcome.end) }
    if outcome.missing > 0 {
      log(
        .error,
        "the intake log lacks \(outcome.missing) bytes that the state does not contain: they were given up while nothing "
          + "could be stored, or the state has lost its last commits")
    }
    if let damage = outcome.damage {
      oldLogs.noteDamage(name)
      log(
        .error,
        "the intake log is damaged after \(outcome.records) records: \(damage.description); what came before is counted"
      )
    } else if outcome.records > 0 {
      log(
        .notice,
        "the daemon before did not end cleanly: \(outcome.records) records of its intake log were worked through, "
          + "\(desk.ledger.counters.accepted - before) uses counted from them")
    }
  }

  /// From where on a log has to be worked through.
  private static func start(of log: borrowing RecoveredLog, _ committed: LogPosition?) -> UInt64 {
    // Of a state that was put together from damaged files nobody knows. What the log was told is the best guess.
    guard let committed else { return log.head }
    // Each log is made after a commit that names the one before: a state that names another is older than all of this
    // one. The log may know of commits all the same, which the state has lost then.
    return committed.log == log.identity ? committed.offset : 0
  }

  private func take(_ record: LoggedRecord) {
    switch record {
    case .opened(let connection, let isControl, let reading):
      let state = SessionState(access: isControl ? .control : .events)
      sessions[connection] = StreamSession(
        state, maxLineBytes: LineLimit.bytes(maxLineBytes, for: state.access), now: moment(at: reading))
      lastConnection = connection
      desk.ledger.counters.connectionsAccepted += 1
    case .data(let connection, let bytes, let reading):
      let now = moment(at: reading)
      // One that no earlier log knew either was gone on with in its middle; this does the same, from the same byte on.
      let session =
        sessions[connection]
        ?? StreamSession(restoredWithoutState: .events, maxLineBytes: maxLineBytes, now: now)
      sessions[connection] = session
      unsafe session.take(bytes, now: now, desk: desk)
      noteProgress(bytes.count)
    case .ended(let connection, let reading):
      guard let session = sessions[connection] else { return }
      session.finish(now: moment(at: reading), desk: desk)
      ended.insert(connection)
      closeIfDone(connection)
    case .answered(let connection, _):
      sessions[connection]?.noteAnswered()
      closeIfDone(connection)
    case .datagram(let bytes, let reading):
      unsafe desk.take(datagram: bytes, now: moment(at: reading), cutter: &datagramCutter)
      noteProgress(bytes.count)
    case .cutDatagram(let reading):
      unsafe desk.take(datagram: nil, now: moment(at: reading), cutter: &datagramCutter)
    case .settings(let bytes, let reading):
      guard let settings = unsafe LoggedSettings(bytes) else { return }
      apply(settings, at: moment(at: reading))
    }
  }

  private func noteProgress(_ count: Int) {
    bytes.done += count
    if bytes.done - bytes.told < Self.bytesToTell { return }
    bytes.told = bytes.done
    progress?.tell("worked through \(bytes.done >> 20) MiB of the intake log")
  }

  /// The moment at which something was logged.
  private func moment(at reading: ClockReading) -> Moment {
    if isStored { return desk.ledger.moment(atStored: reading) }
    // What reads later than now was logged in an earlier boot, in a runtime directory that lies on a disk: that boot's
    // clock must not move decay time.
    return desk.ledger.moment(at: reading.boot > start.boot ? start : reading)
  }

  /// One that has ended and still waits for an answer may have been kept for it.
  private func closeIfDone(_ connection: UInt64) {
    guard ended.contains(connection), sessions[connection]?.owedSyncs == 0 else { return }
    sessions[connection] = nil
    desk.ledger.counters.connectionsClosed += 1
  }

  private func apply(_ settings: LoggedSettings, at moment: Moment) {
    maxLineBytes = settings.maxLineBytes
    datagramCutter.maxLineBytes = maxLineBytes
    for session in sessions.values { session.maxLineBytes = LineLimit.bytes(maxLineBytes, for: session.access) }
    desk.ledger.recording.isAllowed = settings.records
    let halfLife = HalfLife(nanoseconds: settings.halfLife)
    if halfLife != desk.ledger.ranking.halfLife {
      desk.ledger.ranking.change(halfLife: halfLife, limit: desk.ledger.ranking.limit, at: moment.decay)
    }
  }
}

extension SessionState {
  /// As it was stored.
  init(_ row: ConnectionRow) {
    var counts = LineCounts()
    counts.accepted = row.accepted
    counts.duplicates = row.duplicates
    counts.refused = row.refused
    counts.blocked = row.blocked
    counts.notRecorded = row.notRecorded
    self.init(
      access: row.isControl ? .control : .events,
      cutter: CutterState(lineNumber: row.lineNumber, unfinished: row.unfinished, isSkipping: row.isSkipping),
      counts: counts, skipsUnknownRest: row.isRestUnknown, pendingSyncs: row.pendingSyncs)
  }

  /// As it is to be stored.
  func row(_ number: UInt64) -> ConnectionRow {
    ConnectionRow(
      number: number, isControl: access == .control, lineNumber: cutter.lineNumber, accepted: counts.accepted,
      duplicates: counts.duplicates, refused: counts.refused, blocked: counts.blocked, notRecorded: counts.notRecorded,
      unfinished: cutter.unfinished, isSkipping: cutter.isSkipping,
      isRestUnknown: skipsUnknownRest, pendingSyncs: pendingSyncs)
  }
}
