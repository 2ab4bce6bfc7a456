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

  @Test("tags at the end of the slots go on behind them")
  func atTheEnd() {
    var index = SlotIndex()
    let tags: [UInt32] = [.max, .max, .max - 1, 15, 0, .max, 1]
    for (number, tag) in tags.enumerated() { index.insert(tag, UInt32(number)) }
    for (number, tag) in tags.enumerated() {
      #expect(index.find(tag) { $0 == UInt32(number) } == UInt32(number))
    }
    #expect(index.find(14) { _ in true } == nil)
  }

  @Test("what is taken out is found no more, and all else is still found, as in a dictionary")
  func removes() {
    var random = SeededRandom()
    for spread in [1, 3, 65_521] as [UInt32] {
      var index = SlotIndex()
      var model: [UInt32: UInt32] = [:]
      for step in UInt32(0)..<6_000 {
        // Tags crowd at the start and at the end of the slots, so that runs go on behind it.
        let tag = UInt32.random(in: 0..<90, using: &random) &* spread &- 40
        if random.oneIn(2), let (number, tag) = model.randomElement(using: &random) {
          index.remove(tag, number)
          model[number] = nil
        } else {
          index.insert(tag, step)
          model[step] = tag
        }
        if model.count > 60 {
          for (number, tag) in model { index.remove(tag, number) }
          model = [:]
        }
        if step % 7 != 0 { continue }
        let found = model.allSatisfy { number, tag in index.find(tag) { $0 == number } == number }
        #expect(found, "step \(step), seed \(random.seed)")
        var seen: Set<UInt32> = []
        for tag in Set(model.values) {
          _ = index.find(tag) { number in
            seen.insert(number)
            return false
          }
        }
        #expect(seen == Set(model.keys) && index.count == model.count, "step \(step), seed \(random.seed)")
      }
    }
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
