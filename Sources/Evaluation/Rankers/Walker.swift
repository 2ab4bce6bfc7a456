/// As walker ranks what was started (`internal/history/history.go` of abenz1267/walker).
///
/// The score is the number of uses, 10 at most, times 10 less the whole days since the latest one; it is at least 1.
struct Walker: Ranker {
  private static let maxUses = 10.0
  private static let days = 10.0

  private var recency: RecencyOrder
  private var uses: WeightTable

  init(actions: Int) {
    recency = RecencyOrder(actions: actions)
    uses = WeightTable(actions: actions)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    recency.lead(&leaders, at: moment, uses) { age in
      Self.days - Double(age / .days(1))
    } score: { uses, factor in
      max(factor * uses, 1)
    }
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    recency.use(action, at: moment)
    if uses.weights[action] < Self.maxUses { uses.add(1, to: action) }
  }
}
