extension Bytes {
  /// Decodes the UTF-8 sequence at `index`; nil if it is not well-formed.
  ///
  /// Strict, as in table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing over U+10FFFF,
  /// nothing cut short.
  ///
  ///     00..7F
  ///     C2..DF  80..BF
  ///     E0      A0..BF  80..BF
  ///     E1..EC  80..BF  80..BF
  ///     ED      80..9F  80..BF
  ///     EE..EF  80..BF  80..BF
  ///     F0      90..BF  80..BF  80..BF
  ///     F1..F3  80..BF  80..BF  80..BF
  ///     F4      80..8F  80..BF  80..BF
  func scalar(at index: Int) -> (value: UInt32, length: Int)? {
    let lead = self[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch lead {
    case 0x00...0x7f: return (UInt32(lead), 1)
    case 0xc2...0xdf: length = 2
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: length = 3
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: length = 4
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return nil
    }
    guard index <= count - length, second.contains(self[index + 1]) else { return nil }
    var value = UInt32(lead) & (0x7f >> UInt32(length))
    value = value << 6 | UInt32(self[index + 1] & 0x3f)
    for offset in 2..<max(length, 2) {
      let next = self[index + offset]
      guard (0x80...0xbf).contains(next) else { return nil }
      value = value << 6 | UInt32(next & 0x3f)
    }
    return (value, length)
  }
}
