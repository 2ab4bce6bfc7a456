/// As z ranks folders (`z.sh` of rupa/z).
///
/// Each use adds 1 to an action's rank. The score is 10,000 · rank · 3.75 / (a / 10,000 + 1.25), a the seconds since the
/// latest use. When the ranks add up to over 9,000, all lose 1 %, and ranks under 1 are dropped.
struct RupaZ: Ranker {
  private static let maxSum = 9000.0

  private var recency: RecencyOrder
  private var ranks: WeightTable

  init(actions: Int) {
    recency = RecencyOrder(actions: actions)
    ranks = WeightTable(actions: actions)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    recency.lead(&leaders, at: moment, ranks) { age in
      3.75 / ((0.0001 * (Double(age) / 1e9) + 1) + 0.25)
    } score: { rank, factor in
      10_000 * rank * factor
    }
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    recency.use(action, at: moment)
    ranks.add(1, to: action)
    if ranks.sum > Self.maxSum { ranks.scale(by: 0.99) }
  }
}
