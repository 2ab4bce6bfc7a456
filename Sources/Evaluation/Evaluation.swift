import Posix

/// Tries rankers on a trace: each ranks before every use, and counts the use afterwards.
package enum Evaluation {
  /// How far an evaluation has come.
  package struct Progress: Equatable, Sendable {
    /// Uses replayed so far, those of each ranker added up.
    package let done: Int
    /// What that is to become.
    package let total: Int
  }

  /// Tries all rankers on all users, each with a state of its own, on this thread and one more.
  ///
  /// - Parameters:
  ///   - rankers: who takes part.
  ///   - progress: told on this thread, after each user and ranker that it has tried.
  /// - Complexity: some 100 to 600 ns for each use and ranker, more of them the more actions a user has.
  package static func run(
    trace: Trace, rankers: [Contender], progress: (Progress) -> Void = { _ in }
  ) -> Report {
    let queue = ReplayQueue(trace, rankers)
    // If no thread can be had this one does it alone.
    let helper = try? Thread { queue.work { _ in } }
    queue.work(progress)
    helper?.join()
    let figures = queue.figures
    let rows = rankers.enumerated().map { place, ranker in
      Report.Row(name: ranker.name, trace.users.indices.map { figures[$0 * rankers.count + place] })
    }
    return Report(trace: trace, rows: rows)
  }
}
