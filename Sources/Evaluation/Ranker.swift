/// Ranks the actions of one user by what is known of the uses so far.
///
/// Actions are numbered from 0 in any order, and told of at their first use.
package protocol Ranker: SendableMetatype, ~Copyable {
  /// Offers the actions that may be among the best at the moment of the next use, of which nothing else is known yet.
  ///
  /// It is called once before each use but the very first, at times that never go back.
  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders)

  /// Counts a use.
  mutating func count(_ action: Int, at moment: UseMoment)
}

/// The place of a use among all of its user's.
package struct UseMoment: Equatable, Sendable {
  /// Counted from 0.
  package let index: Int
  /// Unix nanoseconds, within ±2⁶².
  package let time: Int64

  package init(index: Int, time: Int64) {
    self.index = index
    self.time = time
  }
}

extension Int64 {
  /// Nanoseconds of so many hours.
  static func hours(_ count: Int64) -> Int64 { count * 3_600_000_000_000 }

  /// Nanoseconds of so many days.
  static func days(_ count: Int64) -> Int64 { hours(24 * count) }
}
