import Testing
import TestSupport

@testable import Ranking

struct ActionRankingTests {
  // MARK: Order

  @Test("the lists are what a full recomputation gives, on random streams with many ties", arguments: 1...20)
  func fullRecomputation(limit: Int) {
    var random = SeededRandom()
    for halfLife in [HalfLife.second, .week] {
      var ranking = ActionRanking(halfLife: halfLife, limit: limit)
      var model = ActionRankingModel(step: halfLife.nanoseconds, limit: limit)
      let apps = ["a", "b.c", "d", "default"]
      for event in 0..<400 {
        let now = Int64(event / 20)
        let time = random.oneIn(3) ? Int64.random(in: 0...now, using: &random) : now
        let uses: UInt32 = random.oneIn(2) ? 1 : UInt32(random.magnitude(upTo: 64))
        let app = apps[Int.random(in: 0..<4, using: &random)]
        let id = (app == "default" ? "" : app + ".") + "x\(Int.random(in: 0..<12, using: &random))"
        let namedApp = random.oneIn(5) ? apps.randomElement(using: &random) : nil
        ranking.count(id, app: namedApp, uses: uses, at: time * halfLife.nanoseconds)
        _ = model.count(id, app: namedApp, uses: uses, at: time)

        if event % 10 != 9 { continue }
        ranking.checkInvariants()
        let moment = now * halfLife.nanoseconds
        #expect(
          model.says(ranking.ranking(at: moment), model.ranking(ofApp: nil), ofApp: nil, at: now),
          "event \(event), seed \(random.seed)")
        for app in apps {
          let rows = ranking.app(app).map { ranking.ranking(ofApp: $0, at: moment) } ?? []
          #expect(
            model.says(rows, model.ranking(ofApp: app), ofApp: app, at: now),
            "event \(event), app \(app), seed \(random.seed)")
        }
      }
      #expect(ranking.actionCount == model.rows.count)
    }
  }

  @Test("at random times, too, the best are listed by the direct sum of their uses")
  func directSums() {
    var random = SeededRandom()
    for _ in 0..<20 {
      let halfLife = HalfLife.random(using: &random)
      var ranking = ActionRanking(halfLife: halfLife, limit: 4)
      var sums: [String: DirectSum] = [:]
      var now: Int64 = 0
      for _ in 0..<300 {
        now += random.magnitude(upTo: year / 100)
        let id = "x\(Int.random(in: 0..<12, using: &random))"
        let time = now - (random.oneIn(2) ? 0 : random.magnitude(upTo: 10 * year))
        ranking.count(id, uses: 1, at: time)
        sums[id, default: DirectSum()].uses.append((1, time))
      }
      let rows = ranking.ranking(at: now)
      let scores = sums.values.map { $0.score(at: now, halfLife) }.sorted(by: >)
      #expect(rows.count == 4)
      for (row, expected) in zip(rows, scores) where expected >= Wide(Double.leastNormalMagnitude) {
        #expect(relativeError(row.score, expected) < 1e-12, "seed \(random.seed)")
        let own = sums[String(decoding: row.id, as: UTF8.self)]?.score(at: now, halfLife) ?? 0
        #expect(relativeError(row.score, own) < 1e-12, "seed \(random.seed)")
      }
    }
  }

  @Test("of equal scores the later use is first, and of equal times the later arrival")
  func ties() {
    var ranking = ActionRanking(limit: 4)
    for id in ["a.one", "a.two", "a.three", "a.four", "a.five", "a.six"] { ranking.count(id) }
    #expect(ranking.ids(ofApp: "a") == ["a.six", "a.five", "a.four", "a.three"])

    // Twice as many uses one half-life ago are worth the same, and were earlier although they arrive later.
    ranking = ActionRanking(limit: 4)
    ranking.count("a.now", uses: 1, at: 14 * day)
    ranking.count("a.then", uses: 2, at: 7 * day)
    ranking.count("a.long", uses: 4, at: 0)
    #expect(ranking.ids(ofApp: "a", at: 14 * day) == ["a.now", "a.then", "a.long"])
  }

  @Test("a use that is dated back does not make the latest use earlier")
  func latestUse() {
    var ranking = ActionRanking()
    ranking.count("a.x", at: day)
    ranking.count("a.x", at: 0)
    #expect(ranking.ranking(at: day).first?.lastUsed == today + day)
    ranking.count("a.x", at: 2 * day)
    #expect(ranking.ranking(at: day).first?.lastUsed == today + 2 * day)
  }

  @Test("actions long unused give way to a new one, and come back by being used")
  func comeAndGo() {
    var ranking = ActionRanking(halfLife: .second, limit: 2)
    for id in ["a.x", "a.y"] { ranking.count(id, uses: 1_000_000) }
    ranking.count("a.z", at: year)
    #expect(ranking.ids(ofApp: "a", at: year) == ["a.z", "a.y"])
    ranking.count("a.x", at: year + second)
    #expect(ranking.ids(ofApp: "a", at: year + second) == ["a.x", "a.z"])
  }

  @Test("the same events give the same rankings in another instance with another seed")
  func deterministic() {
    var random = SeededRandom()
    var first = ActionRanking(halfLife: .week, limit: 6, seed: (3, 4))
    var second = ActionRanking(halfLife: .week, limit: 6, seed: (.max, 0x1234_5678))
    for event in Int64(0)..<3_000 {
      let id = "a\(Int.random(in: 0..<5, using: &random)).x\(Int.random(in: 0..<40, using: &random))"
      let time = random.oneIn(2) ? event / 10 * day : Int64.random(in: 0...300 * day, using: &random)
      first.count(id, at: time)
      second.count(id, at: time)
    }
    #expect(first.ranking(at: 300 * day) == second.ranking(at: 300 * day), "seed \(random.seed)")
    #expect(first.appIDs == second.appIDs)
    for app in 0..<UInt32(first.appCount) {
      #expect(
        first.ranking(ofApp: app, at: 300 * day) == second.ranking(ofApp: app, at: 300 * day), "seed \(random.seed)")
    }
  }

  // MARK: Owners

  @Test("an event that names no app is counted for the default owner", arguments: DefaultAppTests.owners)
  func defaultOwner(id: String, app: String) {
    var ranking = ActionRanking()
    ranking.count(id)
    #expect(ranking.appIDs == [app])
    // Naming that owner is the same action.
    ranking.count(id, app: app)
    #expect(ranking.actionCount == 1 && ranking.appCount == 1)
    #expect(ranking.ranking(at: 0).map(\.uses) == [2])
  }

  @Test("the same id under two apps is two actions")
  func twoApps() {
    var ranking = ActionRanking()
    ranking.count("a.x", app: "b", uses: 2)
    ranking.count("a.x")
    ranking.count("a.x", app: "c", uses: 3)
    ranking.count("a.x", app: "b", uses: 2)
    ranking.count("a.x", app: "a")
    #expect(ranking.actionCount == 3 && ranking.appIDs == ["b", "a", "c"])
    let rows = ranking.ranking(at: 0)
    #expect(rows.map(\.uses) == [4, 3, 2])
    #expect(rows.map { String(decoding: $0.app, as: UTF8.self) } == ["b", "c", "a"])
    #expect(rows.allSatisfy { $0.id == Array("a.x".utf8) })
  }

  @Test("ids and apps are bytes: forms that only look alike are two")
  func bytes() {
    var ranking = ActionRanking(limit: 20)
    for id in ["\u{E9}.x", "e\u{301}.x", "a.\u{E9}", "a.e\u{301}", "A.x", "a.X", "a.x"] { ranking.count(id) }
    #expect(ranking.actionCount == 7)
    #expect(ranking.appCount == 4)
    #expect(ranking.ranking(at: 0).allSatisfy { $0.uses == 1 })
  }

  @Test("ids of the greatest length are kept whole")
  func longIDs() {
    var ranking = ActionRanking()
    let long = String(repeating: "a", count: 253)
    for id in [long + ".x", long + ".y", long + "xy"] { ranking.count(id, app: long + "zz") }
    #expect(ranking.actionCount == 3 && ranking.appIDs == [long + "zz"])
    #expect(Set(ranking.ids(ofApp: long + "zz")) == [long + ".x", long + ".y", long + "xy"])
  }

  // MARK: Counts

  @Test("two hundred thousand actions keep their exact uses, as in a dictionary")
  func manyActions() {
    var random = SeededRandom()
    var ranking = ActionRanking(halfLife: .week, limit: 20, seed: (random.next(), random.next()))
    var model: [[UInt8]: UInt64] = [:]
    var id: [UInt8] = []
    // At most 20 of each app, so that its list shows all of them.
    for number in 0..<200_000 {
      let app = "app\(number / 20)."
      id =
        Array(app.utf8)
        + (0..<Int.random(in: 1...12, using: &random)).map { _ in
          UInt8.random(in: 0x61...0x7A, using: &random)
        }
      for _ in 0...Int.random(in: 0...1, using: &random) {
        let uses = UInt32.random(in: 1...1_000_000, using: &random)
        _ = id.withUnsafeBytes {
          ranking.count($0, app: nil, uses: uses, at: UseTime(clientTime: nil, now: Moment(decay: 0, wall: 0)))
        }
        model[id, default: 0] += UInt64(uses)
      }
    }
    #expect(ranking.actionCount == model.count)
    #expect(ranking.appCount == 10_000)
    var shown = 0
    for app in 0..<UInt32(ranking.appCount) {
      for row in ranking.ranking(ofApp: app, at: 0) {
        shown += 1
        if model[row.id] != row.uses { Issue.record("\(row), seed \(random.seed)") }
      }
    }
    #expect(shown == model.count, "seed \(random.seed)")
  }

  @Test("the greatest number of uses in one event is counted as it is")
  func hugeEvents() {
    var ranking = ActionRanking()
    for _ in 0..<3 { ranking.count("a.x", uses: .max) }
    #expect(ranking.ranking(at: 0).map(\.uses) == [3 * UInt64(UInt32.max)])
    #expect(ranking.ranking(at: 0).map(\.score) == [3 * Double(UInt32.max)])
  }

  @Test("the number of uses stays at its greatest value, and the action goes on counting")
  func saturates() {
    var ranking = ActionRanking()
    let state = ActionState(
      app: Array("a".utf8), action: Array("a.x".utf8), score: .zero, uses: .max - 1, firstUsed: today,
      lastUse: Moment(decay: 0, wall: today), lastArrival: 1)
    let isNew = ranking.restored(state)
    #expect(isNew)
    for score in [3.0, 6] {
      ranking.count("a.x", uses: 3)
      #expect(ranking.ranking(at: 0).map(\.uses) == [.max])
      #expect(ranking.ranking(at: 0).map(\.score) == [score])
    }
    ranking.checkInvariants()
  }

  @Test("another half-life makes every action one that has to be stored, another limit those that come and go by it")
  func storedAnew() {
    var ranking = ActionRanking()
    for place in 0..<5 { ranking.count("a.\(place)", uses: 1) }
    #expect(ranking.takeUncommitted().actions.count == 5)
    ranking.count("a.3", uses: 1)
    ranking.change(halfLife: ranking.halfLife, limit: 2, at: 0)
    #expect(Set(ranking.takeUncommitted().actions).contains(3))
    ranking.count("a.3", uses: 1)
    ranking.change(halfLife: .second, limit: 2, at: 0)
    let uses = ranking.takeUncommitted()
    #expect(uses.actions.sorted() == [0, 1, 2, 3, 4])
    #expect(uses.hours.map(\.uses) == [1])
    let isDone = !ranking.hasUncommitted
    #expect(isDone)
  }

  @Test("uses at the ends of time leave every score finite")
  func endsOfTime() {
    var ranking = ActionRanking(halfLife: .second)
    for (place, time) in [Int64.min, -1, 0, .max].enumerated() {
      for wall in [Int64.min, 0, .max] {
        let use = UseTime(clientTime: nil, now: Moment(decay: time, wall: wall))
        _ = Array("a.\(place)".utf8).withUnsafeBytes { ranking.count($0, app: nil, uses: 1, at: use) }
      }
    }
    for now in [Int64.min, 0, .max] {
      let rows = ranking.ranking(at: now)
      #expect(rows.allSatisfy { $0.score.isFinite && $0.score >= 0 })
      #expect(rows.map { String(decoding: $0.id, as: UTF8.self) } == ["a.3", "a.2", "a.1", "a.0"])
    }
  }

  // MARK: Settings

  @Test("a new half-life and a new limit keep every score and the order", arguments: [1, 3, 20])
  func changesSettings(newLimit: Int) {
    var random = SeededRandom()
    for _ in 0..<10 {
      let (old, new) = (HalfLife.random(using: &random), HalfLife.random(using: &random))
      var ranking = ActionRanking(halfLife: old, limit: 20)
      for event in Int64(0)..<200 {
        ranking.count(
          "a\(event % 3).x\(Int.random(in: 0..<6, using: &random))", uses: UInt32.random(in: 1...9, using: &random),
          at: random.oneIn(2) ? event * day : -random.magnitude(upTo: 5 * year))
      }
      let now = 200 * day
      _ = ranking.takeChanges()
      let before = ranking.ranking(at: now)
      let inApp = ranking.ranking(ofApp: 1, at: now)
      ranking.change(halfLife: new, limit: newLimit, at: now)
      ranking.checkInvariants()
      #expect(ranking.halfLife == new && ranking.limit == newLimit)
      for (kept, rows) in [(before, ranking.ranking(at: now)), (inApp, ranking.ranking(ofApp: 1, at: now))] {
        #expect(rows.map(\.id) == kept.prefix(newLimit).map(\.id), "seed \(random.seed)")
        #expect(rows.map(\.uses) == kept.prefix(newLimit).map(\.uses), "seed \(random.seed)")
        for (row, old) in zip(rows, kept) {
          #expect(abs(row.score - old.score) <= old.score * 1e-14 + .leastNormalMagnitude, "seed \(random.seed)")
        }
      }
      let changes = ranking.takeChanges()
      #expect(changes.top && Set(changes.apps) == [0, 1, 2])
      // What was cut off by a small limit comes back with a large one.
      ranking.change(halfLife: new, limit: 20, at: now)
      #expect(ranking.ranking(at: now).map(\.id) == before.map(\.id), "seed \(random.seed)")
    }
  }

  @Test("after a change uses fade at the new pace, and new ones count for one")
  func newPace() {
    var ranking = ActionRanking(halfLife: .week, limit: 4)
    ranking.count("a.old", uses: 8, at: 0)
    ranking.change(halfLife: HalfLife(nanoseconds: day), limit: 4, at: 7 * day)
    #expect(ranking.ranking(at: 7 * day).map(\.score) == [4])
    ranking.count("a.new", uses: 3, at: 8 * day)
    #expect(ranking.ranking(at: 8 * day).map(\.score) == [3, 2])
    #expect(ranking.ids(ofApp: "a", at: 8 * day) == ["a.new", "a.old"])
  }

  // MARK: Changes

  @Test("exactly the apps are changed whose list shows something else", arguments: [1, 4])
  func takesChanges(limit: Int) {
    var random = SeededRandom()
    var ranking = ActionRanking(halfLife: .second, limit: limit)
    func shown(_ rows: [RankedAction]) -> [[UInt64]] { rows.map { $0.id.map(UInt64.init) + [$0.uses] } }
    var lists: [[[UInt64]]] = []
    var top: [[UInt64]] = []
    var silent = 0
    for event in Int64(0)..<600 {
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let id = "a\(Int.random(in: 0..<4, using: &random)).x\(Int.random(in: 0..<8, using: &random))"
        ranking.count(id, at: event * second / 10 - (random.oneIn(3) ? 20 * second : 0))
      }
      let changes = ranking.takeChanges()
      let now = (0..<UInt32(ranking.appCount)).map { shown(ranking.ranking(ofApp: $0, at: event)) }
      let changed = now.indices.filter { $0 >= lists.count || lists[$0] != now[$0] }
      #expect(changes.apps.sorted() == changed.map(UInt32.init), "event \(event), seed \(random.seed)")
      #expect(changes.top == (shown(ranking.ranking(at: event)) != top), "event \(event), seed \(random.seed)")
      if changed.isEmpty { silent += 1 }
      (lists, top) = (now, shown(ranking.ranking(at: event)))
      let again = ranking.takeChanges()
      #expect(again.apps.isEmpty && !again.top)
    }
    #expect(silent > 10, "seed \(random.seed)")
  }

  @Test("a use of an action that stays out of the lists changes nothing that is shown")
  func unlisted() {
    var ranking = ActionRanking(limit: 1)
    ranking.count("a.best", uses: 5)
    var changes = ranking.takeChanges()
    #expect(changes.apps == [0] && changes.top)
    ranking.count("a.other")
    changes = ranking.takeChanges()
    #expect(changes.apps.isEmpty && !changes.top)
    ranking.count("b.other")
    changes = ranking.takeChanges()
    #expect(changes.apps == [1] && !changes.top)
    ranking.count("a.best", at: -year)
    changes = ranking.takeChanges()
    #expect(changes.apps == [0] && changes.top)
  }
}
