// Small words for reading text byte by byte.

extension UInt8 {
  /// An ASCII digit.
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// An ASCII letter.
  package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// A space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// What GLib takes for white space in a key file: vertical tab is none.
  package var isSpace: Bool { isBlank || self == 0x0A || self == 0x0C || self == 0x0D }
}

extension ArraySlice<UInt8> {
  mutating func dropBlanks() { self = drop(while: \.isBlank) }

  /// Takes off the longest beginning whose bytes satisfy a condition.
  mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = prefix(while: condition)
    removeFirst(taken.count)
    return taken
  }

  /// The bytes without white space at both ends.
  package var trimmed: ArraySlice<UInt8> {
    let rest = drop(while: \.isSpace)
    guard let last = rest.lastIndex(where: { !$0.isSpace }) else { return [] }
    return rest[...last]
  }
}
