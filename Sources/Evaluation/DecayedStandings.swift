import Ranking

/// Actions in the order of counts that all decay with one half-life.
///
/// Shares and order are the same at every moment, so scores are held as of one moment at the start of a half-life:
/// from there a count's score is its value times a power of two, which is exact.
struct DecayedStandings {
  /// Scores are taken anew after so many half-lives: until then the greatest one cannot overflow.
  private static let longestReach: Int64 = 500

  private let halfLife: HalfLife
  private(set) var standings: Standings
  private(set) var counts: [DecayedCount]
  private var base: DecayPosition

  init(_ halfLife: HalfLife, actions: Int) {
    self.halfLife = halfLife
    standings = Standings(actions: actions)
    counts = Array(repeating: .zero, count: actions)
    base = halfLife.position(of: 0)
  }

  /// Gives an action a count for its use at `position`, which is the latest of all.
  mutating func use(_ action: Int, _ count: DecayedCount, at position: DecayPosition, _ index: Int) {
    counts[action] = count
    if !(0...Self.longestReach).contains(position.whole - base.whole) {
      base = DecayPosition.start(of: position.whole, halfLife)
      standings.changeAll { action, _ in counts[action].score(at: base) }
    }
    standings.use(action, count.score(at: base), at: index)
  }
}

extension DecayPosition {
  /// Where so many half-lives have gone by.
  fileprivate static func start(of whole: Int64, _ halfLife: HalfLife) -> DecayPosition {
    halfLife.position(of: whole * halfLife.nanoseconds)
  }
}
