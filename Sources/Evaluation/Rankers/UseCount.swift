/// By the number of uses alone.
struct UseCount: Ranker {
  private var standings: Standings

  init(actions: Int) { standings = Standings(actions: actions) }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) { standings.lead(&leaders) }

  mutating func count(_ action: Int, at moment: UseMoment) {
    standings.use(action, standings.scores[action] + 1, at: moment.index)
  }
}
