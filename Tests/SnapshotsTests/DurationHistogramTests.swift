import TestSupport
import Testing

@testable import Snapshots

struct DurationHistogramTests {
  @Test("a share's time is at most an eighth over what a sorted list has, and never over the longest")
  func quantiles() {
    var random = SeededRandom()
    for _ in 0..<50 {
      var histogram = DurationHistogram()
      let times = (0..<Int.random(in: 1...300, using: &random)).map { _ in
        Int64.random(in: 0...(1 << Int64.random(in: 0...60, using: &random)), using: &random)
      }
      for time in times { histogram.add(time) }
      let sorted = times.sorted()
      #expect(histogram.count == UInt64(times.count) && histogram.longest == sorted.last)
      for share in [0.001, 0.5, 0.9, 0.999, 1] {
        let exact = sorted[max(Int((Double(times.count) * share).rounded(.up)) - 1, 0)]
        let found = histogram.quantile(share)
        #expect(found >= exact && found <= sorted.last ?? 0, "seed \(random.seed)")
        #expect(found - exact <= exact / 8, "\(exact) is said to be \(found), seed \(random.seed)")
      }
    }
  }

  @Test("without any there is no time, and the ends of the range have their buckets")
  func ends() {
    var histogram = DurationHistogram()
    #expect(histogram.quantile(0.999) == 0 && histogram.longest == 0 && histogram.count == 0)
    for time in [Int64.min, 0, 1, 7, 8, 15, 16, .max] { histogram.add(time) }
    #expect(histogram.count == 8 && histogram.quantile(0) == 0 && histogram.quantile(1) == .max)
    #expect(histogram.quantile(0.375) == 1 && histogram.quantile(0.5) == 7 && histogram.quantile(0.625) == 8)
  }
}
