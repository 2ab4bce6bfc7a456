/// Numbers as text.
///
///     text = digits ["." digits]               ; 0, and where 0.00001 ≤ value < 1e21
///          / digit ["." digits] "e" sign 2*3DIGIT   ; else: 1.5e-07, 1.5e+21
///
/// The text depends on the value alone: no locale, no C library. It is rounded correctly, from the exact value of the
/// Double, and a tie goes to the even digit. Below 1e-307, where a Double itself has fewer than six digits, it is the
/// shortest text that reads back as the same value.
package enum DecimalText {
  private static let digitCount = 6

  /// Appends `value`, finite and not negative, as a JSON number with at most 6 significant digits, without zeros at
  /// the end of a fraction.
  package static func append(sixSignificantDigits value: Double, to bytes: inout [UInt8]) {
    precondition(value.isFinite && value >= 0)
    if value == 0 {
      bytes.append(UInt8(ascii: "0"))
      return
    }
    var (digits, exponent) = rounded(value)
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    if exponent < -5 || exponent >= 21 {
      append(digits, pointAfter: 1, to: &bytes)
      bytes.append(UInt8(ascii: "e"))
      bytes.append(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      if exponent.magnitude < 10 { bytes.append(UInt8(ascii: "0")) }
      bytes.append(contentsOf: String(exponent.magnitude).utf8)
    } else {
      append(digits, pointAfter: exponent + 1, to: &bytes)
    }
  }

  private static func append(_ digits: [UInt8], pointAfter whole: Int, to bytes: inout [UInt8]) {
    if whole <= 0 {
      bytes.append(contentsOf: "0.".utf8)
      for _ in whole..<0 { bytes.append(0x30) }
    }
    for (index, digit) in digits.enumerated() {
      if index == whole, whole > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(0x30 + digit)
    }
    for _ in digits.count..<max(digits.count, whole) { bytes.append(0x30) }
  }

  /// The first six digits of `value`, and the power of ten of the first of them.
  ///
  /// The shortest text that reads back as `value` lies on the same side of the middle between two six-digit numbers as
  /// `value` itself: if not, the middle, which is shorter or nearer, would have been the shortest text. Only if it *is*
  /// the middle, the exact value decides.
  private static func rounded(_ value: Double) -> (digits: [UInt8], exponent: Int) {
    var (digits, exponent) = shortest(value)
    guard digits.count > digitCount else { return (digits, exponent) }
    let next = digits[digitCount]
    let isMiddle = next == 5 && digits.count == digitCount + 1
    let goesUp: Bool
    if isMiddle {
      let middle = digits.reduce(0) { $0 * 10 + UInt64($1) }
      switch compare(value, to: middle, timesTenTo: exponent - digitCount) {
      case 0: goesUp = digits[digitCount - 1] % 2 == 1
      case let order: goesUp = order > 0
      }
    } else {
      goesUp = next >= 5
    }
    digits.removeSubrange(digitCount...)
    if goesUp {
      var index = digitCount - 1
      while index >= 0, digits[index] == 9 {
        digits[index] = 0
        index -= 1
      }
      if index >= 0 {
        digits[index] += 1
      } else {
        digits[0] = 1
        exponent += 1
      }
    }
    return (digits, exponent)
  }

  /// Digits and exponent of the shortest text that reads back as `value`: `123.0`, `5e-324`, `1.5e+20`.
  private static func shortest(_ value: Double) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var exponent = -1
    var hasPoint = false
    var text = value.description.utf8[...]
    while let byte = text.popFirst() {
      if byte == UInt8(ascii: "e") {
        exponent += Int(String(Substring(text))) ?? 0
        break
      }
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if byte != 0x30 || !digits.isEmpty {
        digits.append(byte - 0x30)
        if !hasPoint { exponent += 1 }
      } else if hasPoint {
        exponent -= 1
      }
    }
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    return (digits, exponent)
  }

  /// Whether `value` is less than (-1), equal to (0) or more than (1) `number` · 10^`power`, exactly.
  private static func compare(_ value: Double, to number: UInt64, timesTenTo power: Int) -> Int {
    var left = Natural(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0))
    var right = Natural(number)
    let binary = max(Int(value.exponentBitPattern), 1) - 1075
    for _ in 0..<max(-power, 0) { left.multiply(by: 10) }
    for _ in 0..<max(power, 0) { right.multiply(by: 10) }
    for _ in 0..<max(binary, 0) { left.multiply(by: 2) }
    for _ in 0..<max(-binary, 0) { right.multiply(by: 2) }
    return left.compare(to: right)
  }

  /// A natural number of any size, for the one comparison.
  private struct Natural {
    /// Lowest first, the last one not zero.
    private var limbs: [UInt64]

    init(_ value: UInt64) { limbs = [value] }

    mutating func multiply(by factor: UInt64) {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let (high, low) = limbs[index].multipliedFullWidth(by: factor)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        limbs[index] = sum
        carry = high + (overflow ? 1 : 0)
      }
      if carry > 0 { limbs.append(carry) }
    }

    func compare(to other: Natural) -> Int {
      if limbs.count != other.limbs.count { return limbs.count < other.limbs.count ? -1 : 1 }
      for (left, right) in zip(limbs.reversed(), other.limbs.reversed()) where left != right {
        return left < right ? -1 : 1
      }
      return 0
    }
  }
}
