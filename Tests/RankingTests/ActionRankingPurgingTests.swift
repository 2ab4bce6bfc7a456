import TestSupport
import Testing

@testable import Ranking

@Suite struct ActionRankingPurgingTests {
  @Test(
    "No score is too high, and none too low by more than the bound, under each decay",
    arguments: 0..<4 as Range<UInt64>)
  func bound(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededRandom(seed: seed)
    let own = [(app: "own", halfLife: HalfLife(nanoseconds: 3 * hour))]
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: 5 * day), limit: 4, seed: (1, 2), method: .adaptive)
    _ = ranking.setOwningApps([], at: 0)
    ranking.setMaxActions(Int.random(in: 4...30, using: &random))
    // Sometimes apps are what there are too many of.
    if random.oneIn(2) { (ranking.mostApps, ranking.appsAtPurge) = (3, 3) }
    let app = ranking.insertApp(Array("own".utf8))
    ranking.setKept(true, app: app)
    ranking.setHalfLife(own[0].halfLife, ofApp: app, at: 0)
    var exact = ExactUses()
    var now: Int64 = 0
    for event in 0..<700 {
      now += random.magnitude(upTo: random.oneIn(20) ? 40 * day : hour)
      let pick = min(Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
      let app = ["own", "a", "b", "c", "d", "e"][pick]
      let id = "x.\(random.magnitude(upTo: 60))"
      let time = random.oneIn(5) ? now - random.magnitude(upTo: 3 * day) : now
      let uses = UInt32(random.magnitude(upTo: random.oneIn(10) ? 1000 : 3))
      ranking.count(id, app: app, uses: uses, at: time)
      exact.count(id, app: app, uses: uses, at: time)
      #expect(ranking.purgeableActions <= ranking.maxActions)
      if event % 97 == 96 {
        // As a commit does, which has stale lists made anew.
        _ = ranking.takeUncommitted()
        ranking = ranking.restarted(at: now, own: own)
      } else if event % 31 == 0 {
        _ = ranking.takeUncommitted()
        ranking.refreshLists()
      }
      if event % 23 == 0 { compare(ranking, exact, own[0].halfLife, at: now) }
      if event % 31 == 0 { ranking.checkInvariants() }
    }
    #expect(ranking.purges.times > 5)
  }

  private func compare(
    _ ranking: borrowing ActionRanking, _ exact: ExactUses, _ own: HalfLife, at now: Int64
  ) {
    for (app, id) in exact.names {
      for decay in Decay.allCases {
        let expected = exact.score(
          id, app: app, decay, at: now, fixed: app == "own" ? own : ranking.halfLife)
        let score = ranking.score(id, app: app, decay, at: now)
        let bound = ranking.bound(decay, app: app, at: now)
        // Counters have 24 bits, and 2^-126 is the least of them.
        let rounding = 1e-4 * (expected + bound) + 1e-30
        #expect(score <= expected + rounding, "\(app) \(id) \(decay.name)")
        #expect(expected - score <= bound + rounding, "\(app) \(id) \(decay.name)")
      }
    }
  }

  @Test("A purge takes the lowest quarter in the order of lists", arguments: 0..<6 as Range<UInt64>)
  func lowest(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededRandom(seed: seed)
    var ranking = ActionRanking(halfLife: .week)
    let most = Int.random(in: 1...500, using: &random)
    ranking.setMaxActions(most)
    var now: Int64 = 0
    while ranking.actionCount < most {
      now += random.magnitude(upTo: day)
      // Few times and weights, so that many are equal but for their arrival.
      ranking.count("x.\(random.magnitude(upTo: 2_000))", uses: UInt32(random.magnitude(upTo: 3)), at: now / day * day)
    }
    let order = ranking.actionNumbers.sorted { ranking.actions.precedes($0, $1, by: .common) }
    let survivors = order.prefix(most - max(1, most / 4)).map { ranking.name($0).id }
    #expect(ranking.purges == (0, 0) && ranking.maxError(ofApp: nil, at: now) == 0)
    ranking.count("y.new", at: now - 30 * day)
    #expect(Set(ranking.actionNumbers.map { ranking.name($0).id }) == Set(survivors + [Array("y.new".utf8)]))
    #expect(ranking.purges == (1, UInt64(max(1, most / 4))))
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }

  @Test("What is kept is never purged, and does not count")
  func kept() {
    var ranking = ActionRanking()
    ranking.setMaxActions(10)
    for number in 0..<30 { ranking.insert("kept.\(number)", number % 2 == 0 ? .kept : [.kept, .blocked]) }
    ranking.count("pinned.a")
    ranking.setStanding([.kept, .inApp, .inTop], of: "pinned.a")
    for number in 0..<1_000 {
      ranking.count("x.\(number)", uses: 100, at: Int64(number) * hour)
      #expect(ranking.actionCount <= 41)
    }
    #expect((0..<30).allSatisfy { ranking.find("kept.\($0)") != nil } && ranking.find("pinned.a") != nil)
    // Once it is not kept any more it counts, and is the lowest.
    ranking.setStanding([.inApp, .inTop], of: "pinned.a")
    for number in 0..<10 { ranking.count("y.\(number)", at: 1_000 * hour) }
    #expect(ranking.find("pinned.a") == nil)
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }

  @Test("Of many that come once the latest stay, and their numbers and apps are used again without a commit")
  func burst() {
    var ranking = ActionRanking()
    ranking.setMaxActions(10_000)
    let last = 60_000
    for number in 0...last {
      ranking.count("x.\(number)", app: "app\(number)")
      if number % 5_000 == 0 { _ = ranking.takeChanges() }
    }
    #expect(ranking.actionSlots <= 10_000 && ranking.appSlots <= 1_250)
    #expect(ranking.goneApps.count <= 1_250 && ranking.uncommittedApps.count <= 2 * 1_250 + 1_000)
    // Nothing of this was ever stored.
    #expect(ranking.takeGoneNames() == GoneNames())
    let kept = ranking.actionCount
    #expect((last - kept + 1...last).allSatisfy { ranking.find("x.\($0)", app: "app\($0)") != nil })
    // Whoever came first was lost first, with a single use.
    #expect(ranking.maxError(ofApp: nil, at: 0) == Double(ranking.purges.times))
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }

  @Test("Apps whose best action is lowest go, but for those with something that is kept")
  func apps() {
    var ranking = ActionRanking()
    ranking.setMaxActions(100)
    (ranking.mostApps, ranking.appsAtPurge) = (4, 4)
    for (app, uses) in [("low", 1), ("kept", 1), ("middle", 3), ("high", 9)] as [(String, UInt32)] {
      ranking.count("x.best", app: app, uses: uses)
      ranking.count("x.other", app: app)
    }
    ranking.setStanding([.kept, .inApp, .inTop], of: ranking.find("x.other", app: "kept") ?? 0)
    ranking.count("x.best", app: "new")
    #expect(Set(ranking.appIDs) == ["kept", "middle", "high", "new"])
    #expect(ranking.purges == (1, 2))
    ranking.count("x.third", app: "high")
    #expect(ranking.purges == (1, 2))
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }

  @Test("What is purged and may be stored is named; what comes back from a failed commit is not counted for others")
  func commits() throws {
    var ranking = ActionRanking()
    ranking.setMaxActions(4)
    ranking.begin(hourOf: today)
    for number in 0..<4 { ranking.count("x.\(number)", app: "a\(number)") }
    let taken = ranking.takeUncommitted()
    let apps = ranking.takeUncommittedApps()
    ranking.count("x.4", app: "a4")
    ranking.count("x.5", app: "a5")
    let gone = ranking.takeGoneNames()
    let names = ["0", "1"].map { ActionName(app: Array("a\($0)".utf8), action: Array("x.\($0)".utf8)) }
    #expect(gone == GoneNames(actions: names, apps: ["a0", "a1"].map { Array($0.utf8) }))
    #expect(Set(ranking.actionNumbers) == [0, 1, 2, 3])
    ranking.giveBack(taken)
    ranking.giveBackApps(apps)
    let again = ranking.takeUncommitted()
    let hours = again.hours.map { "\(String(decoding: ranking.name($0.action).id, as: UTF8.self)) \($0.uses)" }
    #expect(hours.sorted() == ["x.2 1", "x.3 1", "x.4 1", "x.5 1"])
    ranking.recycleNumbers()
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }

  @Test("Another half-life goes on from the bound of that moment, and a smaller number of actions purges at once")
  func settings() {
    var ranking = ActionRanking()
    for number in 0..<100 { ranking.count("x.\(number)", uses: 2, at: Int64(number) * hour) }
    let now = 100 * hour
    #expect(ranking.maxError(ofApp: nil, at: now) == 0)
    ranking.setMaxActions(60)
    #expect(ranking.actionCount == 60 && ranking.purges == (1, 40))
    let error = ranking.maxError(ofApp: nil, at: now)
    #expect(relativeError(error, Wide(2 * HalfLife.week.weight(ofAge: 61 * hour))) < 1e-12)
    ranking.change(halfLife: .second, limit: 4, at: now)
    #expect(relativeError(ranking.maxError(ofApp: nil, at: now), Wide(error)) < 1e-12)
    #expect(relativeError(ranking.maxError(ofApp: nil, at: now + 2 * second), Wide(error / 4)) < 1e-12)
    let app = ranking.app("x") ?? 0
    ranking.setHalfLife(.week, ofApp: app, at: now)
    #expect(relativeError(ranking.maxError(ofApp: app, at: now), Wide(error)) < 1e-12)
    _ = ranking.forget(ranking.actionNumbers)
    ranking.forgetLosses()
    #expect(ranking.maxError(ofApp: nil, at: now) == 0)
  }

  @Test("What moves to another owner brings its bound along")
  func owners() {
    var ranking = ActionRanking()
    _ = ranking.setOwningApps([], at: 0)
    ranking.setMaxActions(4)
    for id in ["a.b.x", "a.b.y", "a.z", "q.r", "a.b.w", "a.b.x"] { ranking.count(id, uses: 8) }
    // `a.b.x` was purged and has come back.
    #expect(ranking.maxError(ofApp: nil, at: 0) == 16)
    let before = ranking.bound(.uses500, app: "a.b", at: 0)
    #expect(before > 7)
    _ = ranking.own("a")
    #expect(ranking.bound(.uses500, app: "a", at: 0) >= before)
    _ = ranking.takeChanges()
    ranking.checkInvariants()
  }
}
