import Testing

@testable import Ranking

@Suite("Actions and apps that go")
struct ActionRankingRemovalTests {
  @Test("a removed action leaves nothing: no row, no count, nothing to store, and its app goes with it")
  func removes() {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    for id in ["a.x", "b.y"] { ranking.count(id, at: -5 * hour) }
    for id in ["a.x", "b.y"] { ranking.count(id) }
    _ = ranking.takeChanges()
    ranking.remove(0)
    #expect(ranking.find("a.x") == nil && ranking.findApp(Array("a".utf8)) == nil)
    let isPresent = [ranking.isPresent(0), ranking.isPresent(1), ranking.isPresent(7), ranking.isPresent(app: 0)]
    #expect(isPresent == [false, true, false, false])
    #expect(ranking.actionCount == 1 && ranking.actionSlots == 2 && ranking.appCount == 1 && ranking.appSlots == 2)
    let (changes, uses) = (ranking.changes(), ranking.takeUncommitted())
    #expect(changes.apps == [] && changes.top && changes.gone == ["a"])
    #expect(uses.actions == [1] && uses.hours.allSatisfy { $0.action == 1 } && uses.hours.count == 2)
    #expect(ranking.ranking(at: 0).map(\.number) == [1])
    ranking.count("a.x")
    #expect(ranking.find("a.x") == 2 && ranking.ranking(at: 0).map(\.uses) == [2, 1])
  }

  @Test("only what was removed is left to store: then there is nothing")
  func nothingToStore() {
    var ranking = ActionRanking()
    ranking.count("a.x", at: -5 * hour)
    ranking.remove(0)
    let isStored = ranking.hasUncommitted
    #expect(!isStored)
    ranking.recycleNumbers()
    ranking.insert("a.y", [.kept])
    let uses = ranking.takeUncommitted()
    #expect(uses.actions.isEmpty && uses.hours.isEmpty)
  }

  @Test("a number is used again only once it was recycled, and what a failed commit gives back of it is dropped")
  func recycles() {
    var ranking = ActionRanking()
    ranking.count("a.x", uses: 5)
    let uses = ranking.takeUncommitted()
    ranking.remove(0)
    ranking.count("a.y")
    #expect(ranking.find("a.y") == 1)
    ranking.giveBack(uses)
    ranking.recycleNumbers()
    ranking.count("a.z")
    ranking.refreshLists()
    #expect(ranking.find("a.z") == 0 && ranking.ranking(at: 0).map(\.uses) == [1, 1])
    let rest = ranking.takeUncommitted()
    #expect(rest.actions.sorted() == [0, 1] && rest.hours.map(\.uses) == [1, 1])
    ranking.checkInvariants()
  }

  @Test("an app that is kept stays without actions, and is gone when it is kept no more")
  func keptApp() {
    var ranking = ActionRanking()
    let app = ranking.insertApp(Array("a".utf8))
    ranking.setKept(true, app: app)
    ranking.count("a.x")
    _ = ranking.takeChanges()
    ranking.removeAll()
    let emptied = ranking.changes()
    #expect(emptied.apps == ["a"] && emptied.gone == [] && ranking.appCount == 1)
    #expect(ranking.ranking(ofApp: app, at: 0).isEmpty && ranking.actionCount == 0)
    ranking.setKept(false, app: app)
    let gone = ranking.changes()
    #expect(gone.apps == [] && gone.gone == ["a"] && ranking.appCount == 0)
  }

  @Test("an app that went and came back is gone first and changed after that, under its old number or another")
  func comesBack() {
    for recycles in [true, false] {
      var ranking = ActionRanking()
      ranking.count("a.x")
      _ = ranking.takeChanges()
      ranking.remove(0)
      if recycles { ranking.recycleNumbers() }
      ranking.count("b.x")
      ranking.count("a.x")
      let changes = ranking.changes()
      #expect(changes.apps == ["a", "b"] && changes.gone == ["a"])
      #expect(ranking.findApp(Array("b".utf8)) == (recycles ? 0 : 1))
    }
  }

  @Test("the settings of an app that went do not come back with its number")
  func settingsGo() {
    var ranking = ActionRanking()
    ranking.count("a.x")
    ranking.setBlocked(true, app: 0)
    ranking.setLimit(1, ofApp: 0)
    ranking.setHalfLife(.second, ofApp: 0, at: 0)
    ranking.remove(0)
    ranking.recycleNumbers()
    for id in ["b.x", "b.y"] {
      let isCounted = ranking.count(id)
      #expect(isCounted)
    }
    ranking.refreshLists()
    #expect(ranking.findApp(Array("b".utf8)) == 0 && ranking.ids(ofApp: "b").count == 2)
    #expect(ranking.listHalfLife(ofApp: 0) == .week && ranking.state(0).ownScore == nil)
  }

  @Test("an app whose last action stands in no list any more stays, its list empty")
  func emptyList() {
    var ranking = ActionRanking()
    ranking.count("a.x")
    ranking.setStanding(.inTop, of: "a.x")
    let changes = ranking.changes()
    #expect(changes.apps == ["a"] && changes.gone == [] && ranking.ids(ofApp: "a") == [])
  }
}
