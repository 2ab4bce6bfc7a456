import Testing
import TestSupport

@testable import Ranking

struct SlotIndexTests {
  @Test("numbers under equal tags are told apart by what they stand for")
  func equalTags() {
    var index = SlotIndex()
    for number in UInt32(0)..<100 { index.insert(7, number) }
    for number in UInt32(0)..<100 {
      #expect(index.find(7) { $0 == number } == number)
    }
    #expect(index.find(7) { _ in false } == nil)
    #expect(index.count == 100)
  }

  @Test("tags at the end of the slots go on at their start")
  func wrapsAround() {
    var index = SlotIndex()
    let tags: [UInt32] = [.max, .max, .max - 1, 15, 0, .max, 1]
    for (number, tag) in tags.enumerated() { index.insert(tag, UInt32(number)) }
    for (number, tag) in tags.enumerated() {
      #expect(index.find(tag) { $0 == UInt32(number) } == UInt32(number))
    }
    #expect(index.find(14) { _ in true } == nil)
  }

  @Test("what is filed is found, and nothing else, as in a dictionary")
  func model() {
    var random = SeededRandom()
    var index = SlotIndex()
    var model: [UInt32: Set<UInt32>] = [:]
    for number in UInt32(0)..<20_000 {
      let tag = UInt32.random(in: 0..<30_000, using: &random) &* 65_521
      index.insert(tag, number)
      model[tag, default: []].insert(number)
    }
    for small in UInt32(0)..<30_000 {
      var found: Set<UInt32> = []
      let missing = index.find(small &* 65_521) { number in
        found.insert(number)
        return false
      }
      #expect(missing == nil)
      #expect(found == model[small &* 65_521] ?? [], "seed \(random.seed)")
    }
  }
}
