import Testing

@testable import Ranking

@Suite("Looking at actions")
struct ActionRankingLookingTests {
  @Test("more than a list holds is found, in its order, and none that may not stand in it")
  func best() {
    var ranking = ActionRanking(limit: 1)
    for place in 0..<30 { ranking.count("a.x\(place)", uses: UInt32(place + 1)) }
    ranking.count("b.y", uses: 3)
    ranking.insert("a.kept", [.inApp, .inTop, .kept])
    ranking.setStanding(.inTop, of: "a.x29")
    let uses = { (rows: [RankedAction]) in rows.map(\.uses) }
    #expect(uses(ranking.best(3, ofApp: 0, at: 0)) == [29, 28, 27])
    #expect(uses(ranking.best(.max, ofApp: 0, at: 0)) == Array((0...29).reversed()))
    #expect(uses(ranking.best(2, ofApp: nil, at: 0)) == [30, 29])
    #expect(ranking.best(.max, ofApp: nil, at: 0).count == 31)
    #expect(ranking.best(0, ofApp: nil, at: 0).isEmpty && ranking.best(9, ofApp: 1, at: 0).count == 1)
  }

  @Test("a place says how many compete and who is right ahead")
  func place() {
    var ranking = ActionRanking(limit: 1)
    for place in 0..<4 { ranking.count("a.x\(place)", uses: UInt32(4 - place)) }
    ranking.setStanding(.inTop, of: "a.x1")
    #expect(ranking.place(of: 0) == Place(place: 1, count: 3, ahead: nil))
    #expect(ranking.place(of: 1) == nil)
    #expect(ranking.place(of: 3) == Place(place: 3, count: 3, ahead: 2))
  }

  @Test("the first difference decides: score, later use, later arrival, id")
  func rules() {
    var ranking = ActionRanking()
    ranking.count("a.x", uses: 2, at: -7 * day)
    ranking.count("a.y")
    ranking.count("a.z")
    for id in ["a.v", "a.u"] { ranking.insert(id, [.kept, .inApp]) }
    ranking.count("a.t", uses: 9)
    let rules = [(5, 0), (1, 0), (2, 1), (4, 3)].map { ranking.rule(between: $0, and: $1, ofApp: 0) }
    #expect(rules == [.score, .laterUse, .laterArrival, .id])
  }

  @Test("reports and summaries tell of actions without uses, too")
  func reports() {
    var ranking = ActionRanking()
    ranking.insert("a.x", [.kept])
    ranking.count("b.y", app: "b", uses: 2)
    ranking.count("b.z", at: day)
    #expect(
      ranking.report(0, at: 0)
        == ActionReport(
          app: 0, score: 0, commonScore: 0, uses: 0, firstUsed: nil, lastUse: nil, lastArrival: 0, isAppNamed: false))
    #expect(
      ranking.report(1, at: 7 * day)
        == ActionReport(
          app: 1, score: 1, commonScore: 1, uses: 2, firstUsed: today, lastUse: Moment(decay: 0, wall: today),
          lastArrival: 1, isAppNamed: true
        ))
    #expect(ranking.members(ofApp: 0) == [0] && ranking.members(ofApp: 1) == [1, 2])
    let summary = ranking.appSummary()
    #expect(summary.map(\.number) == [0, 1] && summary.map(\.usedActions) == [0, 2] && summary.map(\.uses) == [0, 3])
    #expect(summary.map(\.lastUsed) == [nil, today + day])
  }
}
