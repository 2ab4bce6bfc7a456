import Ranking
import Storage

/// Takes the stored state over into a ledger while it is read.
final class StateLoading: StateReceiver {
  private let progressReport: StartProgress
  private let makeLedger: (StoredState) -> Ledger
  private var loaded: (ledger: Ledger, stored: StoredState)?
  private var actions = 0

  /// - Parameter makeLedger: makes a ledger that goes on from a state, but for its actions.
  init(progress: StartProgress, makeLedger: @escaping (StoredState) -> Ledger) {
    progressReport = progress
    self.makeLedger = makeLedger
    progressReport.tell("reading the state")
  }

  func begin(_ state: StoredState, actionCount: Int) {
    let ledger = makeLedger(state)
    ledger.ranking.reserve(actions: actionCount, apps: state.apps.count)
    loaded = (ledger, state)
    actions = 0
  }

  func expect(_ action: UnsafeRawBufferPointer) { unsafe loaded?.ledger.ranking.expect(action) }

  func receive(_ action: StoredAction) {
    actions += 1
    unsafe _ = loaded?.ledger.ranking.restore(action.action, app: action.app, action.values)
  }

  func progress() {
    progressReport.tell(loaded == nil ? "checking the state" : "read \(actions) actions of the state")
  }

  /// What was taken over, with lists: once, when the state is open.
  func finish() -> (ledger: Ledger, stored: StoredState) {
    guard let (ledger, stored) = loaded else { preconditionFailure("a state that is open was received") }
    progressReport.tell("ranking \(actions) actions")
    ledger.finishRestoring(stored)
    return (ledger, stored)
  }
}
