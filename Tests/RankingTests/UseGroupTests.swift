import TestSupport
import Testing

@testable import Ranking

@Suite("Groups: uses that are counted together")
struct UseGroupTests {
  private static func ranking() -> ActionRanking { ActionRanking(halfLife: .week, limit: 4, seed: (1, 2)) }

  /// Counts a use of each id, in their order, in groups as they fill, and settles the flood.
  private static func count(_ ids: [String], in ranking: inout ActionRanking, at decay: Int64) -> Int {
    let bytes = Array(ids.joined().utf8)
    let time = UseTime(clientTime: nil, now: Moment(decay: decay, wall: today + decay))
    return unsafe bytes.withUnsafeBytes { bytes in
      var (group, start, counted) = (UseGroup(), 0, 0)
      for id in ids {
        let end = start + id.utf8.count
        if unsafe group.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
          counted += ranking.count(&group, at: time)
        }
        start = end
      }
      counted += ranking.count(&group, at: time)
      ranking.settleFlood()
      return counted
    }
  }

  @Test("whether uses come in groups or one by one makes no difference")
  func same() {
    var random = SeededRandom()
    // Many actions, so that they are looked up together.
    var grouped = Self.ranking()
    var single = Self.ranking()
    var now: Int64 = 0
    for _ in 0..<12 {
      now += random.magnitude(upTo: hour)
      let ids = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
        "a\(Int.random(in: 0..<9, using: &random)).x\(random.magnitude(upTo: 4_000))"
      }
      #expect(Self.count(ids, in: &grouped, at: now) == ids.count)
      for id in ids { single.count(id, at: now) }
      single.settleFlood()
      let (one, other) = (
        grouped.actionNumbers.map { grouped.state($0) }, single.actionNumbers.map { single.state($0) }
      )
      #expect(one == other, "seed \(random.seed)")
      #expect(grouped.arrivals == single.arrivals)
    }
    grouped.refreshLists()
    grouped.checkInvariants()
    #expect(grouped.actionCount > 2_000)
  }

  @Test("what is blocked is not counted, in a flood or not")
  func blocked() {
    var ranking = Self.ranking()
    for id in ["a.x", "a.y"] { ranking.count(id, at: 1) }
    ranking.setStanding([.blocked, .kept], of: 0)
    #expect(Self.count(["a.x", "a.y"], in: &ranking, at: 2) == 1)
    #expect(Self.count((0..<1_000).map { "a.\($0 % 2 == 0 ? "x" : "y")" }, in: &ranking, at: 3) == 500)
    #expect(ranking.report(1, at: 3).uses == 502)
  }

  @Test("uses of a flood have no order: who is used more is worth more, and as many are worth the same")
  func order() throws {
    var ranking = Self.ranking()
    for id in ["a.x", "a.y", "a.z"] { ranking.count(id, at: 1) }
    let ids =
      Array(repeating: "a.z", count: 256) + Array(repeating: "a.x", count: 200) + Array(repeating: "a.y", count: 100)
      + Array(repeating: "a.z", count: 100)
    _ = Self.count(ids, in: &ranking, at: 2)
    let values = (0..<3).map { ranking.actions[counters: UInt32($0)].values }
    for lane in 0..<4 {
      #expect(values[0][lane] > 1.9 * values[1][lane], "twice as many")
    }
    #expect(values[2][0] == values[1][0], "what was before has faded")
    #expect(ranking.actions[counters: 0].step == ranking.apps[0].steps - 1)
    // What all of them are worth is what that many uses are worth.
    let sum = (0..<400).reduce(Float(0)) { sum, age in sum + ranking.actions.fading.factors(uses: UInt32(age))[1] }
    #expect(abs(values[0][1] + values[1][1] + values[2][1] - sum) < 1e-3 * sum)
  }

  @Test("an action that has no room for more uses of a flood has them counted")
  func room() {
    var ranking = Self.ranking()
    ranking.begin(hourOf: today)
    ranking.count("a.x", at: 1)
    let many = 256 + 2 * 65_535 + 7
    #expect(Self.count(Array(repeating: "a.x", count: many), in: &ranking, at: 2) == many)
    #expect(ranking.report(0, at: 2).uses == UInt64(many) + 1)
    let hours = ranking.takeUncommitted().hours
    #expect(hours.reduce(0) { $0 + $1.uses } == UInt64(many) + 1)
  }
}
