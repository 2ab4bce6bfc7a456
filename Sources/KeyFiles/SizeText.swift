/// Sizes in bytes.
///
///     size = 1*digit [ "K" | "M" | "G" | "T" ] [ "B" ]
///
/// A letter stands for a power of 1024. No sign, no fraction, no blanks.
package enum SizeText {
  private static let letters = Array("KMGT".utf8)

  /// The bytes of a size.
  ///
  /// - Throws: ``ValueFault``; `outOfRange` for what does not fit in an `Int`.
  package static func parse(_ text: String) throws(ValueFault) -> Int {
    var rest = Array(text.utf8)[...]
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { throw .signed }
    let digits = rest.take(while: \.isDigit)
    guard !digits.isEmpty else { throw .notASize }
    var power = 0
    if let letter = rest.first, let index = letters.firstIndex(of: letter) {
      power = index + 1
      rest.removeFirst()
    }
    if rest.first == UInt8(ascii: "B") { rest.removeFirst() }
    guard rest.isEmpty else { throw .notASize }
    let (bytes, overflow) = try CountText.digits(digits).multipliedReportingOverflow(by: 1 << (10 * UInt64(power)))
    guard !overflow, let result = Int(exactly: bytes) else { throw .outOfRange }
    return result
  }

  /// The text of a number of bytes, with the largest letter that leaves no rest: `4K`, `1M`, `255`.
  package static func print(_ bytes: Int) -> String {
    var number = bytes
    var power = 0
    while number != 0 && number.isMultiple(of: 1024) && power < letters.count {
      number /= 1024
      power += 1
    }
    return power == 0 ? "\(number)" : "\(number)\(Character(UnicodeScalar(letters[power - 1])))"
  }
}
