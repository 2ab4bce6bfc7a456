import Testing

@testable import Ranking

@Suite("Who owns an action")
struct ActionRankingOwnersTests {
  @Test(
    "the longest app that begins the type with a dot after it owns an action, else its type up to the last dot",
    arguments: [
      ("a.b.c.d", "a.b"), ("a.b.c", "a.b"), ("a.b", "a"), ("a.b#c.d", "a"), ("a.bc.d", "a"), ("ab.c", "ab"),
      ("a", "default"),
      ("a.b.#x", "a.b"), ("x.y.z.w", "x.y.z"), ("a#a.b.c", "default"), ("z.y.x", "z.y"), ("z.y.", "z.y"),
    ])
  func owners(id: String, owner: String) {
    var ranking = ActionRanking()
    _ = ranking.own("a", "a.b", "a.b.c.d", "ab.c.x", "a.b", "z.y.x")
    ranking.count(id)
    #expect(ranking.appIDs == [owner])
    ranking.count(id, app: owner)
    #expect(ranking.actionCount == 1)
  }

  @Test("an action whose app nobody named moves with all that is known of it")
  func moves() {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    ranking.count("a.b.x", uses: 2, at: -3 * hour)
    ranking.count("a.b.x", uses: 3)
    ranking.count("a.b.y", app: "a.b")
    _ = ranking.takeChanges()
    let before = ranking.state(0)
    #expect(ranking.own("a") == ["a.b.x a.b a"])
    let changes = ranking.changes()
    #expect(changes.apps == ["a", "a.b"] && changes.top && changes.gone == [])
    #expect(ranking.ids(ofApp: "a") == ["a.b.x"] && ranking.ids(ofApp: "a.b") == ["a.b.y"])
    var expected = before
    expected.app = Array("a".utf8)
    // As many uses of its app ago as before.
    expected.adaptive?.step = ranking.state(ofApp: 1).steps &- 2
    #expect(ranking.state(0) == expected)
    #expect(ranking.takeUncommitted().hours.map(\.uses).sorted() == [1, 2, 3])
    ranking.checkInvariants()
    // The one that was named is foreign now, and found by its app only.
    ranking.count("a.b.y")
    ranking.count("a.b.y", app: "a.b")
    #expect(ranking.find("a.b.y") == 2 && ranking.find("a.b.y", app: "a.b") == 1)
  }

  @Test("an action that was stored moves to be stored anew, the last of an app leaves it gone")
  func storedAnew() {
    var ranking = ActionRanking()
    ranking.count("a.b.x")
    _ = (ranking.takeUncommitted(), ranking.takeChanges())
    #expect(ranking.own("a") == ["a.b.x a.b a"])
    let (uses, changes) = (ranking.takeUncommitted(), ranking.changes())
    #expect(uses.actions == [0] && uses.hours.isEmpty && changes.gone == ["a.b"] && changes.apps == ["a"])
    #expect(ranking.own("a").isEmpty)
  }

  @Test("two that fall on one become one, which has the uses of both, and those of a commit that fails")
  func merges() {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    ranking.count("a.b.x", app: "a", uses: 4, at: -3 * hour)
    ranking.count("a.b.x", uses: 2, at: -2 * hour)
    ranking.count("a.b.x", uses: 1, at: -2 * hour)
    let flight = ranking.takeUncommitted()
    ranking.count("a.b.x", uses: 8)
    ranking.count("a.b.x", app: "a", uses: 16)
    ranking.count("a.b.x", app: "a", uses: 1, at: -9 * hour)
    #expect(ranking.own("a") == ["a.b.x a.b a"])
    ranking.giveBack(flight)
    let isPresent = ranking.isPresent(1)
    #expect(!isPresent && ranking.find("a.b.x") == 0 && ranking.find("a.b.x", app: "a") == 0)
    let state = ranking.state(0)
    #expect(state.uses == 32 && state.firstUsed == today - 9 * hour && state.isAppNamed == true)
    #expect(state.lastUse.wall == today && state.lastArrival == 5)
    let uses = ranking.takeUncommitted()
    #expect(uses.actions == [0])
    #expect(
      Dictionary(grouping: uses.hours, by: \.hour).mapValues { $0.reduce(0) { $0 + $1.uses } } == [
        today / hour: 24, today / hour - 2: 3, today / hour - 3: 4, today / hour - 9: 1,
      ])
    ranking.refreshLists()
    ranking.checkInvariants()
    #expect(ranking.ids(ofApp: "a") == ["a.b.x"] && ranking.appIDs == ["a"])
  }

  @Test("a move to an app with another half-life goes on from the scores of that moment")
  func movesBetweenHalfLives() {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: 4 * hour))
    let app = ranking.insertApp(Array("a".utf8))
    ranking.setKept(true, app: app)
    ranking.setHalfLife(HalfLife(nanoseconds: hour), ofApp: app, at: 0)
    ranking.count("a.b.x", uses: 8)
    _ = ranking.own("a", at: 4 * hour)
    #expect(ranking.report(0, at: 4 * hour).score == 4 && ranking.report(0, at: 6 * hour).score == 1)
    #expect(ranking.report(0, at: 8 * hour).commonScore == 2)
    _ = ranking.own(at: 6 * hour)
    #expect(ranking.report(0, at: 8 * hour).score == 2 && ranking.state(0).ownScore == nil)
  }
}
