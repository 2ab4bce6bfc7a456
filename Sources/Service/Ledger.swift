import Posix
import Ranking
import Storage
import Wire

/// What is known: the counts, the ids seen lately, the clock that they age by, and what was refused.
final class Ledger {
  var ranking: ActionRanking
  var counters: Counters
  var recentIDs: RecentIDs
  /// Ids of imported lines, which are never forgotten by age.
  var importedIDs: RecentIDs
  var recording: Recording
  var historyHour: HistoryHour
  /// What ids are hashed with; stored with them, as a state may have to be made anew.
  let idSecret: (UInt64, UInt64)
  /// When this process began to serve.
  private(set) var startedAt: Moment
  private var clock: DecayClock
  /// What was read last, and the boot that this process runs in, as long as the clock is still that of an earlier one.
  private var earlierBoot: (last: ClockReading, next: String)?
  let reading: () -> ClockReading
  private let log: Log

  /// At most a million idempotency ids are remembered.
  static let idCapacity = 1_000_000
  /// And as many of imported lines.
  static let importedCapacity = 1_000_000
  /// What an id begins with that is never forgotten by age.
  private static let importPrefix: StaticString = "import:"

  /// A ledger that goes on where the stored one was, with the half-life that it was kept with, but for the actions: these
  /// are restored by the ranking before ``finishRestoring()``.
  ///
  /// - Parameters:
  ///   - settings: the half-life is what to begin with where nothing is stored.
  ///   - ownHalfLives: of apps that have one.
  ///   - reading: reads the machine's clocks.
  /// - Complexity: O(stored apps and ids).
  init(
    _ stored: StoredState, _ settings: RankingSettings, idLifetime: Int64,
    ownHalfLives: [(app: [UInt8], halfLife: HalfLife)] = [], log: Log, bootID: String = Clocks.bootID(),
    reading: @escaping () -> ClockReading = Ledger.machineClocks
  ) {
    self.log = log
    self.reading = reading
    counters = Counters(totals: stored.totals)
    // Where there is something to be worked through that came in the boot of the mark, the clock stays at the mark for now.
    let mark = stored.clock.flatMap { $0.bootID == bootID || stored.pendingInput != nil ? $0 : nil }
    if let mark {
      clock = DecayClock(resuming: mark, bootID: mark.bootID, reading: mark.reading)
      if mark.bootID != bootID { earlierBoot = (mark.reading, bootID) }
    } else if let mark = stored.clock {
      clock = DecayClock(resuming: mark, bootID: bootID, reading: reading())
    } else {
      clock = DecayClock(bootID: bootID, reading: reading())
    }
    startedAt = clock.moment(at: mark?.reading ?? reading()).0

    var random = SystemRandomNumberGenerator()
    let storedHalfLife = stored.halfLife.map { HalfLife(nanoseconds: max($0, 1)) } ?? settings.halfLife
    ranking = ActionRanking(
      halfLife: storedHalfLife, limit: settings.limit, seed: (random.next(), random.next()), method: settings.method,
      swapMargin: settings.swapMargin, keepPlaces: settings.keepPlaces)
    ranking.begin(hourOf: startedAt.wall)
    ranking.restore(LostWorthState(totals: stored.totals), at: stored.clock?.decay ?? startedAt.decay)
    for (id, halfLife) in ownHalfLives {
      let app = ranking.insertApp(id)
      ranking.setKept(true, app: app)
      ranking.setHalfLife(halfLife, ofApp: app, at: startedAt.decay)
    }
    for row in stored.apps {
      if let state = AppState(row) { ranking.restore(app: state) }
    }
    let storedWall = stored.totals.first { $0.name == HistoryHour.total }.flatMap { Int64(exactly: $0.value) }
    historyHour = HistoryHour(wall: storedWall, at: startedAt)

    idSecret = stored.idSecret
    recentIDs = RecentIDs(capacity: Self.idCapacity, lifetime: idLifetime, seed: stored.idSecret)
    for id in stored.ids { recentIDs.restore(id) }
    importedIDs = RecentIDs(capacity: Self.importedCapacity, lifetime: .max, seed: stored.idSecret)
    for id in stored.importedIDs { importedIDs.restore(id) }
    recording = Recording(stored: stored.totals.first { $0.name == Recording.total }?.value)
  }

  /// All actions are restored: lists are made, and counting begins.
  ///
  /// - Complexity: O(actions).
  func finishRestoring(_ stored: StoredState) {
    ranking.finishRestoring(arrivals: stored.arrivals, at: startedAt.decay)
  }

  /// What was left over is worked through: from now on this is this start's own time.
  func noteStart() { startedAt = now() }

  static func machineClocks() -> ClockReading { ClockReading(boot: Clocks.boot(), wall: Clocks.wall()) }

  /// This moment, at which something else than counting is to be done: all that was counted is settled. A step of the wall
  /// clock since the last call is counted and logged.
  func now() -> Moment {
    ranking.settleFlood()
    return moment(at: reading())
  }

  /// The moment of a reading of the clocks, which is not before that of the last call.
  func moment(at reading: ClockReading) -> Moment {
    let (moment, step) = clock.moment(at: reading)
    if let step { note(step, at: moment) }
    ranking.begin(hourOf: moment.wall)
    return moment
  }

  /// The moment of a reading in the boot of the last commit, which may be an earlier one.
  func moment(atStored reading: ClockReading) -> Moment {
    if earlierBoot != nil { earlierBoot?.last = reading }
    return moment(at: reading)
  }

  /// What came in an earlier boot is worked through: the clock goes on in this one.
  func endEarlierBoot() {
    guard let (last, next) = earlierBoot else { return }
    earlierBoot = nil
    clock = DecayClock(resuming: clock.mark(at: last), bootID: next, reading: reading())
  }

  private func note(_ step: WallStep, at moment: Moment) {
    counters.wallSteps += 1
    var message = "the wall clock stepped by \(step.by / 1_000_000_000) s; no score changes by that"
    if step.countedAsDowntime > 0 {
      message =
        "the wall clock was set, a step of \(step.by / 1_000_000_000) s; \(step.countedAsDowntime / 1_000_000_000) s of "
        + "it are the time that the machine was off"
    }
    log.limited(.notice, kind: "wall clock", now: moment.decay, message)
  }

  /// What of the clock has to be stored with the state of this moment.
  func clockMark() -> ClockMark { clock.mark(at: reading()) }

  /// Counts a use that is to be recorded, unless its idempotency id was seen before.
  ///
  /// - Parameter ranking: this ledger's, which the caller has borrowed for many uses.
  @inline(__always)
  func count(_ use: UseLine, in ranking: inout ActionRanking, now: Moment, tally: inout Tally) {
    if let id = unsafe use.id {
      // Nothing is kept of what is blocked, not even its id.
      if unsafe ranking.isBlocked(use.action, app: use.app) {
        tally.blocked += 1
        return
      }
      if unsafe !remember(id, at: now.decay) {
        tally.duplicates += 1
        return
      }
    }
    let time = UseTime(clientTime: use.time, now: now)
    guard unsafe ranking.count(use.action, app: use.app, uses: use.count, at: time) else {
      tally.blocked += 1
      return
    }
    tally.accepted += 1
    tally.uses &+= UInt64(use.count)
    if time.wasClamped { tally.clamped += 1 }
  }

  /// Counts a group of uses that are to be recorded, and empties it.
  @inline(__always)
  func count(_ group: inout UseGroup, in ranking: inout ActionRanking, now: Moment, tally: inout Tally) {
    if group.isEmpty { return }
    let uses = group.count
    let counted = ranking.count(&group, at: UseTime(clientTime: nil, now: now))
    tally.accepted &+= UInt64(counted)
    tally.uses &+= UInt64(counted)
    tally.blocked &+= UInt64(uses - counted)
  }

  private func remember(_ id: UnsafeRawBufferPointer, at time: Int64) -> Bool {
    let isImport = Self.importPrefix.withUTF8Buffer { unsafe id.starts(with: $0) }
    return unsafe isImport ? importedIDs.insert(id, at: time) : recentIDs.insert(id, at: time)
  }

  /// Adds what one batch came to.
  func add(_ tally: Tally) {
    counters.accepted += tally.accepted
    counters.uses = counters.uses.saturatingAdding(tally.uses)
    counters.duplicates += tally.duplicates
    counters.clamped += tally.clamped
    counters.blocked += tally.blocked
    counters.notRecorded += tally.notRecorded
  }
}

/// What one batch of lines came to, kept apart from the counters while the batch is worked through.
struct Tally {
  var accepted: UInt64 = 0
  var uses: UInt64 = 0
  var duplicates: UInt64 = 0
  var clamped: UInt64 = 0
  var blocked: UInt64 = 0
  var notRecorded: UInt64 = 0
}
