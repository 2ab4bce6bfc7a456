/// The hours that the history of uses is kept by: whole ones since 1970, UTC.
enum UseHour {
  private static let length: Int64 = 3_600_000_000_000

  /// The hour that a wall time lies in.
  static func number(of wall: Int64) -> Int64 { wall >= 0 ? wall / length : (wall + 1) / length - 1 }

  /// The wall time in the middle of an hour.
  static func middle(of hour: Int64) -> Int64 { hour * length + length / 2 }
}
