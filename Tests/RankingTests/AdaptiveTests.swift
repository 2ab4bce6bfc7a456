import Foundation
import TestSupport
import Testing

@testable import Ranking

@Suite("Lists that adapt")
struct AdaptiveTests {
  private static func ranking(limit: Int = 4, margin: Double = 0.25, keepPlaces: Bool = true) -> ActionRanking {
    ActionRanking(halfLife: .week, limit: limit, seed: (1, 2), swapMargin: margin, keepPlaces: keepPlaces)
  }

  /// Another ranking from what is stored of one that has one app.
  static func restarted(_ ranking: borrowing ActionRanking, at time: Int64) -> ActionRanking {
    var other = ActionRanking(
      halfLife: ranking.halfLife, limit: ranking.limit, seed: (3, 4), method: ranking.method,
      swapMargin: ranking.swapMargin, keepPlaces: ranking.keepsPlaces)
    other.restore(app: ranking.state(ofApp: 0))
    for number in 0..<UInt32(ranking.actionSlots) where ranking.isPresent(number) {
      _ = other.restore(ranking.state(number))
    }
    other.finishRestoring(arrivals: ranking.arrivals, at: time)
    return other
  }

  @Test("lists, rates, the decay in force and places are what a look at every score gives, on random streams")
  func model() {
    var seeds = SeededRandom()
    for _ in 0..<16 {
      var random = SeededRandom(seed: seeds.next())
      let limit = Int.random(in: 1...6, using: &random)
      let (margin, keepPlaces) = ([0, 0.25, 1][Int.random(in: 0..<3, using: &random)], random.oneIn(2))
      var ranking = Self.ranking(limit: limit, margin: margin, keepPlaces: keepPlaces)
      var model = AdaptiveModel(limit: limit, margin: margin, keepsPlaces: keepPlaces)
      var now: Int64 = 0
      let pace = random.magnitude(upTo: day)
      for event in 0..<400 {
        now += Int64.random(in: 0...pace, using: &random)
        let number = ranking.find("a.x\(Int.random(in: 0..<12, using: &random))")
        switch event == 0 ? 39 : Int.random(in: 0..<40, using: &random) {
        case 0: if let number, ranking.actionCount > 1 { ranking.remove(number) }
        case 1: if let number { ranking.setStanding([.inTop], of: number) }
        case 2:
          guard let number, !ranking.standing(of: number).contains(.inApp) else { continue }
          ranking.setStanding([.inApp, .inTop], of: number)
          ranking.refreshLists()
          model.enter(number, ranking)
          model.show(ranking)
        default:
          // Three quarters of the uses are of three actions, which are others after a while.
          let id =
            "a.x\((random.oneIn(4) ? Int.random(in: 0..<12, using: &random) : Int.random(in: 0..<3, using: &random) + event / 100) % 12)"
          let time = random.oneIn(8) ? now - random.magnitude(upTo: 10 * day) : now
          ranking.count(id, uses: random.oneIn(4) ? 3 : 1, at: time)
          let used = ranking.find(id)
          let competes = used.map { ranking.standing(of: $0).contains(.inApp) } ?? false
          model.use(used, competes: competes, ranking)
        }
        if ranking.hasStaleApps {
          ranking.refreshLists()
          let competing = (0..<UInt32(ranking.actionSlots)).filter { ranking.competes($0, inApp: 0) }
          model.remake(competing, ranking)
          model.show(ranking)
        }
        if random.oneIn(2) {
          ranking.refreshLists()
          model.show(ranking)
        }
        ranking.checkInvariants()
        let lists = (0..<9).map { list in
          Set(
            (0..<UInt32(ranking.actionSlots)).filter {
              ranking.isPresent($0) && ranking.actions[counters: $0].lists.contains(DecaySet(Decay.allCases[list]))
            })
        }
        #expect(lists == model.lists.map { Set($0) }, "event \(event), seed \(random.seed)")
        #expect(Array(ranking.state(ofApp: 0).rates.prefix(9)) == model.rates, "event \(event), seed \(random.seed)")
        #expect(Int(ranking.apps[0].inForce.rawValue) == model.inForce, "event \(event), seed \(random.seed)")
        #expect(ranking.shown(ofApp: 0) == model.shown, "event \(event), seed \(random.seed)")
        if lists != model.lists.map({ Set($0) }) || ranking.shown(ofApp: 0) != model.shown { return }
      }
    }
  }

  @Test("counters are the sums of all uses, each faded by its age")
  func counters() {
    var random = SeededRandom()
    var ranking = Self.ranking()
    var uses: [(id: String, step: Int, time: Int64, weight: Double)] = []
    var now: Int64 = 0
    for step in 0..<800 {
      now += random.magnitude(upTo: day)
      let id = "a.x\(Int.random(in: 0..<6, using: &random))"
      let time = random.oneIn(4) ? now - random.magnitude(upTo: 5 * day) : now
      let weight = UInt32.random(in: 1...9, using: &random)
      ranking.count(id, uses: weight, at: time)
      uses.append((id, step, time, Double(weight)))
    }
    for number in 0..<UInt32(ranking.actionSlots) {
      let own = uses.filter { Array($0.id.utf8) == ranking.name(number).id }
      let (lastStep, lastTime) = (own.map(\.step).max() ?? 0, own.map(\.time).max() ?? 0)
      for (lane, decay) in Decay.allCases.prefix(8).enumerated() {
        let expected = own.reduce(0) { sum, use in
          let age: Double =
            switch decay.pace {
            case .uses(let halfLife): Double(lastStep - use.step) / Double(halfLife)
            case .time(let halfLife): Double(lastTime - use.time) / Double(halfLife.nanoseconds)
            case .mixed: 0
            }
          return sum + use.weight * exp2(-age)
        }
        let value = Double(ranking.actions[counters: number].values[lane])
        #expect(abs(value - expected) < expected * 1e-4, "\(decay), seed \(random.seed)")
      }
      #expect(Int(ranking.actions[counters: number].step) == lastStep)
    }
  }

  @Test("a short trace by hand: who comes in, who has which place, and what a use is worth")
  func byHand() {
    var ranking = Self.ranking(limit: 2)
    for id in ["a.x", "a.x", "a.y"] { ranking.count(id) }
    // By the power law x is worth .774 and y .734.
    #expect(ranking.ids(ofApp: "a") == ["a.x", "a.y"])
    ranking.count("a.z")
    // z is worth .734 now, x .547 and y .460: z takes the place of y, and then that of x, by more than a quarter each.
    #expect(ranking.ids(ofApp: "a") == ["a.z", "a.x"])
    let report = ranking.method(ofApp: 0)
    #expect(report.decay == .power && report.hitRate.map { $0 > 0.24 && $0 < 0.26 } == true)
    ranking.count("a.x")
    #expect(ranking.ids(ofApp: "a") == ["a.x", "a.z"])
    let scores = ranking.ranking(ofApp: 0, at: 0).map(\.score)
    #expect(abs(scores[0] - 1.152) < 0.001 && abs(scores[1] - 0.460) < 0.001, "\(scores)")
    #expect(ranking.listHalfLife(ofApp: 0) == nil)
  }

  @Test("a decay is in force once its list had more than one hit of late more")
  func choosesDecay() {
    var ranking = Self.ranking(limit: 1)
    // Always two of one: the latest is right half of the time, the most used of all never more than that.
    for block in 0..<60 { for _ in 0..<8 { ranking.count("a.x\(block % 6)") } }
    let report = ranking.method(ofApp: 0)
    #expect(report.kind == .adaptive && report.hitRate.map { $0 > 0.7 } == true)
    #expect(report.decay == .use1 || report.decay == .uses5 || report.decay == .power)
    ranking.setHalfLife(HalfLife(nanoseconds: hour), ofApp: 0, at: 0)
    ranking.refreshLists()
    #expect(ranking.method(ofApp: 0).kind == .fixed && ranking.method(ofApp: 0).decay == .fixed)
    #expect(ranking.listHalfLife(ofApp: 0) == HalfLife(nanoseconds: hour))
  }

  @Test("a restart between any two uses changes nothing")
  func restarts() {
    var random = SeededRandom()
    var ranking = Self.ranking()
    var other = Self.ranking()
    var now: Int64 = 0
    for event in 0..<600 {
      now += random.magnitude(upTo: hour)
      let id = "a.x\(min(Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random)))"
      ranking.count(id, at: now)
      other.count(id, at: now)
      if random.oneIn(10) { other = Self.restarted(other, at: now) }
      let rows = ranking.ranking(ofApp: 0, at: now).map { [$0.id, Array("\($0.score)".utf8)] }
      let otherRows = other.ranking(ofApp: 0, at: now).map { [$0.id, Array("\($0.score)".utf8)] }
      #expect(rows == otherRows, "event \(event), seed \(random.seed)")
      #expect(ranking.state(ofApp: 0) == other.state(ofApp: 0), "event \(event), seed \(random.seed)")
      if rows != otherRows { return }
    }
  }

  @Test("who is ahead by less than the margin is kept out, and who is behind by less is held")
  func marginEffects() {
    var ranking = ActionRanking(halfLife: .week, limit: 1, seed: (1, 2), method: .fixed)
    ranking.count("a.x", uses: 10)
    ranking.count("a.y", uses: 12)
    #expect(ranking.ids(ofApp: "a") == ["a.x"])
    #expect(ranking.marginEffect(on: 0) == MarginEffect(heldBy: 1, keptOutBy: nil))
    #expect(ranking.marginEffect(on: 1) == MarginEffect(heldBy: nil, keptOutBy: 0))
    ranking.count("a.y")
    #expect(
      ranking.ids(ofApp: "a") == ["a.y"] && ranking.marginEffect(on: 1) == MarginEffect(heldBy: nil, keptOutBy: nil))
  }

  @Test("an older state starts from its scores")
  func olderState() {
    var ranking = Self.ranking(limit: 2)
    for (id, uses) in [("a.x", UInt64(2)), ("a.y", 8), ("a.z", 4)] {
      _ = ranking.restore(
        ActionState(
          app: Array("a".utf8), action: Array(id.utf8), score: DecayedCount(value: Double(uses), landmark: 0),
          uses: uses,
          firstUsed: today, lastUse: Moment(decay: 0, wall: today), lastArrival: uses))
    }
    ranking.finishRestoring(arrivals: 8, at: 0)
    ranking.checkInvariants()
    #expect(ranking.ids(ofApp: "a") == ["a.y", "a.z"])
  }
}
