import Posix
import Ranking
import Snapshots
import Wire

/// Decides which snapshots have to be written, and follows them to the disk.
///
/// A round takes everything that has changed. It is rendered in slices, and goes to the disk thread in batches, one at a
/// time, so that neither memory nor the time of a turn grows with the number of apps. A round that begins while others
/// are under way adds to what is due: the list over all apps comes next, then every app in its turn, so that a disk that
/// does not keep up has each list written less often, and none left out. What could not be written is due again in the
/// next round.
final class Publisher {
  /// Apps in one batch at the most: as many share one syncfs, which has to wait for everything else on the disk, too.
  var batchSize = 2048
  /// Apps that are looked at in one step.
  private static let stepApps = 32
  /// With so many bytes to write a batch is full, too.
  private static let batchBytes = 8 << 20
  /// A file is written anew when its scores have lost this share of what it says.
  static let noticeableLoss = 0.01

  private let registry: Registry
  var ledger: Ledger { registry.ledger }
  private let log: Log
  private let send: (DiskThread.Job) -> Void
  private let work: SlicedWork
  private let clock: () -> Int64
  /// Called when rounds are over; others may be under way.
  var onRoundEnd: () -> Void = {}

  private var mode: FileMode
  /// The last round that wrote something.
  var generation: UInt64
  var roundMoment = Moment(decay: 0, wall: 0)
  /// Rounds of which it is being found out what they are to write: for when each was planned.
  private var beginnings: [Int64?] = []
  /// Rounds that are under way, the oldest first.
  private var rounds: [Round] = []
  /// How many of these had begun when the batch that is rendered or on its way was.
  private var roundsOfBatch = 0
  /// Whether ``step()`` is to be called again.
  private var isStepping = false
  /// How long after the moment it was planned for a round began, nanoseconds, and was over.
  private(set) var delays = (start: DurationHistogram(), end: DurationHistogram())
  var top = Publication()
  var apps: [Publication] = []
  var dueApps = DueApps()
  /// What is rendered and not sent.
  private var files: [SnapshotFiles] = []
  private var fileBytes = 0
  /// Whether it is sent as it is: lists that are in it may be due again, and no file is to be in it twice.
  private var isBatchClosed = false
  /// What is rendered, whether sent or not.
  private var inFlight: [Rendered] = []
  /// Whether the disk has something to do, and has not said what became of it.
  private var isAwaited = false
  /// What the disk has said to what was sent, as far as it is still to be looked at: the last first.
  private var outcomes: [(rendered: Rendered, error: SystemError?)] = []
  /// Apps that are gone, whose files are still there.
  private var gone: [[UInt8]] = []
  private var goneInFlight: [[UInt8]] = []
  /// Up to when, decay time, everything that was due is published.
  private(set) var publishedAsOf: Int64
  /// Finds out what has changed in a list for those who want to hear of it.
  var listChange: (Snapshot) -> ListChange? = { _ in nil }
  /// The same for an app that is gone.
  var goneChange: ([UInt8]) -> ListChange? = { _ in nil }
  /// Called with a change whose list could not be written: nobody has been told.
  var onLost: (ListChange) -> Void = { _ in }
  /// Called when a list that has changed is published.
  var onChange: (ListChange) -> Void = { _ in }
  /// What keeps snapshots from being written, since when.
  private(set) var failure: (error: SystemError, since: Moment)?
  private var failedInRound: SystemError?

  /// A round that has begun.
  private struct Round {
    let moment: Moment
    /// For when it was planned, CLOCK_BOOTTIME; nil if it was not.
    let planned: Int64?
    /// It is over once so many of ``dueApps`` have been taken and are published.
    let end: Int
  }

  /// A list on its way to the disk.
  private struct Rendered {
    /// The app by number and id; nil for the list over all apps.
    let app: (number: UInt32, id: [UInt8])?
    let shown: [UInt32]
    let change: ListChange?
  }

  /// - Parameters:
  ///   - clock: CLOCK_BOOTTIME.
  ///   - send: hands work to the disk; ``finished(_:)`` or ``removed(_:)`` is called when it is done, or not.
  init(
    registry: Registry, generation: UInt64 = 0, mode: FileMode, work: SlicedWork = .atOnce, log: Log,
    clock: @escaping () -> Int64 = Clocks.boot, send: @escaping (DiskThread.Job) -> Void
  ) {
    self.work = work
    self.clock = clock
    self.generation = generation
    self.registry = registry
    self.mode = mode
    self.log = log
    self.send = send
    publishedAsOf = .min
  }

  /// Whether nothing is on its way to the disk.
  var isIdle: Bool { rounds.isEmpty && beginnings.isEmpty }

  /// Has every file written anew in the next round, with this mode.
  func rewriteAll(mode: FileMode) {
    self.mode = mode
    isBatchClosed = !files.isEmpty
    (top.isDue, top.isForced) = (true, true)
    for app in apps.indices where ledger.ranking.isPresent(app: UInt32(app)) {
      apps[app].isForced = true
      makeDue(UInt32(app))
    }
  }

  /// Starts a round.
  ///
  /// - Parameter time: for when it was planned, CLOCK_BOOTTIME; nil if it was not.
  func startRound(plannedFor time: Int64? = nil) {
    beginnings.append(time)
    if beginnings.count == 1 { findChanges() }
  }

  /// Has apps show what their lists have come to hold, so that it is known which lists have changed, and begins a round.
  private func findChanges() {
    ledger.ranking.beginSettling()
    work.begin { [unowned self] in
      if ledger.ranking.settle(atMost: Self.stepApps) { return true }
      begin(plannedFor: beginnings[0])
      beginnings.removeFirst()
      if !beginnings.isEmpty { findChanges() }
      return false
    }
  }

  private func begin(plannedFor time: Int64?) {
    let now = ledger.now()
    if let time { delays.start.add(clock() - time) }
    isBatchClosed = !files.isEmpty
    collectChanges(ledger.ranking.takeChanges(settles: false), at: now.decay)
    roundMoment = now
    roundGeneration = generation + 1
    rounds.append(Round(moment: now, planned: time, end: dueApps.end))
    goOn()
  }

  /// The number of the round that began last, if it writes something.
  private var roundGeneration: UInt64 = 0

  func collectChanges(_ changes: ActionRanking.Changes, at now: Int64) {
    let redefined = registry.takeChanges()
    for app in changes.gone {
      gone.append(app.id)
      if Int(app.number) < apps.count { apps[Int(app.number)] = Publication(isDue: false) }
    }
    // An app that has come back needs its files.
    let known = ledger.ranking.appSlots
    gone.removeAll { ledger.ranking.findApp($0) != nil }
    while apps.count < known {
      apps.append(Publication())
      dueApps.append(UInt32(apps.count - 1))
    }
    for app in changes.apps { makeDue(app) }
    for app in redefined.apps { makeDue(app) }
    // All scores of a list fade alike, so one time tells for all of it.
    let common = ledger.ranking.halfLife.time(toLose: Self.noticeableLoss)
    for app in apps.indices where apps[app].showsScores && !apps[app].isDue {
      let number = UInt32(app)
      // A list whose half-life is counted in uses does not fade by itself.
      guard let halfLife = ledger.ranking.listHalfLife(ofApp: number) else { continue }
      let fadesAfter = halfLife == ledger.ranking.halfLife ? common : halfLife.time(toLose: Self.noticeableLoss)
      if now - apps[app].scoresAt >= fadesAfter { makeDue(number) }
    }
    if changes.top || redefined.top || top.showsScores && now - top.scoresAt >= common { top.isDue = true }
  }

  private func makeDue(_ app: UInt32) {
    guard Int(app) < apps.count else { return }
    if apps[Int(app)].isDue { return }
    apps[Int(app)].isDue = true
    dueApps.append(app)
  }

  /// Works on what was written and what is due until a batch is sent or the rounds are over.
  private func goOn() {
    if isStepping || isAwaited || rounds.isEmpty { return }
    isStepping = true
    work.begin { [unowned self] in
      step()
      isStepping = !isAwaited && !rounds.isEmpty
      return isStepping
    }
  }

  private func step() {
    if let outcome = outcomes.popLast() {
      settle(outcome.rendered, outcome.error)
      if outcomes.isEmpty { endRounds() }
      return
    }
    if files.isEmpty { roundsOfBatch = rounds.count }
    // Files of apps that are gone go first, as one of them may have the name of an app that has come since.
    if files.isEmpty, !gone.isEmpty {
      (goneInFlight, gone) = (gone, [])
      generation = roundGeneration
      isAwaited = true
      return send(.remove(goneInFlight.map { SnapshotName(app: $0) }))
    }
    if !isBatchClosed, renderNext(), files.count < batchSize, fileBytes < Self.batchBytes { return }
    if files.isEmpty { return endRounds() }
    let batch = files
    (files, fileBytes) = ([], 0)
    isBatchClosed = false
    isAwaited = true
    send(.write(batch, mode: mode))
  }

  /// Renders one of the lists that are due; false if there is none.
  private func renderNext() -> Bool {
    if top.isDue {
      render(nil, &top)
      return true
    }
    guard let app = dueApps.takeFirst() else { return false }
    if ledger.ranking.isPresent(app: app) {
      render(app, &apps[Int(app)])
    } else {
      apps[Int(app)] = Publication(isDue: false)
    }
    return true
  }

  /// Renders a list, unless it would say nothing new.
  private func render(_ app: UInt32?, _ publication: inout Publication) {
    let snapshot = snapshot(of: app)
    let known = Publication(snapshot, scoresAt: roundMoment.decay)
    publication.isDue = false
    if let app { ledger.ranking.noteTold(app: app) }
    if !publication.isForced, known.fingerprint == publication.fingerprint, !hasFaded(app, publication) { return }
    publication = known
    generation = roundGeneration
    let rendered = SnapshotFiles(snapshot)
    files.append(rendered)
    fileBytes += rendered.json.count + rendered.tsv.count
    inFlight.append(
      Rendered(
        app: app.flatMap { number in snapshot.app.map { (number, $0) } },
        shown: snapshot.shortcuts.map(\.action.number), change: listChange(snapshot)))
  }

  func snapshot(of app: UInt32?) -> Snapshot {
    if let app { return registry.snapshot(ofApp: app, generation: roundGeneration, at: roundMoment) }
    return registry.topSnapshot(generation: roundGeneration, at: roundMoment)
  }

  private func hasFaded(_ app: UInt32?, _ publication: Publication) -> Bool {
    guard let halfLife = ledger.ranking.listHalfLife(ofApp: app) else { return false }
    return publication.showsScores
      && roundMoment.decay - publication.scoresAt >= halfLife.time(toLose: Self.noticeableLoss)
  }

  /// Takes note of what became of the files of apps that are gone.
  func removed(_ error: SystemError?) {
    isAwaited = false
    if let error {
      ledger.counters.snapshotFailures += 1
      failedInRound = error
      gone += goneInFlight
      goneInFlight = []
      endRounds()
    } else {
      ledger.counters.snapshotsRemoved += UInt64(goneInFlight.count)
      for app in goneInFlight {
        if let change = goneChange(app) { onChange(change) }
      }
    }
    goneInFlight = []
    goOn()
  }

  /// Takes note of what became of the batch that was sent last.
  func finished(_ outcomes: [SystemError?]) {
    isAwaited = false
    self.outcomes = zip(inFlight, outcomes).map { ($0, $1) }.reversed()
    inFlight = []
    goOn()
  }

  private func settle(_ rendered: Rendered, _ error: SystemError?) {
    guard let error else {
      ledger.counters.snapshotsWritten += 1
      // From here on a use is judged by what its app's file shows.
      if let app = rendered.app, ledger.ranking.findApp(app.id) == app.number {
        ledger.ranking.setPublished(rendered.shown, ofApp: app.number)
      }
      if let change = rendered.change { onChange(change) }
      return
    }
    ledger.counters.snapshotFailures += 1
    if let change = rendered.change { onLost(change) }
    // The rest of its rounds would fail alike: it waits for the next one.
    failedInRound = error
    if let app = rendered.app?.number {
      apps[Int(app)].isForced = true
      makeDue(app)
    } else {
      (top.isDue, top.isForced) = (true, true)
    }
  }

  /// Ends the rounds of the last batch of which all is published; if some of it could not be written, all of them.
  private func endRounds() {
    let ended = rounds.prefix(roundsOfBatch).prefix { failedInRound != nil || $0.end <= dueApps.taken }
    guard let last = ended.last else { return }
    rounds.removeFirst(ended.count)
    for time in ended.compactMap(\.planned) { delays.end.add(clock() - time) }
    if failedInRound == nil { publishedAsOf = last.moment.decay }
    noteFailure(since: last.moment)
    failedInRound = nil
    onRoundEnd()
  }

  private func noteFailure(since moment: Moment) {
    switch (failedInRound, failure) {
    case (let error?, nil):
      failure = (error, moment)
      log(.error, "snapshots can't be written: \(error.description); counting goes on, and each interval tries again")
    case (let error?, let known?): failure = (error, known.since)
    case (nil, _?):
      // Only a round that wrote something proves that it works again.
      if ledger.counters.snapshotsWritten == writtenAtFailure { return }
      failure = nil
      log(.notice, "snapshots are written again")
    case (nil, nil): break
    }
    writtenAtFailure = ledger.counters.snapshotsWritten
  }

  private var writtenAtFailure: UInt64 = 0
}
