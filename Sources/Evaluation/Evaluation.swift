/// Tries rankers on a trace: each ranks before every use, and counts the use afterwards.
package enum Evaluation {
  /// How far an evaluation has come.
  package struct Progress: Equatable, Sendable {
    /// Uses replayed so far, those of each ranker added up.
    package let done: Int
    /// What that is to become.
    package let total: Int
  }

  /// Tries all rankers on all users, each with a state of its own.
  ///
  /// - Parameters:
  ///   - rankers: who takes part.
  ///   - progress: told after each user and ranker.
  /// - Complexity: some 100 to 600 ns for each use and ranker, more of them the more actions a user has.
  package static func run(
    trace: Trace, rankers: [Contender], progress: (Progress) -> Void = { _ in }
  ) -> Report {
    let total = trace.useCount * rankers.count
    var done = 0
    var figures = Array(repeating: [UserFigures](), count: rankers.count)
    for user in trace.users {
      for (place, ranker) in rankers.enumerated() {
        figures[place].append(ranker.replay(user))
        done += user.uses.count
        progress(Progress(done: done, total: total))
      }
    }
    return Report(trace: trace, rows: zip(rankers, figures).map { Report.Row(name: $0.name, $1) })
  }
}
