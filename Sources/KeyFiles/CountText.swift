/// Whole numbers: decimal digits and nothing else.
package enum CountText {
  /// The number.
  ///
  /// - Throws: ``ValueFault``; `outOfRange` for what does not fit in an `Int`.
  package static func parse(_ text: String) throws(ValueFault) -> Int {
    var rest = Array(text.utf8)[...]
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { throw .signed }
    let digits = rest.take(while: \.isDigit)
    guard !digits.isEmpty && rest.isEmpty else { throw .notANumber }
    guard let result = Int(exactly: try Self.digits(digits)) else { throw .outOfRange }
    return result
  }

  /// The text of a number.
  package static func print(_ number: Int) -> String { "\(number)" }

  /// The value of decimal digits; none at all are 0.
  static func digits(_ digits: ArraySlice<UInt8>) throws(ValueFault) -> UInt64 {
    var value: UInt64 = 0
    for digit in digits {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      if overflow || carry { throw .outOfRange }
      value = sum
    }
    return value
  }
}
