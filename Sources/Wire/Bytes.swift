/// Bytes of a line while it is parsed: a raw buffer whose every access is checked, in release builds too.
///
/// It does not keep the memory alive; whoever made it from a pointer vouches for the time it is used.
@safe struct Bytes {
  private let buffer: UnsafeRawBufferPointer

  /// Looks at `buffer` without taking it over.
  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  var count: Int { unsafe buffer.count }
  var isEmpty: Bool { count == 0 }

  /// The same bytes for those who take pointers.
  var raw: UnsafeRawBufferPointer { unsafe buffer }

  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return unsafe buffer[index]
  }

  subscript(range: Range<Int>) -> Bytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Bytes(UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  /// The eight bytes from `index` on, the first one lowest.
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count - 8)
    return unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Index of the first `byte` at or after `start`.
  ///
  /// - Complexity: O(n), without a call out: it is for tokens of a few bytes.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }
}

// Eight bytes at a time. Each test works on the low seven bits of every byte, so that no carry crosses into the
// next one and the lowest flag is exact; a byte of 0x80 and over is flagged by all of them.
extension UInt64 {
  private static let low7: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// The top bit of each byte that is not visible ASCII (0x21 to 0x7e).
  var flagsOfInvisible: UInt64 {
    let low = self & Self.low7
    let visible = low &+ (0x5f &* Self.ones)
    let delete = low &+ Self.ones
    return (~visible | delete | self) & Self.high
  }

  /// The top bit of each byte that cannot stand for itself inside a JSON string: `"`, `\`, below 0x20, 0x80 and over.
  var flagsOfJSONSpecial: UInt64 {
    let low = self & Self.low7
    let printable = low &+ (0x60 &* Self.ones)
    let notQuote = (low ^ (0x22 &* Self.ones)) &+ Self.low7
    let notBackslash = (low ^ (0x5c &* Self.ones)) &+ Self.low7
    return (~(printable & notQuote & notBackslash) | self) & Self.high
  }

  /// Which byte the lowest flag stands in, from 0 to 7.
  var firstFlaggedByte: Int { trailingZeroBitCount >> 3 }
}
