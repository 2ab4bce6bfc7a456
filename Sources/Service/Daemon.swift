import Posix
import Ranking
import Settings
import Snapshots
import Systemd

/// The running daemon: wires intake, counting, publishing and the service manager together.
///
/// Everything lives on one thread and its event loop, but for ``DiskThread``.
final class Daemon {
  let settingsSource: (path: String, mustExist: Bool)
  let log: Log
  let loop: EventLoop
  let ledger: Ledger
  let intake: Intake
  let publisher: Publisher
  var settings: Settings
  /// Why the last reload kept the old settings; nil if it did not.
  var settingsRefusal: String?

  private let locks: [LockHolder]
  private let disk: DiskThread
  private var sources: [SourceHolder] = []
  private var watchdog: Watchdog?
  private var snapshotTimer: EventSource?
  private var nextSnapshot = Clocks.boot()
  private var isReady = false
  private var isStopping = false
  /// The line that the service manager has heard last.
  private var statusText = ""
  /// Whether a READY=1 did not get through. Until it does, the service manager takes a start or reload to go on.
  private var owesReady = false
  private var startFailure: StartFailure?

  /// Noncopyable things that have to live as long as the daemon, in a form that an array can hold.
  private final class LockHolder {
    let lock: InstanceLock
    init(_ folder: String) throws(StartFailure) { lock = try InstanceLock(folder) }
  }
  private final class SourceHolder {
    let source: EventSource
    init(_ source: consuming EventSource) { self.source = source }
  }

  /// Descriptors kept free for files, beyond those open when the daemon is ready.
  private static let spareDescriptors = 8

  /// Starts everything up to the first snapshots, which ``serve()`` waits for.
  init(
    places: Places, settings: Settings, settingsSource: (path: String, mustExist: Bool), log: Log
  ) throws(StartFailure) {
    self.settings = settings
    self.settingsSource = settingsSource
    self.log = log
    // SIGPIPE is blocked for good: it would end the daemon when whoever reads its messages goes away.
    Process.block([.hangUp, .interrupt, .user1, .terminate, .brokenPipe])

    let inherited = try StartFailure.unlessPossible { () throws(SystemError) in try InheritedSockets.take() }
    try StartFailure.unlessPossible { () throws(SystemError) in
      try Directory.create(places.runtimeDirectory, mode: 0o700)
      try Directory.create(places.stateDirectory, mode: 0o700)
    }
    var locks: [LockHolder] = []
    for folder in try InstanceLock.folders(of: places) { locks.append(try LockHolder(folder)) }
    self.locks = locks
    let folder = SnapshotFolder(stateDirectory: places.stateDirectory)
    try StartFailure.unlessPossible { () throws(SystemError) in
      try folder.prepare(mode: settings.snapshotMode, keeping: []) { removed in
        _ = ServiceManager.notify(
          .status("Starting: removed \(removed) files of apps that are gone"), .extendTimeout(30_000_000_000))
      }
    }
    let sockets = try Sockets(inherited: inherited, runtimeDirectory: places.runtimeDirectory, log: log)

    let halfLife = HalfLife(nanoseconds: settings.halfLife)
    ledger = Ledger(halfLife: halfLife, limit: settings.limit, log: log)
    let desk = LineDesk(ledger: ledger, log: log)
    // The publisher and the disk thread know each other by closures, as each needs the other.
    let relay = Relay()
    publisher = Publisher(ledger: ledger, mode: settings.snapshotMode, log: log) { relay.disk?.write($0, mode: $1) }
    let publisher = publisher
    do {
      let loop = try EventLoop()
      self.loop = loop
      disk = try DiskThread(folder: folder, loop: loop) { [unowned publisher] in publisher.finished($0) }
      relay.disk = disk
      let spare = Process.descriptorLimit() - Process.openDescriptors() - sockets.listeners.count
      intake = try Intake(
        sockets: sockets, desk: desk, settings: settings,
        descriptorsForConnections: spare - Self.spareDescriptors, loop: loop, log: log)
    } catch {
      throw StartFailure(status: .cannotCreate, message: error.description)
    }
    try StartFailure.unlessPossible { () throws(SystemError) in try addSources() }
    desk.statusReply = { [unowned self] in statusReport().line() }
  }

  private final class Relay {
    weak var disk: DiskThread?
  }

  private func addSources() throws(SystemError) {
    sources = [
      SourceHolder(try loop.catchSignal(.hangUp) { [unowned self] in reload() }),
      SourceHolder(try loop.catchSignal(.user1) { [unowned self] in publisher.startRound() }),
      SourceHolder(try loop.catchSignal(.terminate) { [unowned self] in stop() }),
      SourceHolder(try loop.catchSignal(.interrupt) { [unowned self] in stop() }),
    ]
    snapshotTimer = try loop.timer(accuracy: 0) { [unowned self] in snapshotTick() }
    if let timeout = try ServiceManager.watchdogTimeout() {
      watchdog = try Watchdog(timeout: timeout, loop: loop, log: log) { [unowned self] in
        stuckPart(patience: timeout)
      }
    }
    publisher.onRoundEnd = { [unowned self] in roundEnded() }
  }

  /// Serves until it is told to stop.
  func serve() throws(StartFailure) {
    nextSnapshot = Clocks.boot()
    planNextSnapshot()
    publisher.startRound()
    try StartFailure.unlessPossible { () throws(SystemError) in try loop.run() }
    log.writeTotals(now: ledger.now().decay, all: true)
    if let startFailure { throw startFailure }
  }

  // MARK: Snapshots

  private func snapshotTick() {
    planNextSnapshot()
    publisher.startRound()
    log.writeTotals(now: ledger.now().decay)
  }

  /// Keeps to the raster of intervals; what was missed is not made up for.
  func planNextSnapshot() {
    let now = Clocks.boot()
    let interval = settings.snapshotInterval
    nextSnapshot += interval
    if nextSnapshot <= now || nextSnapshot > now + interval { nextSnapshot = now + interval }
    // A fiftieth of the interval: 100 ms for the default, so that wake-ups can be shared.
    snapshotTimer?.setAccuracy(interval / 50)
    snapshotTimer?.fire(at: nextSnapshot)
  }

  private func roundEnded() {
    if isStopping { return finish() }
    if !isReady {
      if let error = publisher.failure?.error, error.isForbidden {
        startFailure = StartFailure(status: .cannotCreate, message: error.description)
        intake.drainAndClose()
        return finish()
      }
      isReady = true
      owesReady = true
    }
    // Each round tries again what did not get through.
    if owesReady { tell(.ready) }
    updateStatus()
  }

  // MARK: Service manager

  /// Sends notices, and logs it if that fails.
  ///
  /// - Returns: whether the last of them got through, or nobody wants to hear it.
  @discardableResult
  func tell(_ notices: Notice...) -> Bool {
    var gotThrough = true
    for notice in notices {
      let delivery = ServiceManager.notify(notice)
      if case .failed(let error) = delivery {
        log.limited(.warning, kind: "notify", now: ledger.now().decay, error.description)
        gotThrough = false
      } else {
        gotThrough = true
      }
      if notice == .ready { owesReady = !gotThrough }
    }
    return gotThrough
  }

  /// Tells in one line what the daemon is doing, if that has changed.
  func updateStatus() {
    let ranking = (uses: ledger.counters.uses, actions: ledger.ranking.actionCount, apps: ledger.ranking.appCount)
    var text = "Counted \(ranking.uses) uses of \(ranking.actions) actions in \(ranking.apps) apps."
    if let failure = publisher.failure {
      text += " Snapshots can't be written since \(rfc3339(failure.since)): \(failure.error.description)."
    }
    if let settingsRefusal { text += " The last reload kept the old settings: \(settingsRefusal)." }
    if text == statusText { return }
    if tell(.status(text)) { statusText = text }
  }

  private func stuckPart(patience: Int64) -> String? {
    let now = Clocks.boot()
    if !disk.isMoving(now: now, patience: patience) { return "the disk thread" }
    if !isStopping, now - nextSnapshot > max(patience, settings.snapshotInterval) { return "the snapshot timer" }
    return nil
  }

  private func statusReport() -> StatusReport {
    StatusReport(
      ledger: ledger, generation: publisher.generation, openConnections: intake.openConnections,
      snapshotFailure: publisher.failure, settingsRefusal: settingsRefusal,
      diskBusyTime: disk.busyTime(now: Clocks.boot()))
  }

  // MARK: The end

  private func stop() {
    if isStopping { return }
    isStopping = true
    tell(.stopping, .status("Stopping: counting what has arrived"))
    intake.drainAndClose()
    tell(.status("Stopping: writing snapshots"))
    publisher.startRound()
  }

  private func finish() {
    disk.stop()
    loop.exit()
  }
}
