/// How many columns of a terminal text takes.
enum DisplayWidth {
  /// The columns of a text without control characters: 2 for what is wide, 0 for what combines with its neighbour.
  ///
  /// - Complexity: O(n).
  static func of(_ text: String) -> Int {
    // ASCII is nearly all there is.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text cut to so many columns, with `…` at its end if something was cut.
  static func fit(_ text: String, columns limit: Int) -> String {
    if of(text) <= limit { return text }
    var (result, width) = ("", 0)
    for character in text {
      width += columns(of: character)
      if width > limit - 1 { break }
      result.append(character)
    }
    return limit > 0 ? result + "…" : ""
  }

  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // A picture is wide however many parts it is joined from; U+FE0F asks for one in place of a letter.
    if first.properties.isEmojiPresentation { return 2 }
    if first.properties.isEmoji, scalars.contains(where: { $0.value == 0xfe0f }) { return 2 }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if isWide(scalar.value) { return 2 }
    // Vowels and finals of Hangul stand within the syllable that an initial begins.
    if (0x1160...0x11ff).contains(scalar.value) { return 0 }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: 1
    }
  }

  /// The blocks whose characters East Asian Width gives as W or F, but for pictures, which ask for themselves.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18dff,
      0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }
}
