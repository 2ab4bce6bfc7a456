/// Permission bits: octal digits, with or without a leading 0.
package enum ModeText {
  /// The bits.
  ///
  /// - Throws: ``ValueFault``; `outOfRange` for more than the twelve bits a file has.
  package static func parse(_ text: String) throws(ValueFault) -> UInt32 {
    guard !text.isEmpty && text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }) else {
      throw .notAMode
    }
    guard let mode = UInt32(text, radix: 8), mode <= 0o7777 else { throw .outOfRange }
    return mode
  }

  /// The text of a mode, as it is written in units: `0640`.
  package static func print(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
