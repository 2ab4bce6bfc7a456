import Posix
import Ranking
import Snapshots

/// Decides which snapshots have to be written, and follows them to the disk.
///
/// A round takes everything that has changed; it goes to the disk thread in batches, one at a time, so that neither
/// memory nor the time of a turn grows with the number of apps. What could not be written is due again in the next
/// round.
final class Publisher {
  /// Apps in one batch.
  private static let batchSize = 64
  /// A file is written anew when its scores have lost this share of what it says.
  private static let noticeableLoss = 0.01

  private let ledger: Ledger
  private let log: Log
  private let send: ([SnapshotFiles], FileMode) -> Void
  /// Called when a round is over and nothing is on its way.
  var onRoundEnd: () -> Void = {}

  private var mode: FileMode
  /// The last round that wrote something.
  private(set) var generation: UInt64
  private var roundMoment = Moment(decay: 0, wall: 0)
  private var isInRound = false
  private var wantsAnotherRound = false
  private var top = Publication()
  private var apps: [Publication] = []
  private var dueApps: [UInt32] = []
  private var inFlight: [UInt32?] = []
  /// When a round last began, decay time.
  private(set) var lastRound: Int64
  /// What keeps snapshots from being written, since when.
  private(set) var failure: (error: SystemError, since: Moment)?
  private var failedInRound: SystemError?

  /// What is known of one snapshot's files.
  private struct Publication {
    /// Whether it has to be written.
    var isDue = true
    /// Decay time of the scores that it shows.
    var scoresAt: Int64 = 0
    /// Whether it shows a score that can still fade.
    var showsScores = false
  }

  /// - Parameter send: hands files to the disk; ``finished(_:)`` is called when they are there, or not.
  init(
    ledger: Ledger, generation: UInt64 = 0, mode: FileMode, log: Log,
    send: @escaping ([SnapshotFiles], FileMode) -> Void
  ) {
    self.generation = generation
    self.ledger = ledger
    self.mode = mode
    self.log = log
    self.send = send
    lastRound = ledger.startedAt.decay
  }

  /// Whether nothing is on its way to the disk.
  var isIdle: Bool { !isInRound }

  /// Has every file written anew in the next round, with this mode.
  func rewriteAll(mode: FileMode) {
    self.mode = mode
    top.isDue = true
    for app in apps.indices { makeDue(UInt32(app)) }
  }

  /// Starts a round; if one is still going on, the next follows it at once.
  func startRound() {
    let now = ledger.now()
    lastRound = now.decay
    if isInRound {
      wantsAnotherRound = true
      return
    }
    collectChanges(at: now.decay)
    isInRound = true
    failedInRound = nil
    roundMoment = now
    if top.isDue || !dueApps.isEmpty { generation += 1 }
    sendBatch()
  }

  private func collectChanges(at now: Int64) {
    let changes = ledger.ranking.takeChanges()
    while apps.count < ledger.ranking.appCount {
      apps.append(Publication())
      dueApps.append(UInt32(apps.count - 1))
    }
    for app in changes.apps { makeDue(app) }
    // All scores fade alike, so one time tells for a whole list.
    let fadesAfter = ledger.ranking.halfLife.time(toLose: Self.noticeableLoss)
    for app in apps.indices where apps[app].showsScores && now - apps[app].scoresAt >= fadesAfter {
      makeDue(UInt32(app))
    }
    if changes.top || top.showsScores && now - top.scoresAt >= fadesAfter { top.isDue = true }
  }

  private func makeDue(_ app: UInt32) {
    if apps[Int(app)].isDue { return }
    apps[Int(app)].isDue = true
    dueApps.append(app)
  }

  /// Sends what is due, as far as one batch reaches; without anything due the round is over.
  private func sendBatch() {
    var files: [SnapshotFiles] = []
    inFlight = []
    if top.isDue, failedInRound == nil {
      files.append(render(nil, &top))
      inFlight.append(nil)
    }
    while let app = dueApps.last, files.count < Self.batchSize, failedInRound == nil {
      dueApps.removeLast()
      files.append(render(app, &apps[Int(app)]))
      inFlight.append(app)
    }
    if files.isEmpty { return endRound() }
    send(files, mode)
  }

  private func render(_ app: UInt32?, _ publication: inout Publication) -> SnapshotFiles {
    let time = roundMoment.decay
    let rows =
      if let app { ledger.ranking.ranking(ofApp: app, at: time) } else { ledger.ranking.ranking(at: time) }
    publication = Publication(isDue: false, scoresAt: time, showsScores: rows.contains { $0.score > 0 })
    return SnapshotFiles(
      Snapshot(
        app: app.map { ledger.ranking.appID($0) }, generation: generation, computedAt: roundMoment.wall,
        limit: ledger.ranking.limit, shortcuts: rows))
  }

  /// Takes note of what became of the batch that was sent last.
  func finished(_ outcomes: [SystemError?]) {
    for (app, error) in zip(inFlight, outcomes) {
      guard let error else {
        ledger.counters.snapshotsWritten += 1
        continue
      }
      ledger.counters.snapshotFailures += 1
      // The rest of the round would fail alike: it waits for the next one.
      failedInRound = error
      if let app { makeDue(app) } else { top.isDue = true }
    }
    sendBatch()
  }

  private func endRound() {
    isInRound = false
    noteFailure()
    if wantsAnotherRound {
      wantsAnotherRound = false
      startRound()
    } else {
      onRoundEnd()
    }
  }

  private func noteFailure() {
    switch (failedInRound, failure) {
    case (let error?, nil):
      failure = (error, roundMoment)
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
