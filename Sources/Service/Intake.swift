import IntakeLog
import Posix
import Ranking
import Settings
import Storage
import Systemd
import Wire

/// Receives what clients send: accepts connections, reads streams and datagrams, each a bounded share of a turn.
///
/// Whatever arrives is in the intake log before anything is done with it.
final class Intake {
  let desk: LineDesk
  let loop: EventLoop
  let log: Log
  let sockets: Sockets
  let store: ConnectionStore
  let ready: ReadyConnections
  /// The same of those to `control.sock`.
  let requests: ReadyConnections
  var intakeLog: IntakeLog
  var listeners: [ListenerSource] = []
  var connections: [UInt64: Connection] = [:]
  /// Those that have syncs which wait for a commit to begin; some may be gone.
  var syncing: Set<UInt64> = []
  var unstored = UnstoredConnections()
  var turnShare = TurnShare(Intake.turnShares)
  var openByUser: [UInt32: Int] = [:]
  /// The number of the connection that was accepted last.
  var lastConnection: UInt64
  /// For datagrams, one after another: each begins and ends with the line.
  var datagramCutter: LineCutter
  var resumeTimer: EventSource?
  var summaryTimer: EventSource?
  /// When the summary timer goes off, decay time.
  var nextSummary = Int64.max
  var limits: Limits
  /// Whether nothing is read until a commit has made room in the intake log.
  var waitsForRoom = false
  /// Whether requests wait for a while, as the last one took long.
  var areRequestsPaused = false
  var requestTimer: EventSource?
  var drain: Drain?
  /// Whether nothing is read any more, as the daemon ends.
  var isClosed = false
  /// Earlier intake logs whose contents are not stored yet.
  var oldLogs: OldLogs
  /// How far they were worked through, if there is no new intake log beside them.
  var unstoredLog: LogPosition?
  /// Makes an intake log in the place of the earlier one.
  var makeLog: () throws(SystemError) -> IntakeLog

  /// Called when something has arrived.
  var onChange: () -> Void = {}
  /// Called when the intake log, or what else waits to be stored, is filling up, so that a commit makes room before it is needed.
  var onFillingUp: () -> Void = {}
  /// Told of lists that have changed.
  let subscriptions: Subscriptions
  /// Called when a client asks whether its uses are safe, and all that was received is counted. Not before: a commit
  /// stands for the whole log, so it must not begin between the lines of one record.
  var onSync: () -> Void = {}
  /// Called when the intake log is full: a commit has to make room.
  var onFull: () -> Void = {}

  struct Limits {
    var maxLineBytes: Int
    var maxConnections: Int
    var maxConnectionsPerUser: Int
    /// How many descriptors connections may use up, so that files can still be written.
    var descriptors: Int

    init(_ settings: Settings, descriptors: Int) {
      maxLineBytes = settings.maxLineBytes
      maxConnections = settings.maxConnections
      maxConnectionsPerUser = settings.maxConnectionsPerUser
      self.descriptors = descriptors
    }
  }

  /// A socket that is listened on.
  final class ListenerSource {
    let listener: Sockets.Listener
    var source: EventSource?
    /// Accepting waits for a connection to close, or for descriptors.
    var isPaused = false
    var open = 0
    init(_ listener: Sockets.Listener) { self.listener = listener }
  }

  init(
    sockets: Sockets, desk: LineDesk, intakeLog: consuming IntakeLog, unstoredLog: LogPosition?, recovery: Recovery,
    store: ConnectionStore, subscriptions: Subscriptions, limits: Limits, loop: EventLoop, log: Log,
    makeLog: @escaping () throws(SystemError) -> IntakeLog
  ) throws(SystemError) {
    self.unstoredLog = intakeLog.keeps ? nil : unstoredLog
    oldLogs = recovery.oldLogs
    self.makeLog = makeLog
    self.sockets = sockets
    self.desk = desk
    self.loop = loop
    self.log = log
    self.store = store
    self.subscriptions = subscriptions
    self.limits = limits
    lastConnection = recovery.lastConnection
    datagramCutter = LineCutter(maxLineBytes: limits.maxLineBytes)
    self.intakeLog = intakeLog
    ready = try ReadyConnections(loop: loop)
    requests = try ReadyConnections(loop: loop)
    ready.onReady = { [unowned self] in readReady() }
    requests.onReady = { [unowned self] in readNextRequest() }
    resumeTimer = try loop.timer(accuracy: Self.pause / 10) { [unowned self] in resumeAccepting() }
    summaryTimer = try loop.timer(accuracy: Self.pause) { [unowned self] in sendDueSummaries() }
    requestTimer = try loop.timer(accuracy: 1000) { [unowned self] in resumeRequests() }
    for listener in sockets.listeners {
      let entry = ListenerSource(listener)
      entry.source = try loop.watch(listener.raw) { [unowned self, unowned entry] _ in
        switch listener.kind {
        case .stream: accept(from: entry)
        case .datagram: receiveWaitingDatagrams(from: listener.raw)
        }
      }
      listeners.append(entry)
    }
    // Last, so that they count among the open ones of their socket.
    adopt(sockets.kept, recovery.sessions)
  }

  /// Takes settings that were read again. Lines that are under way get the new limit as well.
  func apply(_ settings: Settings) {
    limits = Limits(settings, descriptors: limits.descriptors)
    datagramCutter.maxLineBytes = settings.maxLineBytes
    for connection in connections.values {
      connection.session.maxLineBytes = LineLimit.bytes(settings.maxLineBytes, for: connection.name.access)
    }
    intakeLog.noteSettings(LoggedSettings(settings).bytes, at: desk.ledger.reading())
    resumeAccepting()
  }

  /// How many connections are open now.
  var openConnections: Int { connections.count }

  /// Something has arrived.
  func noteArrival() {
    onChange()
    if intakeLog.isFillingUp || desk.ledger.ranking.hasManyHours { onFillingUp() }
  }

  // MARK: Room in the intake log, and in memory

  /// Stops reading until ``makeRoom(upTo:)``: back-pressure, not loss.
  func waitForRoom() {
    if waitsForRoom { return }
    waitsForRoom = true
    desk.ledger.counters.intakeLogFull += 1
    setReading(false)
    onFull()
  }

  /// A commit contains the intake log up to `offset`.
  func makeRoom(upTo offset: UInt64) {
    intakeLog.release(upTo: offset)
    goOnIfRoom()
  }

  /// No commit succeeds, so the oldest of what the intake log holds is given up: counting goes on, and a crash before
  /// the next commit would lose it.
  func giveUpOldest() {
    guard waitsForRoom else { return }
    if intakeLog.hasRoom { return goOnIfRoom() }
    let bytes = intakeLog.discardOldest()
    log.limited(
      .warning, kind: "intake log", now: desk.ledger.now().decay,
      "the intake log is full and nothing can be stored: \(bytes) bytes of it would not survive a crash any more")
    goOnIfRoom()
  }

  func goOnIfRoom() {
    guard waitsForRoom, intakeLog.hasRoom else { return }
    waitsForRoom = false
    setReading(true)
    if drain != nil { goOnDraining() }
  }

  private func setReading(_ isReading: Bool) {
    ready.setEnabled(isReading)
    requests.setEnabled(isReading && !areRequestsPaused)
    for entry in listeners { entry.source?.setEnabled(isReading && !entry.isPaused) }
  }
}
