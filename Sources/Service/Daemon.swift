import IntakeLog
import Posix
import Ranking
import Settings
import Snapshots
import Storage
import Systemd
import Wire

/// The running daemon: wires intake, counting, storing, publishing and the service manager together.
///
/// Everything lives on one thread and its event loop, but for what each ``DiskThread`` does.
final class Daemon {
  let settingsSource: (path: String, mustExist: Bool)
  let log: Log
  let manager: ServiceManager
  let loop: EventLoop
  let ledger: Ledger
  let registry: Registry
  let catalogue: CatalogueSource
  let subscriptions = Subscriptions()
  let intake: Intake
  let publisher: Publisher
  let committer: Committer
  var settings: Settings
  /// Why the last reload kept the old settings; nil if it did not.
  var settingsRefusal: String?

  /// The thread with the database.
  let disk: DiskThread
  /// The thread that writes snapshots.
  let files: DiskThread
  var sources: [SourceHolder] = []
  var watchdog: Watchdog?
  var snapshotTimer: EventSource?
  var nextSnapshot = Clocks.boot()
  private var notedGeneration: UInt64 = 0
  var patience = SyncPatience()
  var patienceTimer: EventSource?
  var backup: BackupSchedule
  /// Whether the first snapshots are written.
  private(set) var isReady = false
  var isStopping = false
  /// Whether a round is to be followed by a commit, as something was forgotten.
  var publishesForgotten = false
  /// Whether all that had arrived at the stop is counted.
  var isDrained = false
  /// The line that the service manager has heard last.
  private var statusText = ""
  /// Whether a READY=1 did not get through. Until it does, the service manager takes a start or reload to go on.
  private var owesReady = false
  private var startFailure: StartFailure?
  private let locks: [LockHolder]

  /// Noncopyable things that have to live as long as the daemon, in a form that an array can hold.
  final class SourceHolder {
    let source: EventSource
    init(_ source: consuming EventSource) { self.source = source }
  }

  /// Starts everything up to the first snapshots, which ``serve()`` waits for.
  init(
    places: Places, settings: Settings, settingsSource: (path: String, mustExist: Bool), log: Log
  ) throws(StartFailure) {
    self.settings = settings
    self.settingsSource = settingsSource
    self.log = log
    let manager = ServiceManager()
    self.manager = manager
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

    let state = try State(places: places, settings: settings, manager: manager, log: log)
    ledger = state.ledger
    registry = state.registry
    catalogue = state.catalogue
    backup = BackupSchedule(lastAge: state.backupAge, now: state.ledger.startedAt)
    let folder = SnapshotFolder(stateDirectory: places.stateDirectory)
    let apps = ledger.ranking.appNumbers
    let names = Set(apps.map { [ledger] in SnapshotName(app: ledger.ranking.appID($0)) })
    try StartFailure.unlessPossible { () throws(SystemError) in
      try folder.prepare(mode: settings.snapshotMode, keeping: names) { removed in
        _ = manager.notify(
          .status("Starting: removed \(removed) files of apps that are gone"), .extendTimeout(30_000_000_000))
      }
    }
    let sockets = try Sockets(inherited: inherited, runtimeDirectory: places.runtimeDirectory, log: log)

    // The parts below need one another; each knows the others by closures that find them here.
    let parts = Parts()
    do {
      let loop = try EventLoop()
      self.loop = loop
      let work = try SlicedWork(on: loop)
      publisher = Publisher(
        registry: state.registry, generation: state.generation, mode: settings.snapshotMode, work: work, log: log
      ) { parts.files?.perform($0) }
      parts.publisher = publisher
      let unstoredLog = state.storeRecovered()
      let intakeLog = try state.beginLog(isStored: unstoredLog == nil)
      disk = try DiskThread(folder: folder, database: state.database, stateDirectory: places.stateDirectory, loop: loop)
      { parts.take($0) }
      parts.disk = disk
      files = try DiskThread(folder: folder, database: nil, stateDirectory: places.stateDirectory, loop: loop) {
        parts.take($0)
      }
      parts.files = files
      // Of those that are open the connections that were kept are counted among the connections.
      let others = Process.openDescriptors() - sockets.kept.count
      let spare = Process.descriptorLimit() - others - sockets.listeners.count
      let limits = Intake.Limits(settings, descriptors: max(spare - Self.spareDescriptors, 1))
      let store = try ConnectionStore(limit: settings.storeConnections, manager: manager, loop: loop)
      intake = try Intake(
        sockets: sockets, desk: state.desk, intakeLog: intakeLog, unstoredLog: unstoredLog, recovery: state.recovery,
        store: store, subscriptions: subscriptions, limits: limits, loop: loop, log: log
      ) { () throws(SystemError) in
        try State.makeLog(places, settings, named: IntakeLog.fileName, log)
      }
      parts.intake = intake
      committer = try Committer(
        registry: state.registry, policy: Committer.Policy(settings), loop: loop, work: work, log: log,
        contents: { parts.contents($0) }, input: { parts.input($0) }, send: { parts.disk?.perform($0) },
        onCommit: { parts.intake?.committed($0, $1) }, onUnsafe: { parts.intake?.answer($0, unsafeBecause: $1) })
      parts.committer = committer
    } catch {
      throw StartFailure(status: .cannotCreate, message: error.description)
    }
    self.parts = parts
    try StartFailure.unlessPossible { () throws(SystemError) in
      try connectParts()
      let published = try PublishedFolder(folder, mode: settings.snapshotMode)
      publisher.adopt { $0.publishedBefore(in: published) }
    }
  }

  private let parts: Parts

  final class LockHolder {
    let lock: InstanceLock
    init(_ folder: String) throws(StartFailure) { lock = try InstanceLock(folder) }
  }

  /// Descriptors kept free for files, beyond those open when the daemon is ready.
  private static let spareDescriptors = 8

  private func connectParts() throws(SystemError) {
    sources = [
      SourceHolder(try loop.catchSignal(.hangUp) { [unowned self] in reload() }),
      SourceHolder(try loop.catchSignal(.user1) { [unowned self] in writeSnapshots() }),
      SourceHolder(try loop.catchSignal(.terminate) { [unowned self] in stop() }),
      SourceHolder(try loop.catchSignal(.interrupt) { [unowned self] in stop() }),
    ]
    patienceTimer = try loop.timer(accuracy: 10_000_000) { [unowned self] in patienceEnded() }
    snapshotTimer = try loop.timer(accuracy: 0) { [unowned self] in snapshotTick() }
    if let timeout = try ServiceManager.watchdogTimeout() {
      watchdog = try Watchdog(timeout: timeout, manager: manager, loop: loop, log: log) { [unowned self] in
        stuckPart(patience: timeout)
      }
    }
    publisher.onRoundEnd = { [unowned self] in roundEnded() }
    intake.onChange = { [unowned self] in committer.noteChange() }
    intake.onFillingUp = { [unowned self] in committer.beginUnlessUnderWay() }
    intake.onFull = { [unowned self] in committer.begin() }
    intake.onSync = { [unowned self] in syncAsked() }
    connectControl()
    parts.onReport = { [unowned self] in take($0) }
  }

  /// Serves until it is told to stop.
  func serve() throws(StartFailure) {
    nextSnapshot = Clocks.boot()
    planNextSnapshot()
    // Before anything is counted it is stored where the clocks stand. Syncs that the process before had not answered
    // wait for that as well.
    if intake.firstSyncAskedAt != nil { syncAsked() } else { committer.begin() }
    publisher.startRound()
    // Only a fault of our own makes the loop fail. Ended by a signal the daemon is started again, and loses nothing.
    do { try loop.run() } catch { preconditionFailure(error.description) }
    log.writeTotals(now: ledger.now().decay, all: true)
    if let startFailure { throw startFailure }
  }

  // MARK: Snapshots

  private func snapshotTick() {
    let planned = nextSnapshot
    planNextSnapshot()
    publisher.startRound(plannedFor: planned)
    log.writeTotals(now: ledger.now().decay)
  }

  /// Whoever asks for the files gets all of them: some may have been deleted or changed.
  private func writeSnapshots() {
    publisher.rewriteAll(mode: settings.snapshotMode)
    publisher.startRound()
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
    if isStopping {
      if isDrained, publisher.isIdle { committer.finishAll() }
      return
    }
    if !isReady {
      if let error = publisher.failure?.error, error.isForbidden {
        startFailure = StartFailure(status: .cannotCreate, message: error.description)
        return stop()
      }
      isReady = true
      owesReady = true
    }
    // What was forgotten has left the published files: now it is stored that it is gone, and its syncs are answered.
    if publishesForgotten, publisher.isIdle || publisher.publishedAsOf >= intake.desk.control.lastForgotten ?? .min {
      publishesForgotten = false
      committer.begin()
    }
    // The round's number is stored, so that no later one has it again.
    if publisher.generation != notedGeneration { committer.noteChange() }
    notedGeneration = publisher.generation
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
      let delivery = manager.notify(notice)
      gotThrough = delivery == .delivered || delivery == .noManager
      if case .failed(let error) = delivery {
        log.limited(.warning, kind: "notify", now: ledger.now().decay, error.description)
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
    if let failure = committer.failure {
      text += " The state can't be stored since \(rfc3339(failure.since)): \(failure.error.description)."
    }
    if let settingsRefusal { text += " The last reload kept the old settings: \(settingsRefusal)." }
    if text == statusText { return }
    if tell(.status(text)) { statusText = text }
  }

  private func stuckPart(patience: Int64) -> String? {
    let now = Clocks.boot()
    if !disk.isMoving(now: now, patience: patience) { return "the disk thread" }
    if !files.isMoving(now: now, patience: patience) { return "the thread that writes snapshots" }
    if !isStopping, now - nextSnapshot > max(patience, settings.snapshotInterval) { return "the snapshot timer" }
    return nil
  }
}
