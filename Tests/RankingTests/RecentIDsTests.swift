import Testing
import TestSupport

@testable import Ranking

/// Recent ids in a form that an expectation can call.
private final class Memory {
  private var ids: RecentIDs

  init(capacity: Int, lifetime: Int64) {
    ids = RecentIDs(capacity: capacity, lifetime: lifetime, seed: (1, 2))
  }

  var count: Int { ids.count }

  func insert(_ id: String, at time: Int64) -> Bool { Array(id.utf8).withUnsafeBytes { ids.insert($0, at: time) } }
}

struct RecentIDsTests {
  @Test("an id is new once, and then a duplicate")
  func duplicates() {
    let ids = Memory(capacity: 100, lifetime: day)
    #expect(ids.insert("a", at: 0))
    #expect(!ids.insert("a", at: 0))
    #expect(ids.insert("b", at: 1))
    #expect(!ids.insert("a", at: 2))
    #expect(!ids.insert("b", at: 2))
    #expect(ids.count == 2)
  }

  @Test("ids are bytes: forms that only look alike are two")
  func bytes() {
    let ids = Memory(capacity: 100, lifetime: day)
    for id in ["\u{E9}", "e\u{301}", "A", "a", "a\u{0}"] { #expect(ids.insert(id, at: 0)) }
    #expect(ids.count == 5)
  }

  @Test("an id is forgotten when its lifetime is over, and a duplicate does not renew it")
  func expiry() {
    let ids = Memory(capacity: 100, lifetime: day)
    #expect(ids.insert("a", at: 0))
    #expect(!ids.insert("a", at: day / 2))
    #expect(!ids.insert("a", at: day - 1))
    #expect(ids.insert("a", at: day))
    #expect(!ids.insert("a", at: 2 * day - 1))
    #expect(ids.insert("b", at: .max))
    #expect(ids.count == 1)
  }

  @Test("over capacity the oldest leaves first")
  func capacity() {
    let ids = Memory(capacity: 3, lifetime: day)
    for id in ["a", "b", "c", "d"] { #expect(ids.insert(id, at: 0)) }
    #expect(ids.count == 3)
    for id in ["b", "c", "d"] { #expect(!ids.insert(id, at: 0)) }
    #expect(ids.insert("a", at: 0))
    #expect(ids.insert("b", at: 0))
    #expect(!ids.insert("d", at: 0))
  }

  @Test("a room for one id remembers the last one")
  func roomForOne() {
    let ids = Memory(capacity: 1, lifetime: day)
    #expect(ids.insert("a", at: 0) && !ids.insert("a", at: 0) && ids.insert("b", at: 0) && ids.insert("a", at: 0))
    #expect(ids.count == 1)
  }

  @Test("what is remembered is what a plain list of the last ids remembers")
  func model() {
    var random = SeededRandom()
    for _ in 0..<50 {
      let (capacity, lifetime) = (Int.random(in: 1...20, using: &random), Int64.random(in: 1...50, using: &random))
      let ids = Memory(capacity: capacity, lifetime: lifetime)
      var model: [(id: Int, time: Int64)] = []
      var now: Int64 = -100
      for _ in 0..<500 {
        now += Int64.random(in: 0...3, using: &random)
        let id = Int.random(in: 0..<40, using: &random)
        model.removeAll { now - $0.time >= lifetime }
        let isNew = !model.contains { $0.id == id }
        if isNew { model = (model + [(id, now)]).suffix(capacity) }
        #expect(ids.insert("\(id)", at: now) == isNew, "seed \(random.seed)")
        #expect(ids.count == model.count, "seed \(random.seed)")
      }
    }
  }

  @Test("memory stays bounded over millions of ids")
  func boundedMemory() {
    var ids = RecentIDs(capacity: 1_000, lifetime: day, seed: (1, 2))
    var most = 0
    for number in UInt64(0)..<2_000_000 {
      let isNew = withUnsafeBytes(of: number) { ids.insert($0, at: Int64(number)) }
      if !isNew { Issue.record("\(number) is no duplicate") }
      most = max(most, ids.arrivals.count)
    }
    #expect(ids.count == 1_000)
    #expect(most <= 2_002)
  }
  @Test("what waits to be stored stays bounded while nothing can be, and is what is remembered")
  func boundedUncommitted() {
    var ids = RecentIDs(capacity: 100, lifetime: day, seed: (1, 2))
    for number in UInt64(0)..<10_000 {
      _ = withUnsafeBytes(of: number) { ids.insert($0, at: Int64(number)) }
      if number % 70 == 0 { ids.giveBack(ids.takeUncommitted()) }
    }
    let taken = ids.takeUncommitted()
    #expect(taken.map(\.time) == Array(9_900..<10_000))
    #expect(ids.takeUncommitted().isEmpty)
    ids.giveBack(taken)
    _ = withUnsafeBytes(of: UInt64.max) { ids.insert($0, at: 10_000) }
    #expect(ids.takeUncommitted().map(\.time) == Array(9_901...10_000))
    ids.markAllUncommitted()
    #expect(ids.takeUncommitted().count == 100)
  }
}
