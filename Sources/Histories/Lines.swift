/// Cuts a text into lines at its LFs; an unfinished last line counts.
struct Lines {
  /// The whole text.
  let bytes: [UInt8]
  /// The number of the line that came last, from 1.
  private(set) var number = 0
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next line, without its LF; nil at the end.
  mutating func next() -> Range<Int>? {
    guard let line = peek() else { return nil }
    at = min(line.upperBound + 1, bytes.count)
    number += 1
    return line
  }

  /// The next line, which stays the next one.
  func peek() -> Range<Int>? {
    if at == bytes.count { return nil }
    return at..<(bytes[at...].firstIndex(of: 0x0a) ?? bytes.count)
  }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension Collection<UInt8> {
  /// The value if all of it is digits, at least one; held within 64 bits.
  var seconds: Int64? {
    if isEmpty || !allSatisfy(\.isDigit) { return nil }
    return Int64(String(decoding: self, as: UTF8.self)) ?? .max
  }
}

/// Turns Unix seconds into nanoseconds.
///
/// - Throws: `time`.
func nanoseconds(_ seconds: Int64) throws(HistoryFault) -> Int64 {
  let (time, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  if overflow { throw .time }
  return time
}
