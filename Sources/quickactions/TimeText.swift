import QuickActionsClient

/// Times and sizes for people.
enum TimeText {
  private static let units: [(name: String, seconds: Int64)] = [
    ("year", 31_557_600), ("month", 2_629_800), ("week", 604_800), ("day", 86_400), ("hour", 3600), ("minute", 60),
    ("second", 1),
  ]

  /// How long ago a time was, or how far off it is: "3 minutes ago", "just now", "in 2 hours".
  static func ago(_ time: UnixTime?, now: UnixTime) -> String {
    guard let time else { return "never" }
    let seconds = now.nanoseconds / 1_000_000_000 - time.nanoseconds / 1_000_000_000
    if seconds < -1 { return "in " + span(seconds: -seconds) }
    return seconds < 1 ? "just now" : span(seconds: seconds) + " ago"
  }

  /// So many seconds in the largest unit of which there are two, or which fits: "90 minutes", "3 hours", "1 second".
  static func span(seconds: Int64) -> String {
    let unit = units.first { seconds >= 2 * $0.seconds } ?? ("second", 1)
    let count = seconds / unit.seconds
    return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
  }
}

/// Counts and sizes for people.
enum AmountText {
  /// So many bytes: "512 bytes", "1.5 MiB".
  static func size(_ bytes: UInt64) -> String {
    if bytes < 1024 { return "\(bytes) bytes" }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    // Tenths, rounded down.
    var (tenths, unit) = (bytes / 1024 * 10 + bytes % 1024 * 10 / 1024, 0)
    while tenths >= 10_240, unit < units.count - 1 { (tenths, unit) = (tenths / 1024, unit + 1) }
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
  }

  /// A score with two digits behind the point, more where it is small.
  static func score(_ score: Double) -> String {
    let (scale, digits) = score >= 1 || score == 0 ? (100.0, 2) : (10_000.0, 4)
    guard score < 1e15 else { return "\(score)" }
    let rounded = UInt64((score * scale).rounded())
    let fraction = String(rounded % UInt64(scale))
    return "\(rounded / UInt64(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// A share as a percentage with one digit behind the point, "48.6 %"; "–" if there is none.
  static func percent(_ share: Double?) -> String {
    guard let share, (0...1e6).contains(share) else { return "–" }
    let thousandths = Int((share * 1000).rounded())
    return "\(thousandths / 10).\(thousandths % 10) %"
  }

  /// So many of a thing: "1 use", "57 uses".
  static func count(_ count: some BinaryInteger, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }
}
