import TestSupport
import Testing

@testable import Ranking

@Suite("Floods: many uses of one moment")
struct FloodTests {
  private static func ranking() -> ActionRanking { ActionRanking(halfLife: .week, limit: 4, seed: (1, 2)) }

  @Test("in a flood every use counts, and lists hold in the end who is among the best")
  func counts() {
    var random = SeededRandom()
    var ranking = Self.ranking()
    var uses: [String: UInt64] = [:]
    var now: Int64 = 0
    for _ in 0..<12 {
      now += random.magnitude(upTo: hour)
      for _ in 0..<Int.random(in: 0...1_000, using: &random) {
        let id = "a\(Int.random(in: 0..<3, using: &random)).x\(random.magnitude(upTo: 40))"
        ranking.count(id, at: now)
        uses[id, default: 0] += 1
      }
      if random.oneIn(3), let number = ranking.actionNumbers.randomElement(using: &random) {
        uses[String(decoding: ranking.name(number).id, as: UTF8.self)] = nil
        ranking.remove(number)
      }
      let (top, best) = (ranking.ranking(at: now), ranking.best(4, ofApp: nil, at: now))
      #expect(top == best, "seed \(random.seed)")
      ranking.checkInvariants()
    }
    for number in ranking.actionNumbers {
      let id = String(decoding: ranking.name(number).id, as: UTF8.self)
      #expect(ranking.report(number, at: now).uses == uses[id], "seed \(random.seed)")
    }
    #expect(ranking.actionCount == uses.count)
  }

  @Test("the first 256 uses of a moment are taken note of one by one, and only these are trials of the lists")
  func begin() {
    var ranking = Self.ranking()
    for _ in 0..<256 { ranking.count("a.x", at: 5) }
    #expect(ranking.risen.isEmpty && ranking.hits(ofApp: 0).listTrials == 256)
    for _ in 0..<100 { ranking.count("a.y", at: 5) }
    #expect(ranking.risen == [1] && ranking.hits(ofApp: 0).listTrials == 256)
    #expect(ranking.ids(ofApp: "a") == ["a.y", "a.x"] && ranking.risen.isEmpty)
    // What is published is judged by every use.
    ranking.setPublished([0], ofApp: 0)
    for _ in 0..<300 { ranking.count("a.x", at: 6) }
    ranking.settleFlood()
    #expect(ranking.hits(ofApp: 0).published.hits == 300 && ranking.hits(ofApp: 0).listTrials == 512)
  }

  @Test("the next moment has lists follow what rose in the flood before")
  func next() {
    var ranking = Self.ranking()
    for number in 0..<300 { ranking.count("a.x\(number)", at: 5) }
    #expect(ranking.risen.count == 44)
    ranking.count("a.y", at: 6)
    #expect(ranking.risen.isEmpty)
    // One of the four that the flood put there has left for the last.
    let listed = (0..<300).filter { ranking.actions[UInt32($0)].counters.lists.contains(DecaySet(.use1)) }
    #expect(listed.count == 3 && listed.allSatisfy { $0 >= 256 })
  }
}
