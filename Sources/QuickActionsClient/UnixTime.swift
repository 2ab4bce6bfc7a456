import Posix
import Wire

/// An instant, nanoseconds since 1970 in UTC; from the year 1677 to 2262.
public struct UnixTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Nanoseconds since 1970.
  public var nanoseconds: Int64

  /// An instant by its nanoseconds since 1970.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whole seconds since 1970, held within the range.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Reads a time as lines of uses have it: Unix seconds with or without a fraction, or RFC 3339. Nil if it is neither.
  public init?(_ text: String) {
    guard let time = try? UseText.time(Array(text.utf8)) else { return nil }
    nanoseconds = time
  }

  /// The instant of this call, by the wall clock.
  public static var now: UnixTime { UnixTime(nanoseconds: Clocks.wall()) }

  /// RFC 3339 in UTC, with milliseconds.
  public var description: String { RFC3339.string(nanoseconds: nanoseconds, fractionDigits: 3) }

  /// Whether one instant is before another.
  public static func < (first: UnixTime, second: UnixTime) -> Bool { first.nanoseconds < second.nanoseconds }
}
