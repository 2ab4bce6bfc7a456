import Testing

@testable import Ranking

@Suite("What an action takes part in")
struct ActionRankingStandingTests {
  @Test("an action that is kept without uses comes after all that were used, by its id, and never into the top list")
  func unused() {
    var ranking = ActionRanking()
    for id in ["a.d", "a.c"] { ranking.insert(id, [.inApp, .inTop, .kept]) }
    ranking.count("a.x", at: -year)
    #expect(ranking.ids(ofApp: "a") == ["a.x", "a.c", "a.d"])
    #expect(ranking.ranking(ofApp: 0, at: 0).map(\.lastUsed) == [today - year, nil, nil])
    #expect(ranking.ranking(at: 0).count == 1)
    ranking.count("a.d")
    #expect(ranking.ids(ofApp: "a") == ["a.d", "a.x", "a.c"])
    #expect(ranking.ranking(at: 0).count == 2)
    ranking.checkInvariants()
  }

  @Test("an action that appears by being used gets the default standing")
  func defaults() {
    var ranking = ActionRanking()
    ranking.defaultStanding = .inTop
    ranking.count("a.x")
    #expect(ranking.ids(ofApp: "a") == [] && ranking.ranking(at: 0).count == 1)
    ranking.defaultStanding = .inApp
    ranking.count("a.x")
    ranking.count("a.y")
    #expect(ranking.ids(ofApp: "a") == ["a.y"] && ranking.ranking(at: 0).count == 1)
  }

  @Test("an action that is inserted stands nowhere, is there once, and is not stored before it is used")
  func inserts() {
    var ranking = ActionRanking()
    let number = ranking.insert(Array("a.x".utf8), app: nil)
    let again = ranking.insert(Array("a.x".utf8), app: Array("a".utf8))
    #expect(number == again && ranking.standing(of: number) == .kept && ranking.actionCount == 1)
    #expect(ranking.ids(ofApp: "a") == [])
    ranking.markAllUncommitted()
    let isStored = ranking.hasUncommitted
    #expect(!isStored)
    ranking.count("a.x")
    #expect(ranking.takeUncommitted().actions == [number] && ranking.ids(ofApp: "a") == [])
  }

  @Test("who loses its standing leaves the lists to the next best, and comes back with it")
  func losesStanding() {
    var ranking = ActionRanking(limit: 1)
    ranking.count("a.x", uses: 3)
    ranking.count("a.y", uses: 2)
    ranking.count("b.z")
    _ = ranking.takeChanges()
    ranking.setStanding([], of: "a.x")
    ranking.count("a.y", uses: 1, at: -year)
    let changes = ranking.changes()
    #expect(changes.apps == ["a"] && changes.top && changes.gone == [])
    #expect(ranking.ids(ofApp: "a") == ["a.y"] && ranking.ranking(at: 0).map(\.uses) == [3])
    ranking.setStanding(.inApp, of: "a.x")
    let again = ranking.changes()
    #expect(again.apps == ["a"] && !again.top)
    #expect(ranking.ids(ofApp: "a") == ["a.x"])
    // Standing that makes no difference to a list changes none.
    ranking.setStanding([.inApp, .kept], of: "a.x")
    ranking.setStanding([.kept], of: "a.y")
    let silent = ranking.changes()
    #expect(silent.apps == [] && silent.top)
  }

  @Test("an action without uses is gone once it is not kept, one with uses stays")
  func losesKeeping() {
    var ranking = ActionRanking()
    for id in ["a.x", "a.y"] { ranking.insert(id, [.inApp, .kept]) }
    ranking.count("a.y")
    for id in ["a.x", "a.y"] { ranking.setStanding(.inApp, of: id) }
    _ = ranking.takeChanges()
    #expect(ranking.find("a.x") == nil && ranking.actionCount == 1)
    #expect(ranking.ids(ofApp: "a") == ["a.y"])
  }

  @Test("a use of what is blocked changes nothing at all", arguments: [true, false])
  func blocks(wholeApp: Bool) {
    var ranking = ActionRanking()
    let number = ranking.insert("a.x", [.inApp, .kept, .blocked])
    ranking.setBlocked(wholeApp, app: 0)
    if wholeApp { ranking.setStanding([.inApp, .kept], of: number) }
    _ = ranking.takeChanges()
    var isCounted = [ranking.count("a.x"), ranking.count("a.x", app: "a")]
    if wholeApp { isCounted += [ranking.count("a.new"), ranking.count("b.new", app: "a")] }
    #expect(isCounted.allSatisfy { !$0 })
    let (changes, isStored) = (ranking.changes(), ranking.hasUncommitted)
    #expect(changes.apps == [] && !changes.top && !isStored)
    #expect(ranking.arrivals == 0 && ranking.actionCount == 1 && ranking.appCount == 1)
    #expect(!ranking.report(number, at: 0).isAppNamed)
    ranking.setBlocked(false, app: 0)
    ranking.setStanding([.inApp, .kept], of: number)
    let countsAgain = ranking.count("a.x")
    #expect(countsAgain && ranking.arrivals == 1)
    // Another app's action of that id is another action.
    ranking.setBlocked(true, app: 0)
    let countsOther = ranking.count("a.x", app: "b")
    #expect(countsOther)
  }

  @Test("a list that is stale is made anew when it is read")
  func staleList() {
    var ranking = ActionRanking()
    ranking.count("a.x")
    ranking.remove(0)
    ranking.count("a.y")
    #expect(ranking.ranking(at: 0).map(\.number) == [1] && ranking.ids(ofApp: "a") == ["a.y"])
  }
}
