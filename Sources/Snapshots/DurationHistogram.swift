/// How long things took, in buckets that are each an eighth of a power of two wide: what is said of a share of them is at
/// most an eighth more than it was. 4 KiB.
package struct DurationHistogram: Sendable {
  private static let steps = 8
  private var buckets = [UInt64](repeating: 0, count: 64 * steps)
  /// How many there were.
  package private(set) var count: UInt64 = 0
  /// The longest of them, nanoseconds; 0 without any.
  package private(set) var longest: Int64 = 0

  package init() {}

  /// Adds one, nanoseconds; less than nothing counts as nothing.
  package mutating func add(_ nanoseconds: Int64) {
    let time = max(nanoseconds, 0)
    buckets[Self.bucket(UInt64(time))] += 1
    count += 1
    longest = max(longest, time)
  }

  /// What a share of them, 0 to 1, did not exceed, nanoseconds; 0 without any.
  package func quantile(_ share: Double) -> Int64 {
    let wanted = (Double(count) * share).rounded(.up)
    var found: UInt64 = 0
    for bucket in buckets.indices where buckets[bucket] > 0 {
      found += buckets[bucket]
      if Double(found) >= wanted { return min(longest, Self.end(of: bucket)) }
    }
    return longest
  }

  /// Below ``steps`` each number has a bucket; from there on the three bits behind the leading one tell.
  private static func bucket(_ time: UInt64) -> Int {
    if time < steps { return Int(time) }
    let power = 63 - time.leadingZeroBitCount
    return (power - 2) * steps + Int((time >> UInt64(power - 3)) & 7)
  }

  /// The longest time of a bucket.
  private static func end(of bucket: Int) -> Int64 {
    if bucket < steps { return Int64(bucket) }
    let (power, step) = (bucket / steps + 2, bucket % steps)
    return Int64(clamping: UInt64(steps + step + 1) << UInt64(power - 3) - 1)
  }
}
