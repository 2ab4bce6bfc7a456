import Synchronization

/// The users and rankers of an evaluation, which threads take one by one.
final class ReplayQueue: Sendable {
  private struct State {
    var next = 0
    /// Uses that were replayed.
    var done = 0
    /// By user, and for each by ranker.
    var figures: [UserFigures]
  }

  private let users: [Trace.User]
  private let rankers: [Contender]
  private let total: Int
  private let state: Mutex<State>

  init(_ trace: Trace, _ rankers: [Contender]) {
    (users, self.rankers) = (trace.users, rankers)
    total = trace.useCount * rankers.count
    state = Mutex(State(figures: Array(repeating: UserFigures(), count: users.count * rankers.count)))
  }

  /// By user, and for each by ranker; empty ones where nobody has been yet.
  var figures: [UserFigures] { state.withLock { $0.figures } }

  /// Tries rankers until all are taken, and tells after each how far everybody has come.
  func work(_ progress: (Evaluation.Progress) -> Void) {
    while let place = take() {
      let user = users[place / rankers.count]
      let figures = rankers[place % rankers.count].replay(user)
      let done = state.withLock { state in
        state.figures[place] = figures
        state.done += user.uses.count
        return state.done
      }
      progress(Evaluation.Progress(done: done, total: total))
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < state.figures.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }
}
