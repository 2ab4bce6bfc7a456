import Testing

@testable import Ranking

@Suite("UseHistory's bound")
struct UseHistoryBoundTests {
  @Test("uses dated into ever more hours are held in bounded memory, and none of them is lost to its action")
  func isBounded() {
    var ranking = ActionRanking(halfLife: .week, limit: 4, seed: (1, 2))
    let now = Moment(decay: 100 * year, wall: today)
    ranking.begin(hourOf: now.wall)
    (ranking.history.manyHours, ranking.history.mostHours) = (50, 1000)
    let (actions, hours) = (17, 60)
    for action in 0..<actions {
      let id = Array("a.b\(action)".utf8)
      for past in 1...hours {
        let time = UseTime(clientTime: today - Int64(past) * hour, now: now)
        _ = id.withUnsafeBytes { ranking.count($0, app: nil, uses: 1, at: time) }
        if action == 0, past == 50 - 1 || past == 50 {
          let isTime = ranking.hasManyHours
          #expect(isTime == (past == 50))
        }
      }
    }
    let all = UInt64(actions * hours)
    let taken = ranking.takeUncommitted()
    let (without, wantsMore) = (ranking.usesWithoutHour, ranking.hasManyHours)
    #expect(taken.hours.count == 1000)
    #expect(without == all - UInt64(1000))
    #expect(taken.actions.reduce(0) { $0 + ranking.state($1).uses } == all)
    #expect(!wantsMore)
    ranking.giveBack(taken)
    let wantsThem = ranking.hasManyHours
    #expect(wantsThem)
  }
}
