import Ranking

/// By the daemon's own counters with one half-life for all actions, in time or in uses.
struct FixedHalfLife: Ranker {
  /// What decays.
  enum Clock {
    case time
    /// Each use of any action lets a second go by.
    case uses
  }

  private let halfLife: HalfLife
  private let clock: Clock
  private var decayed: DecayedStandings

  init(_ halfLife: HalfLife, _ clock: Clock, actions: Int) {
    self.halfLife = halfLife
    self.clock = clock
    decayed = DecayedStandings(halfLife, actions: actions)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) { decayed.standings.lead(&leaders) }

  mutating func count(_ action: Int, at moment: UseMoment) {
    let time =
      switch clock {
      case .time: moment.time
      case .uses: Int64(moment.index) * 1_000_000_000
      }
    let position = halfLife.position(of: time)
    var count = decayed.counts[action]
    count.add(DecayedCount(weight: 1, at: position))
    decayed.use(action, count, at: position, moment.index)
  }
}
