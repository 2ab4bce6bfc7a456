import TestSupport
import Testing

@testable import Ranking

@Suite("What was stored comes back")
struct ActionRankingRestoringTests {
  private func state(
    _ id: String, app: String, uses: UInt64 = 4, isAppNamed: Bool? = nil, own: OwnScore? = nil
  ) -> ActionState {
    ActionState(
      app: Array(app.utf8), action: Array(id.utf8), score: DecayedCount(value: Double(uses), landmark: 0), uses: uses,
      firstUsed: today, lastUse: Moment(decay: 0, wall: today), lastArrival: uses, isAppNamed: isAppNamed, ownScore: own
    )
  }

  @Test("an older state tells by the app whether it was named")
  func olderState() {
    var ranking = ActionRanking()
    let areNew = [ranking.restore(state("a.x", app: "a")), ranking.restore(state("a.x", app: "b", uses: 2))]
    ranking.finishRestoring(arrivals: 4, at: 0)
    #expect(areNew == [true, true] && ranking.state(0).isAppNamed == false && ranking.state(1).isAppNamed == true)
    #expect(ranking.find("a.x") == 0 && ranking.find("a.x", app: "b") == 1)
  }

  @Test(
    "the apps that own may be set before or after: in the end everything is where it belongs", arguments: [true, false])
  func ownersBeforeOrAfter(isBefore: Bool) {
    var ranking = ActionRanking()
    if isBefore { _ = ranking.own("a") }
    // As they were counted while `a` owned what is named after it, and before it did.
    for row in [
      state("a.b.x", app: "a", uses: 8, isAppNamed: false), state("a.b.x", app: "a.b", uses: 7, isAppNamed: true),
      state("a.b.y", app: "a.b", uses: 6, isAppNamed: false), state("a.b.y", app: "a", uses: 5, isAppNamed: true),
      state("a.b.z", app: "a.b", uses: 4, isAppNamed: false), state("a.w", app: "a", uses: 3, isAppNamed: true),
    ] {
      let isNew = ranking.restore(row)
      #expect(isNew)
    }
    let moved = ranking.finishRestoring(arrivals: 9, at: 0).map { String(decoding: $0.action, as: UTF8.self) }
    if isBefore {
      #expect(moved == ["a.b.y", "a.b.z"])
    } else {
      #expect(moved.isEmpty && ranking.own("a") == ["a.b.y a.b a", "a.b.z a.b a"])
    }
    ranking.refreshLists()
    ranking.checkInvariants()
    #expect(ranking.ids(ofApp: "a") == ["a.b.y", "a.b.x", "a.b.z", "a.w"] && ranking.ids(ofApp: "a.b") == ["a.b.x"])
    #expect(ranking.ranking(at: 0).map(\.uses) == [11, 8, 7, 4])
    // All have to be stored anew, as nothing was known of their counters.
    #expect(ranking.takeUncommitted().actions.count == 6 - 1)
  }

  @Test("of two rows of one action the second is refused")
  func refusesSecond() {
    for flags in [(true, true), (true, false), (false, true), (false, false)] {
      var ranking = ActionRanking()
      let first = ranking.restore(state("a.x", app: "a", isAppNamed: flags.0))
      let second = ranking.restore(state("a.x", app: "a", uses: 9, isAppNamed: flags.1))
      let third = ranking.restore(state("a.x", app: "b", isAppNamed: false))
      ranking.finishRestoring(arrivals: 4, at: 0)
      #expect(first && !second && third == flags.0)
      #expect(ranking.find("a.x").map { ranking.state($0).uses } == 4)
    }
  }

  @Test("a score under an own half-life counts if the app has that very one, else it starts from the common score")
  func ownScores() {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: hour))
    let app = ranking.insertApp(Array("a".utf8))
    ranking.setHalfLife(HalfLife(nanoseconds: hour / 2), ofApp: app, at: 0)
    let own = OwnScore(halfLife: hour / 2, score: DecayedCount(value: 3, landmark: 0))
    let other = OwnScore(halfLife: hour / 3, score: DecayedCount(value: 3, landmark: 0))
    for (id, own) in [("a.x", own), ("a.y", other)] { _ = ranking.restore(state(id, app: "a", own: own)) }
    _ = ranking.restore(state("b.x", app: "b", own: own))
    ranking.finishRestoring(arrivals: 4, at: 2 * hour)
    #expect(ranking.state(0).ownScore == own && ranking.state(2).ownScore == nil)
    #expect(ranking.report(1, at: 2 * hour).score == 1 && ranking.report(1, at: 3 * hour).score == 0.25)
    #expect(ranking.takeUncommitted().actions.sorted() == [0, 1, 2])
    ranking.checkInvariants()
  }

  @Test("what was inserted before is filled with what was stored of it, and keeps its standing")
  func fillsInserted() {
    var ranking = ActionRanking()
    ranking.insert("a.x", [.kept, .inApp])
    let isNew = ranking.restored(state("a.x", app: "a"))
    #expect(isNew && ranking.actionCount == 1 && ranking.standing(of: 0) == [.kept, .inApp])
    #expect(ranking.ranking(ofApp: 0, at: 0).map(\.uses) == [4] && ranking.ranking(at: 0).isEmpty)
  }
}
