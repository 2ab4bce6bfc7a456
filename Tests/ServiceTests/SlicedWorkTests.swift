import Testing

@testable import Service

struct SlicedWorkTests {
  /// Work on a clock that goes on with each step.
  private final class Bench {
    var now: Int64 = 0
    private(set) var pauses: [Int64] = []
    private(set) var done: [String] = []
    private(set) var work: SlicedWork!

    init() {
      work = SlicedWork { [unowned self] in now }
      work.pause = { [unowned self] in pauses.append($0) }
    }

    /// So many steps that each take a share of a slice.
    func begin(_ name: String, steps: Int, time: Int64 = SlicedWork.slice / 5, then next: @escaping () -> Void = {}) {
      var left = steps
      work.begin { [unowned self] in
        now += time
        done.append(name)
        left -= 1
        if left == 0 { next() }
        return left > 0
      }
    }
  }

  @Test("what fits into a slice is done at once, without a pause")
  func short() {
    let bench = Bench()
    for name in ["a", "b"] { bench.begin(name, steps: 4) }
    #expect(bench.done == ["a", "a", "a", "a", "b", "b", "b", "b"] && bench.pauses.isEmpty)
  }

  @Test("longer work pauses after each slice, for as long as that took")
  func long() {
    let bench = Bench()
    bench.begin("a", steps: 12)
    #expect(bench.done.count == 5 && bench.pauses == [SlicedWork.slice])
    bench.work.resume()
    #expect(bench.done.count == 10)
    bench.work.resume()
    #expect(bench.done.count == 12 && bench.pauses == [SlicedWork.slice, SlicedWork.slice])
    bench.begin("b", steps: 1, time: 3 * SlicedWork.slice)
    #expect(bench.pauses.last == 3 * SlicedWork.slice)
  }

  @Test("a slice is as long as the pause before it was, up to a bound")
  func longPauses() {
    let bench = Bench()
    bench.begin("a", steps: 100)
    bench.now += 2 * SlicedWork.slice
    bench.work.resume()
    #expect(bench.done.count == 5 + 10)
    bench.now += 100 * SlicedWork.slice
    bench.work.resume()
    #expect(bench.done.count == 15 + 20 && bench.pauses.last == SlicedWork.longestSlice)
  }

  @Test("several works take turns, slice by slice, and what begins in a pause waits for its end")
  func turns() {
    let bench = Bench()
    bench.begin("a", steps: 8)
    bench.begin("b", steps: 8)
    #expect(bench.done == [String](repeating: "a", count: 5))
    bench.work.resume()
    #expect(bench.done.suffix(5) == ["a", "a", "a", "b", "b"])
    bench.begin("c", steps: 1)
    bench.work.resume()
    #expect(bench.done.suffix(5) == ["b", "b", "b", "b", "b"])
    bench.work.resume()
    #expect(bench.done.suffix(2) == ["c", "b"])
  }

  @Test("work that begins another one is over before that begins")
  func nested() {
    let bench = Bench()
    bench.begin("a", steps: 2) { bench.begin("b", steps: 1) }
    #expect(bench.done == ["a", "a", "b"])
  }
}
