/// Durations as systemd writes them, in whole nanoseconds.
///
///     duration  = number | component *( *blank component )
///     component = number *blank unit
///     number    = 1*digit [ "." 1*digit ] | "." 1*digit
///     blank     = space | tab
///
/// A number alone means seconds. There is no sign and no `infinity`. Unlike in systemd a number without a
/// unit cannot follow a component: `1h 30` would be an hour and 30 seconds there, which nobody expects.
package enum DurationText {
  /// One microsecond in nanoseconds.
  package static let microsecond: Int64 = 1_000
  /// One millisecond in nanoseconds.
  package static let millisecond: Int64 = 1_000 * microsecond
  /// One second in nanoseconds.
  package static let second: Int64 = 1_000 * millisecond
  /// One minute in nanoseconds.
  package static let minute: Int64 = 60 * second
  /// One hour in nanoseconds.
  package static let hour: Int64 = 60 * minute
  /// One day of 24 hours in nanoseconds.
  package static let day: Int64 = 24 * hour
  /// One week in nanoseconds.
  package static let week: Int64 = 7 * day
  /// One year of 365.25 days in nanoseconds.
  package static let year: Int64 = 365 * day + 6 * hour
  /// One month, the twelfth of a year (30.4375 days, which systemd's manual rounds to 30.44), in nanoseconds.
  package static let month: Int64 = year / 12

  private static let units: [(names: [String], length: Int64)] = [
    (["ns", "nsec"], 1),
    (["us", "usec", "µs", "μs"], microsecond),  // U+00B5 and U+03BC
    (["ms", "msec"], millisecond),
    (["s", "sec", "second", "seconds"], second),
    (["m", "min", "minute", "minutes"], minute),
    (["h", "hr", "hour", "hours"], hour),
    (["d", "day", "days"], day),
    (["w", "week", "weeks"], week),
    (["M", "month", "months"], month),
    (["y", "year", "years"], year),
  ]

  /// The nanoseconds of a duration, rounded down in each component.
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  /// - Throws: ``ValueFault``; `outOfRange` for what does not fit in 64 bits.
  package static func parse(_ text: String) throws(ValueFault) -> Int64 {
    if text.utf8.elementsEqual("infinity".utf8) { throw .infinite }
    var rest = Array(text.utf8)[...]
    rest.dropBlanks()
    guard !rest.isEmpty else { throw .notADuration }
    var total: Int64 = 0
    var isFirst = true
    while !rest.isEmpty {
      let number = try takeNumber(&rest)
      rest.dropBlanks()
      let unit = rest.take { $0.isLetter || $0 >= 0x80 }
      if unit.isEmpty && !(isFirst && rest.isEmpty) { throw .notADuration }
      let (sum, overflow) = total.addingReportingOverflow(try number.times(unit.isEmpty ? second : length(of: unit)))
      if overflow { throw .outOfRange }
      total = sum
      rest.dropBlanks()
      isFirst = false
    }
    return total
  }

  /// The text of a number of nanoseconds, exact: `7d`, `1h 30min`, `100ms`.
  ///
  /// Years are used for whole years only, and weeks and months never, so that what was written in days stays so.
  package static func print(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "0" }
    if nanoseconds > 0 && nanoseconds.isMultiple(of: year) { return "\(nanoseconds / year)y" }
    var rest = nanoseconds.magnitude
    var parts: [String] = []
    for (name, length) in [
      ("d", day), ("h", hour), ("min", minute), ("s", second), ("ms", millisecond), ("us", microsecond), ("ns", 1),
    ] as [(String, Int64)] {
      let (whole, remainder) = rest.quotientAndRemainder(dividingBy: length.magnitude)
      if whole > 0 { parts.append("\(whole)\(name)") }
      rest = remainder
    }
    return (nanoseconds < 0 ? "-" : "") + parts.joined(separator: " ")
  }

  private static func length(of unit: ArraySlice<UInt8>) throws(ValueFault) -> Int64 {
    for (names, length) in units where names.contains(where: { $0.utf8.elementsEqual(unit) }) { return length }
    throw .unknownUnit(String(decoding: unit, as: UTF8.self))
  }

  /// A decimal number: `whole` plus `fraction / 10^digits`.
  private struct Number {
    var whole: UInt64 = 0
    var fraction: UInt64 = 0
    var scale: UInt64 = 1

    /// The number times a length, rounded down.
    func times(_ length: Int64) throws(ValueFault) -> Int64 {
      // Below 2^64 · 2^55 + 2^60 · 2^55: 128 bits are enough.
      let length = UInt128(length)
      let product = UInt128(whole) * length + UInt128(fraction) * length / UInt128(scale)
      guard let result = Int64(exactly: product) else { throw .outOfRange }
      return result
    }
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) throws(ValueFault) -> Number {
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { throw .signed }
    var number = Number()
    let whole = rest.take(while: \.isDigit)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = rest.take(while: \.isDigit)
      if fraction.isEmpty { throw .notADuration }
    }
    if whole.isEmpty && fraction.isEmpty { throw .notADuration }
    number.whole = try CountText.digits(whole)
    // The 19th digit of a year is worth less than a tenth of a nanosecond.
    for digit in fraction.prefix(18) {
      number.fraction = number.fraction * 10 + UInt64(digit - UInt8(ascii: "0"))
      number.scale *= 10
    }
    return number
  }
}
