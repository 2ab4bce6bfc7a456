import Testing

@testable import Ranking

@Suite("Apps with a half-life and limit of their own")
struct ActionRankingAppsTests {
  @Test("an app's list goes by its own half-life, the list over all apps by the common one")
  func ownHalfLife() {
    var ranking = ActionRanking(halfLife: .week)
    ranking.count("b.z", uses: 3)
    let app = ranking.insertApp(Array("a".utf8))
    ranking.setHalfLife(HalfLife(nanoseconds: hour), ofApp: app, at: 0)
    ranking.count("a.old", uses: 8, at: 0)
    ranking.count("a.new", uses: 1, at: 4 * hour)
    #expect(ranking.ids(ofApp: "a") == ["a.new", "a.old"])
    #expect(ranking.ranking(ofApp: app, at: 4 * hour).map(\.score) == [1, 0.5])
    #expect(ranking.ranking(at: 0).map(\.uses) == [8, 3, 1])
    // Another common half-life, and its limit, leave that alone.
    ranking.setLimit(1, ofApp: app)
    ranking.change(halfLife: .second, limit: 2, at: 4 * hour)
    #expect(ranking.ids(ofApp: "a") == ["a.new"] && ranking.listHalfLife(ofApp: app)?.nanoseconds == hour)
    #expect(ranking.ranking(ofApp: app, at: 5 * hour).map(\.score) == [0.5])
    ranking.setLimit(nil, ofApp: app)
    ranking.refreshLists()
    #expect(ranking.ids(ofApp: "a").count == 2)
    ranking.checkInvariants()
  }

  @Test("a half-life of its own starts from the scores of the moment, another one too; the common one went on")
  func changesOwnHalfLife() {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: 2 * hour))
    ranking.count("a.x", uses: 8)
    _ = (ranking.takeUncommitted(), ranking.takeChanges())
    func score(at time: Int64) -> Double { ranking.report(0, at: time).score }
    ranking.setHalfLife(HalfLife(nanoseconds: hour), ofApp: 0, at: 2 * hour)
    #expect(score(at: 2 * hour) == 4 && score(at: 3 * hour) == 2)
    let changes = ranking.changes()
    #expect(changes.apps == ["a"] && !changes.top && ranking.takeUncommitted().actions == [0])
    ranking.setHalfLife(HalfLife(nanoseconds: 4 * hour), ofApp: 0, at: 3 * hour)
    #expect(score(at: 7 * hour) == 1)
    ranking.setHalfLife(nil, ofApp: 0, at: 7 * hour)
    #expect(score(at: 8 * hour) == 0.5 && ranking.report(0, at: 8 * hour).commonScore == 0.5)
  }

  @Test("a limit that shows as much as before changes nothing")
  func sameLimit() {
    var ranking = ActionRanking(limit: 4)
    ranking.count("a.x")
    _ = ranking.takeChanges()
    ranking.setLimit(4, ofApp: 0)
    ranking.setHalfLife(nil, ofApp: 0, at: 0)
    #expect(ranking.changes().apps == [])
    ranking.setLimit(20, ofApp: 0)
    #expect(ranking.changes().apps == ["a"])
  }
}
