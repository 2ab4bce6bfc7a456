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

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return unsafe buffer[index]
  }

  @inline(__always)
  subscript(range: Range<Int>) -> Bytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Bytes(UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  /// The eight bytes from `index` on, the first one lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count - 8)
    return unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Where the run of visible ASCII (0x21 to 0x7e) that begins at `start` ends.
  ///
  /// - Complexity: O(n), eight bytes at a time; the run is within the buffer, and so is all that is read.
  @inline(__always)
  func endOfVisible(from start: Int) -> Int { unsafe end(from: start) { $0.flagsOfInvisible } }

  /// Where the run of ASCII that stands for itself inside a JSON string ends, which begins at `start`.
  @inline(__always)
  func endOfPlainJSON(from start: Int) -> Int { unsafe end(from: start) { $0.flagsOfJSONSpecial } }

  /// Where the run of visible ASCII but `"` and `\` ends, which begins at `start`.
  @inline(__always)
  func endOfVisibleJSON(from start: Int) -> Int {
    unsafe end(from: start) { $0.flagsOfInvisible | $0.flagsOfJSONSpecial }
  }

  /// Where the first byte at or after `start` stands that `flags` flags.
  @inline(__always) @unsafe
  private func end(from start: Int, _ flags: (UInt64) -> UInt64) -> Int {
    precondition(start >= 0 && start <= count)
    guard let base = unsafe buffer.baseAddress else { return start }
    let count = count
    var index = start
    while index &+ 8 <= count {
      let found = unsafe flags(UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      if found != 0 { return index &+ found.firstFlaggedByte }
      index &+= 8
    }
    // A rest of less than eight bytes.
    while index < count {
      if unsafe flags(UInt64(base.load(fromByteOffset: index, as: UInt8.self))) & 0x80 != 0 { return index }
      index &+= 1
    }
    return index
  }

  /// Index of the first `byte` at or after `start`.
  ///
  /// - Complexity: O(n), eight bytes at a time, without a call out: it is for short texts.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    let index = unsafe end(from: start) { $0.flags(of: byte) }
    return index < count ? index : nil
  }
}

// Eight bytes at a time. Each test works on the low seven bits of every byte, so that no carry crosses into the
// next one and the lowest flag is exact.
extension UInt64 {
  private static let low7: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// The top bit of each byte that is not visible ASCII (0x21 to 0x7e), one of 0x80 and over among them.
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

  /// The top bit of each byte that is `byte`, which is ASCII.
  func flags(of byte: UInt8) -> UInt64 {
    let other = self ^ (UInt64(byte) &* Self.ones)
    return ~((other & Self.low7) &+ Self.low7 | other) & Self.high
  }

  /// Which byte the lowest flag stands in, from 0 to 7; 8 if there is none.
  var firstFlaggedByte: Int { trailingZeroBitCount >> 3 }
}
