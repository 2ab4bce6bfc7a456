import Testing

@testable import Evaluation

struct LeadersTests {
  /// The places of actions 0, 1, … of these scores and latest uses.
  private static func places(_ offers: [(score: Double, lastUse: Int32)], of uses: Int) -> [Int?] {
    var leaders = Leaders(uses: uses)
    leaders.reset(at: uses - 1)
    for (action, offer) in offers.enumerated() { leaders.offer(action, score: offer.score, lastUse: offer.lastUse) }
    return offers.indices.map { leaders.place(of: Int32($0)) }
  }

  @Test("four are the best, whatever the order of offers")
  func four() {
    #expect(Self.places([(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)], of: 6) == [nil, 3, 2, 1, 0])
    #expect(Self.places([(5, 0), (4, 1), (3, 2), (2, 3), (1, 4)], of: 6) == [0, 1, 2, 3, nil])
    #expect(Self.places([(1, 0), (2, 1)], of: 3) == [1, 0])
  }

  @Test("of scores that differ by less than 10⁻¹² of the greatest, the one used later is first")
  func ties() {
    #expect(Self.places([(1, 0), (1, 1), (8, 2)], of: 4) == [2, 1, 0])
    #expect(Self.places([(1 + 1e-13, 0), (1, 1), (1, 2)], of: 4) == [2, 1, 0])
    #expect(Self.places([(1 + 1e-11, 0), (1, 1), (1, 2)], of: 4) == [0, 2, 1])
    #expect(Self.places([(0, 0), (0, 1), (0, 2)], of: 4) == [2, 1, 0])
  }

  @Test("keys that are equal to the last bit share a place")
  func shared() {
    #expect(Self.places([(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (0.5, 5)], of: 1_000_000) == [0, 0, 0, 0, 0, nil])
  }

  @Test("settled is only what cannot be among the best any more")
  func settled() {
    var leaders = Leaders(uses: 10)
    leaders.reset(at: 9)
    for action in 0..<3 { leaders.offer(action, score: 8, lastUse: Int32(action)) }
    #expect(!leaders.isSettled(score: 0, lastUse: 0))
    leaders.offer(3, score: 4, lastUse: 5)
    #expect(leaders.isSettled(score: 3))
    #expect(leaders.isSettled(score: 4, lastUse: 4))
    #expect(!leaders.isSettled(score: 4, lastUse: 6))
    #expect(!leaders.isSettled(score: 4))
    #expect(!leaders.isSettled(score: 9))
  }
}
