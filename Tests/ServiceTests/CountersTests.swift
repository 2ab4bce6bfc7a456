import Testing
import Wire

@testable import Service

struct CountersTests {
  @Test("every stored counter is reported, once, under its own name")
  func names() {
    let stored = Mirror(reflecting: Counters()).children.compactMap(\.label)
    #expect(Counters.all.map(\.name) + ["refused"] == stored)
  }

  /// Counters that all differ, and none is 0.
  private var different: Counters {
    var counters = Counters()
    for (index, entry) in Counters.all.enumerated() { counters[keyPath: entry.path] = UInt64(index + 1) }
    for (index, code) in RefusalCode.allCases.enumerated() { counters.refused[code] = UInt64(index + 100) }
    return counters
  }

  @Test("each name reports its own number")
  func values() {
    let counters = different
    for (name, path) in Counters.all {
      let stored = Mirror(reflecting: counters).children.first { $0.label == name }?.value as? UInt64
      #expect(counters[keyPath: path] == stored && counters[keyPath: path] != 0, "\(name)")
    }
  }

  @Test("counters come back from their totals, each as it was, whatever else is among them")
  func totals() {
    let totals = different.totals
    #expect(Set(totals.map(\.name)).count == totals.count)
    #expect(Counters(totals: totals) == different)
    #expect(Counters(totals: totals.reversed() + [("generation", 7), ("refused.noSuchCode", 8), ("", 9)]) == different)
    #expect(Counters(totals: []) == Counters())
    // What an earlier version did not count begins at 0.
    #expect(Counters(totals: [("uses", 5)]).totals.filter { $0.value != 0 }.map(\.name) == ["uses"])
  }
}
