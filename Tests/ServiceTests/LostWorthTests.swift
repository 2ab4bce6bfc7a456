import Ranking
import Storage
import Testing

@testable import Service

@Suite struct LostWorthTests {
  @Test("What purges have lost is stored and read again")
  func totals() {
    var state = LostWorthState()
    (state.purges, state.purged) = (3, 70_000)
    state.bounds = [0.1, 2.5, .leastNonzeroMagnitude, 1e300, 0, 1, 7.25, 3, .greatestFiniteMagnitude]
    // Stored totals are below 2^63.
    #expect(state.totals.allSatisfy { $0.value <= Int64.max })
    #expect(LostWorthState(totals: state.totals + [("accepted", 5)]) == state)
    #expect(LostWorthState(totals: [("accepted", 5)]) == LostWorthState())
  }

  @Test("An app's row holds what its actions may have lost; one of before, or cut short there, has lost nothing")
  func app() throws {
    var state = AppState(
      app: [97], steps: 9, rates: [1, 2], decayInForce: 3, limit: 4, hits: AppHits())
    let short = AppRow(state).state.count
    state.loss.uses = [1, 2, 3, 4.5, 0]
    state.loss.own = OwnScore(halfLife: 7, score: DecayedCount(value: 1.5, landmark: -3))
    var row = AppRow(state)
    #expect(AppState(row) == state)
    // Without the part that says it: a count of none, and three numbers of 8 bytes.
    row.state.removeLast(row.state.count - (short - 25))
    let read = try #require(AppState(row))
    #expect(read.loss == AppLoss() && read.steps == 9)
  }

  @Test("What is gone is dropped in the order of what was done; of too many, all that is there is asked for")
  func uncommitted() {
    var uncommitted = Registry.Uncommitted()
    let names = GoneNames(actions: (0..<3).map { ActionName(app: [97], action: [$0]) })
    uncommitted.drop(GoneNames(), most: 7)
    #expect(uncommitted.isEmpty)
    uncommitted.drop(names, most: 7)
    uncommitted.edit(.moveAction(action: [1], from: [97], to: [98]))
    uncommitted.drop(names, most: 7)
    #expect(uncommitted.edits.count == 3 && uncommitted.edits.last == .drop(names) && !uncommitted.sweeps)
    #expect(uncommitted.leavesTraces)
    uncommitted.drop(names, most: 7)
    #expect(uncommitted.edits.count == 3 && uncommitted.sweeps)
    #expect(uncommitted.followed(by: Registry.Uncommitted()).sweeps)
    var others = Registry.Uncommitted()
    others.drop(names, most: 7)
    #expect(!others.leavesTraces && !others.isEmpty)
  }
}
