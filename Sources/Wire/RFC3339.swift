/// Dates and times as RFC 3339 writes them.
///
///     date-time = date ("T" / "t") time offset
///     date      = 4DIGIT "-" 2DIGIT "-" 2DIGIT             ; a day that its month has
///     time      = 2DIGIT ":" 2DIGIT ":" 2DIGIT ["." 1*DIGIT]
///     offset    = "Z" / "z" / ("+" / "-") 2DIGIT ":" 2DIGIT
///
/// The second 60 is taken where a leap second can be, at 23:59:60 UTC, and counts as the one after it.
package enum RFC3339 {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
  private static let secondsPerDay: Int64 = 86_400

  /// The Unix time of `text` in nanoseconds, held within the range of Int64 (the years 1677 to 2262); nil if `text` is
  /// anything else than a date and time. Digits of the fraction after the ninth are dropped.
  ///
  /// - Complexity: O(n) in the digits of the fraction.
  package static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
    unsafe parse(Bytes(text))
  }

  /// As ``parse(_:)-(UnsafeRawBufferPointer)``, of a string.
  package static func parse(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { unsafe parse(Bytes(UnsafeRawBufferPointer($0))) }
  }

  static func parse(_ text: Bytes) -> Int64? {
    //  0123456789012345678 9
    //  YYYY-MM-DDThh:mm:ss…Z
    guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] | 0x20 == UInt8(ascii: "t"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let century = pair(text, at: 0), let yearOfCentury = pair(text, at: 2),
      let month = pair(text, at: 5), let day = pair(text, at: 8),
      let hour = pair(text, at: 11), let minute = pair(text, at: 14), let second = pair(text, at: 17)
    else { return nil }
    let year = century * 100 + yearOfCentury
    guard (1...12).contains(month), day >= 1, day <= lastDay(ofMonth: month, year: year),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }

    var at = 19
    guard let fraction = fraction(text, at: &at), let offset = offset(text, at: &at), at == text.count else {
      return nil
    }
    let time = hour * 3600 + minute * 60 + second - offset
    if second == 60, (time + secondsPerDay) % secondsPerDay != 0 { return nil }
    let seconds = days(year: year, month: month, day: day) * secondsPerDay + time
    let (scaled, overScaled) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
    let (sum, overSum) = scaled.addingReportingOverflow(fraction)
    if !overScaled, !overSum { return sum }
    // The fraction brings a time just under the range back into it.
    if overScaled, seconds < 0 {
      let next = (seconds + 1).multipliedReportingOverflow(by: nanosecondsPerSecond)
      let back = next.partialValue.subtractingReportingOverflow(nanosecondsPerSecond - fraction)
      if !next.overflow, !back.overflow { return back.partialValue }
    }
    return seconds < 0 ? .min : .max
  }

  private static func pair(_ text: Bytes, at index: Int) -> Int64? {
    let tens = text[index] &- 0x30
    let ones = text[index + 1] &- 0x30
    return tens <= 9 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
  }

  /// Nanoseconds of a fraction, 0 if there is none; nil if a point has no digit after it.
  private static func fraction(_ text: Bytes, at index: inout Int) -> Int64? {
    guard text[index] == UInt8(ascii: ".") else { return 0 }
    index += 1
    let start = index
    var nanoseconds: Int64 = 0
    var unit = nanosecondsPerSecond / 10
    while index < text.count, (0x30...0x39).contains(text[index]) {
      nanoseconds += Int64(text[index] - 0x30) * unit
      unit /= 10
      index += 1
    }
    return index > start ? nanoseconds : nil
  }

  /// Seconds that local time is ahead of UTC.
  private static func offset(_ text: Bytes, at index: inout Int) -> Int64? {
    guard index < text.count else { return nil }
    switch text[index] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      index += 1
      return 0
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard index <= text.count - 6, text[index + 3] == UInt8(ascii: ":"),
        let hours = pair(text, at: index + 1), hours <= 23,
        let minutes = pair(text, at: index + 4), minutes <= 59
      else { return nil }
      let sign: Int64 = text[index] == UInt8(ascii: "-") ? -1 : 1
      index += 6
      return sign * (hours * 3600 + minutes * 60)
    default:
      return nil
    }
  }

  private static func lastDay(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// days_from_civil).
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Appends a Unix time as UTC with a `Z`, cut toward the past to `fractionDigits` (0 or 3) digits of a second.
  package static func append(nanoseconds: Int64, fractionDigits: Int, to bytes: inout [UInt8]) {
    precondition(fractionDigits == 0 || fractionDigits == 3)
    let (seconds, rest) = floorDivided(nanoseconds, by: nanosecondsPerSecond)
    let (day, time) = floorDivided(seconds, by: secondsPerDay)
    let date = civil(days: day)
    appendDigits(date.year, 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendDigits(date.month, 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendDigits(date.day, 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    appendDigits(time / 3600, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendDigits(time / 60 % 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendDigits(time % 60, 2, to: &bytes)
    if fractionDigits == 3 {
      bytes.append(UInt8(ascii: "."))
      appendDigits(rest / 1_000_000, 3, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// A Unix time as text, as `append` writes it.
  package static func string(nanoseconds: Int64, fractionDigits: Int) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    append(nanoseconds: nanoseconds, fractionDigits: fractionDigits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The inverse of `days`; `civil_from_days` of the same source.
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func floorDivided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func appendDigits(_ value: Int64, _ width: Int, to bytes: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(0x30 + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
