/// The hours that the history of uses is kept by: whole ones since 1970, UTC.
package enum UseHour {
  /// Nanoseconds.
  package static let length: Int64 = 3_600_000_000_000

  /// The hour that a wall time lies in.
  package static func number(of wall: Int64) -> Int64 {
    let (quotient, rest) = wall.quotientAndRemainder(dividingBy: length)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The wall time in the middle of an hour.
  package static func middle(of hour: Int64) -> Int64 {
    // An hour that no wall time lies in has the first or last one that is whole.
    min(max(hour, Int64.min / length), Int64.max / length - 1) * length + length / 2
  }
}
