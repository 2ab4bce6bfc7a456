/// As zoxide ranks folders (`src/db/mod.rs` and `src/db/dir.rs` of ajeetdsouza/zoxide).
///
/// Each use adds 1 to an action's rank. The score is the rank times 4 within an hour of the latest use, 2 within a day,
/// ½ within a week and ¼ after that. When the ranks add up to over 10,000 (`_ZO_MAXAGE`), all are scaled so that they
/// add up to 9,000, and ranks under 1 are dropped.
struct Zoxide: Ranker {
  private static let maxAge = 10_000.0

  private var recency: RecencyOrder
  private var ranks: WeightTable

  init(actions: Int) {
    recency = RecencyOrder(actions: actions)
    ranks = WeightTable(actions: actions)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    recency.lead(&leaders, at: moment, ranks) { age in
      age < .hours(1) ? 4 : age < .days(1) ? 2 : age < .days(7) ? 0.5 : 0.25
    } score: { rank, factor in
      rank * factor
    }
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    recency.use(action, at: moment)
    ranks.add(1, to: action)
    if ranks.sum > Self.maxAge { ranks.scale(by: 0.9 * Self.maxAge / ranks.sum) }
  }
}
