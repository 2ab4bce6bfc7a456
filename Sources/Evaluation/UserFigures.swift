/// How one ranker did on the uses of one user.
struct UserFigures: Equatable, Sendable {
  /// All uses.
  var uses = 0
  /// Uses of an action that was among the best four just before.
  var hits = 0
  /// For each hit the reciprocal of the action's place, from 1, added up.
  var reciprocals = 0.0
  /// Actions that came into the best four between one use and the next.
  var changes = 0

  /// Lets a ranker that has seen nothing rank before each use, and count it afterwards.
  ///
  /// The first use of an action is no hit, whatever else is known.
  static func replay<R: Ranker & ~Copyable>(_ user: Trace.User, _ ranker: consuming R) -> UserFigures {
    var figures = UserFigures(uses: user.uses.count)
    var leaders = Leaders(uses: user.uses.count)
    var shown: [Int32] = []
    var best: [Int32] = []
    for (index, use) in user.uses.enumerated() {
      let moment = UseMoment(index: index, time: use.time)
      if index > 0 {
        leaders.reset(at: index)
        ranker.lead(at: moment, &leaders)
        if let place = leaders.place(of: use.action) {
          figures.hits += 1
          figures.reciprocals += 1 / Double(place + 1)
        }
        leaders.best(into: &best)
        for action in best where !shown.contains(action) { figures.changes += 1 }
        swap(&shown, &best)
      }
      ranker.count(Int(use.action), at: moment)
    }
    return figures
  }
}
