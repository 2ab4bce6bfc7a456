import Testing

@testable import Ranking

@Suite("Hits of what is published")
struct PublishedHitsTests {
  @Test("each use after the first publishing is a hit or a miss, by day, but for those long dated back")
  func counts() {
    var ranking = ActionRanking(halfLife: .week, limit: 2, seed: (1, 2))
    ranking.begin(hourOf: today)
    for id in ["a.x", "a.y"] { ranking.count(id) }
    #expect(ranking.hits(ofApp: 0).published == PublishedHits())
    ranking.setPublished([0, 1], ofApp: 0)
    for id in ["a.x", "a.new", "a.y"] { ranking.count(id, uses: 3) }
    let late = UseTime(clientTime: today - 10 * second, now: Moment(decay: 0, wall: today))
    _ = Array("a.x".utf8).withUnsafeBytes { ranking.count($0, app: nil, uses: 1, at: late) }
    var hits = ranking.hits(ofApp: 0).published
    #expect(hits.trials == 3 && hits.hits == 2 && hits.changes == 0 && hits.today.day == today / day)
    #expect(hits.rate.map { abs($0 - 2 / 3) < 0.01 } == true)
    ranking.setPublished([0, 2], ofApp: 0)
    ranking.setPublished([0, 2], ofApp: 0)
    ranking.remove(2)
    ranking.count("a.y", at: day)
    hits = ranking.hits(ofApp: 0).published
    #expect(hits.trials == 4 && hits.hits == 2 && hits.changes == 1)
    #expect(hits.today.day == today / day + 1 && hits.today.trials == 1)
    let days = ranking.takeFinishedDays()
    #expect(days.map(\.hits.trials) == [3] && days.map(\.hits.changes) == [1])
    let none = ranking.takeFinishedDays()
    #expect(none.isEmpty)
    ranking.giveBackFinishedDays(days)
    #expect(ranking.takeFinishedDays() == days)
    ranking.checkInvariants()
  }

  @Test("what is stored of an app comes back, published days and all")
  func restored() {
    var ranking = ActionRanking(halfLife: .week, limit: 2, seed: (1, 2))
    ranking.begin(hourOf: today)
    ranking.count("a.x")
    ranking.setPublished([0], ofApp: 0)
    for _ in 0..<5 { ranking.count("a.x") }
    #expect(ranking.takeUncommittedApps() == [0])
    #expect(ranking.takeUncommittedApps() == [])
    ranking.giveBackApps([0])
    #expect(ranking.takeUncommittedApps() == [0])
    var other = AdaptiveTests.restarted(ranking, at: 0)
    #expect(other.hits(ofApp: 0) == ranking.hits(ofApp: 0) && other.hits(ofApp: 0).published.hits == 5)
    // Nothing is published again before the publisher says so, and that is no change.
    other.count("a.x")
    other.setPublished([0], ofApp: 0)
    #expect(other.hits(ofApp: 0).published.trials == 5 && other.hits(ofApp: 0).published.changes == 0)
  }

  @Test("an app that stays without uses begins anew once its hits are forgotten, days that wait to be stored included")
  func forgotten() {
    var ranking = ActionRanking(halfLife: .week, limit: 2, seed: (1, 2))
    var fresh = ActionRanking(halfLife: .week, limit: 2, seed: (1, 2))
    ranking.begin(hourOf: today)
    ranking.setKept(true, app: ranking.insertApp(Array("a".utf8)))
    for step in 0..<40 {
      ranking.count("a.x\(step / 8)", at: Int64(step / 20) * day)
      ranking.setPublished([0], ofApp: 0)
    }
    #expect(ranking.decay(ofApp: 0) != .power)
    _ = ranking.forget(ranking.members(ofApp: 0))
    ranking.forgetHits(ofApps: [0])
    ranking.refreshLists()
    ranking.checkInvariants()
    #expect(ranking.hits(ofApp: 0) == AppHits() && ranking.takeFinishedDays() == [])
    _ = fresh.insertApp(Array("a".utf8))
    #expect(ranking.state(ofApp: 0) == fresh.state(ofApp: 0))
    for id in ["a.x", "a.y", "a.x"] { ranking.count(id) }
    #expect(ranking.state(ofApp: 0).steps == 3)
    ranking.checkInvariants()
  }
}
