import Posix
import Ranking
import Wire

/// What is known: the counts, the ids seen lately, the clock that they age by, and what was refused.
final class Ledger {
  var ranking: ActionRanking
  var counters = Counters()
  private(set) var startedAt: Moment
  private var recentIDs: RecentIDs
  private var clock: DecayClock
  private let reading: () -> ClockReading
  private let log: Log

  /// Idempotency ids are remembered for a day, and at most a million of them.
  private static let idLifetime: Int64 = 86_400_000_000_000
  private static let idCapacity = 1_000_000

  /// - Parameter reading: reads the machine's clocks.
  init(
    halfLife: HalfLife, limit: Int, log: Log, bootID: String = Clocks.bootID(),
    reading: @escaping () -> ClockReading = Ledger.machineClocks
  ) {
    var random = SystemRandomNumberGenerator()
    let seeds = (0..<4).map { _ in random.next() as UInt64 }
    ranking = ActionRanking(halfLife: halfLife, limit: limit, seed: (seeds[0], seeds[1]))
    recentIDs = RecentIDs(capacity: Self.idCapacity, lifetime: Self.idLifetime, seed: (seeds[2], seeds[3]))
    self.reading = reading
    clock = DecayClock(bootID: bootID, reading: reading())
    startedAt = clock.moment(at: reading()).0
    self.log = log
  }

  private static func machineClocks() -> ClockReading { ClockReading(boot: Clocks.boot(), wall: Clocks.wall()) }

  /// This moment. A step of the wall clock since the last call is counted and logged.
  func now() -> Moment {
    let (moment, step) = clock.moment(at: reading())
    if let step {
      counters.wallSteps += 1
      let seconds = step.by / 1_000_000_000
      log.limited(
        .notice, kind: "wall clock", now: moment.decay,
        "the wall clock stepped by \(seconds) s; no score changes by that")
    }
    ranking.begin(hourOf: moment.wall)
    return moment
  }

  /// Counts a use.
  ///
  /// - Returns: false if its idempotency id was seen before, and so nothing was counted.
  @inline(__always)
  func count(_ use: UseLine, now: Moment, tally: inout Tally) -> Bool {
    if let id = unsafe use.id, unsafe !recentIDs.insert(id, at: now.decay) {
      tally.duplicates += 1
      return false
    }
    let time = UseTime(clientTime: use.time, now: now)
    unsafe ranking.count(use.action, app: use.app, uses: use.count, at: time)
    tally.accepted += 1
    tally.uses &+= UInt64(use.count)
    if time.wasClamped { tally.clamped += 1 }
    return true
  }

  /// Adds what one batch came to.
  func add(_ tally: Tally) {
    counters.accepted += tally.accepted
    counters.uses = counters.uses.saturatingAdding(tally.uses)
    counters.duplicates += tally.duplicates
    counters.clamped += tally.clamped
  }
}

/// What one batch of lines came to, kept apart from the counters while the batch is worked through.
struct Tally {
  var accepted: UInt64 = 0
  var uses: UInt64 = 0
  var duplicates: UInt64 = 0
  var clamped: UInt64 = 0
}
