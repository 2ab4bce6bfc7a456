/// As rofi ranks what was started (`source/history.c` of davatorium/rofi).
///
/// The score is the number of uses. Only 25 actions are remembered: when another one comes, the one with the fewest
/// uses, of several the one that was not used for longest, begins at 0 again.
struct Rofi: Ranker {
  private static let capacity = 25

  private var standings: Standings

  init(actions: Int) { standings = Standings(actions: actions) }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) { standings.lead(&leaders) }

  mutating func count(_ action: Int, at moment: UseMoment) {
    standings.use(action, standings.scores[action] + 1, at: moment.index)
    if let dropped = standings.action(at: Self.capacity) { standings.change(dropped, 0) }
  }
}
