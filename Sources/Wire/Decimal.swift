/// A number as it was written, taken apart but not yet turned into a value: nothing is lost on the way, as it would be
/// through `Double`.
///
///     decimal  = ["-"] 1*DIGIT ["." 1*DIGIT] [exponent]
///     exponent = ("e" / "E") ["-" / "+"] 1*DIGIT          ; in JSON only
struct Decimal {
  private var isNegative = false
  private var whole: Bytes
  private var fraction: Bytes
  private var exponent = 0

  /// Exponents are held within this; no line is long enough for more to matter.
  private static let maxExponent = 1_000_000_000_000

  /// Takes `text` apart; nil if it is not a number to its end.
  ///
  /// JSON's further rule about leading zeros is the scanner's.
  init?(_ text: Bytes, allowsExponent: Bool) {
    var at = 0
    if at < text.count, text[at] == UInt8(ascii: "-") {
      isNegative = true
      at += 1
    }
    guard let whole = Self.digits(in: text, from: at) else { return nil }
    self.whole = whole
    at += whole.count
    fraction = text[at..<at]
    if at < text.count, text[at] == UInt8(ascii: ".") {
      guard let digits = Self.digits(in: text, from: at + 1) else { return nil }
      fraction = digits
      at += 1 + digits.count
    }
    if allowsExponent, at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      var isDown = false
      if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
        isDown = text[at] == UInt8(ascii: "-")
        at += 1
      }
      guard let digits = Self.digits(in: text, from: at) else { return nil }
      for index in 0..<digits.count where exponent < Self.maxExponent {
        exponent = exponent * 10 + Int(digits[index] - 0x30)
      }
      exponent = min(exponent, Self.maxExponent) * (isDown ? -1 : 1)
      at += digits.count
    }
    if at != text.count { return nil }
  }

  private static func digits(in text: Bytes, from start: Int) -> Bytes? {
    var end = start
    while end < text.count, (0x30...0x39).contains(text[end]) { end += 1 }
    return end > start ? text[start..<end] : nil
  }

  /// A value times a power of ten, cut to a whole number.
  struct Scaled {
    /// Cut toward zero, and held within Int64.
    var value: Int64
    /// Nothing was cut off.
    var isWhole: Bool
    /// The value was within Int64 by itself.
    var isInRange: Bool
  }

  /// The value times 10 to the power of `shift`.
  ///
  /// - Complexity: O(n) in the digits written, whatever the exponent.
  func scaled(byPowerOfTen shift: Int) -> Scaled {
    var magnitude: UInt64 = 0
    var isWhole = true
    var isOver = false
    // `power` is the power of ten of the digit at hand, after scaling.
    var power = whole.count - 1 + exponent + shift
    for part in 0...1 {
      let digits = part == 0 ? whole : fraction
      for index in 0..<digits.count {
        let digit = UInt64(digits[index] - 0x30)
        if power >= 0 {
          isOver = !Self.append(digit, to: &magnitude) || isOver
        } else if digit != 0 {
          isWhole = false
        }
        power -= 1
      }
    }
    // Zeros that are not written, up to the unit: 1e5.
    while power >= 0, magnitude != 0, !isOver {
      isOver = !Self.append(0, to: &magnitude)
      power -= 1
    }
    let limit = isNegative ? Int64.min.magnitude : Int64.max.magnitude
    if isOver || magnitude > limit {
      return Scaled(value: isNegative ? .min : .max, isWhole: isWhole, isInRange: false)
    }
    let value = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    return Scaled(value: value, isWhole: isWhole, isInRange: true)
  }

  /// False if it is over UInt64; the magnitude stays not zero then.
  private static func append(_ digit: UInt64, to magnitude: inout UInt64) -> Bool {
    let (tens, overTens) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, overSum) = tens.addingReportingOverflow(digit)
    if overTens || overSum { return false }
    magnitude = sum
    return true
  }
}
