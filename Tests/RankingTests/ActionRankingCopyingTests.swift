import TestSupport
import Testing

@testable import Ranking

@Suite("What a commit contains is what there was when it began")
struct ActionRankingCopyingTests {
  private static let apps = 12

  @Test("however much is used, published, dated back and removed while it is copied", arguments: 0..<6)
  func copiesOneMoment(run: Int) {
    var random = SeededRandom()
    var ranking = ActionRanking(halfLife: .week, limit: 3, seed: (1, 2))
    var now: Int64 = 0
    var touched = 0
    ranking.begin(hourOf: today)
    for round in 0..<12 {
      for _ in 0..<300 { change(&ranking, &now, &random) }
      let frozen = FrozenState(freezing: &ranking)
      var (copied, hasMore) = (FrozenState(), true)
      var uses = UncommittedUses()
      while hasMore {
        hasMore = ranking.copyFrozen(atMost: Int.random(in: 0...30, using: &random))
        for _ in 0..<(hasMore ? 20 : 0) { change(&ranking, &now, &random) }
        let copies = ranking.takeCopies()
        copied.add(copies)
        uses.add(copies)
        touched += 1
      }
      ranking.checkInvariants()
      copied.add(ranking.takeCopies())
      #expect(frozen.differences(from: copied) == [], "seed \(random.seed), round \(round)")
      if random.oneIn(3) {
        ranking.giveBack(uses)
        ranking.giveBackApps(Array(copied.apps.keys))
      }
      ranking.recycleNumbers()
    }
    #expect(touched > 30)
  }

  private func change(_ ranking: inout ActionRanking, _ now: inout Int64, _ random: inout SeededRandom) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0:
      // From one hour into others, and back at times.
      now += Int64.random(in: 0...hour, using: &random)
      ranking.begin(hourOf: today + now - (random.oneIn(5) ? hour : 0))
    case 1...3:
      guard let number = ranking.actionNumbers.randomElement(using: &random) else { return }
      ranking.remove(number)
    case 4...8:
      guard let app = ranking.appNumbers.randomElement(using: &random) else { return }
      ranking.refreshLists()
      let best = ranking.ranking(ofApp: app, at: now).map(\.number)
      ranking.setPublished(best.filter { _ in !random.oneIn(4) }, ofApp: app)
    case 9:
      guard let number = ranking.actionNumbers.first else { return }
      ranking.setStanding(random.oneIn(2) ? [.inTop] : [.inApp, .inTop], of: number)
    default:
      let app = Int.random(in: 0..<Self.apps, using: &random)
      let id = "a\(app).x\(Int.random(in: 0..<25, using: &random))"
      let time = random.oneIn(10) ? now - Int64.random(in: 0...5 * hour, using: &random) : now
      ranking.count(id, app: random.oneIn(9) ? "b" : nil, uses: 1, at: time)
    }
  }

  @Test("copying changes nothing of what is counted, and an hour that begins leaves uses of the one before in it")
  func hours() {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    for id in ["a.x", "a.y", "a.z"] { ranking.count(id, uses: 2) }
    ranking.begin(hourOf: today + hour)
    ranking.count("a.x", uses: 3, at: hour)
    let frozen = FrozenState(freezing: &ranking)
    // Used before its row is copied, in a third hour.
    ranking.begin(hourOf: today + 2 * hour)
    ranking.count("a.y", uses: 4, at: 2 * hour)
    while ranking.copyFrozen(atMost: 1) {}
    var copied = FrozenState()
    copied.add(ranking.takeCopies())
    let first = today / hour
    #expect(frozen.differences(from: copied) == [])
    #expect(
      copied.hours == [["a", "a.x"]: [first: 2, first + 1: 3], ["a", "a.y"]: [first: 2], ["a", "a.z"]: [first: 2]])
    #expect(copied.actions[["a", "a.y"]]?.uses == 2 && ranking.state(1).uses == 6)
    let rest = FrozenState(freezing: &ranking)
    #expect(rest.hours == [["a", "a.y"]: [first + 2: 4]] && rest.actions[["a", "a.y"]]?.uses == 6)
  }

  @Test("what was copied early, as it was used, is passed over in steps as small as any")
  func stepsOverCopied() {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    for number in 0..<100 { ranking.count("a.x\(number)", uses: 1) }
    ranking.freeze()
    for number in 0..<100 { ranking.count("a.x\(number)", uses: 1, at: 1) }
    #expect(ranking.takeCopies().changes.values.count == 100)
    var steps = 0
    while ranking.copyFrozen(atMost: 10) { steps += 1 }
    #expect(steps >= 10 && ranking.takeCopies().changes.isEmpty)
  }
}
