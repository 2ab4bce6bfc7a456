import Wire

/// What is run by a command line, as a part of an action's id.
///
///     line       = *( blank / "(" ) *( assignment 1*blank ) word …
///     assignment = name ["+"] "=" value        ; the value as a word
///     word       = 1*( "\" byte / quoted / "$(" … ")" / byte )   ; up to a blank or one of ;&|()<>
enum CommandName {
  /// Longest name, in bytes of the id.
  static let longest = 200

  /// The first word that is no assignment, without quotes and folders; nil if there is none.
  ///
  /// - Complexity: O(n) in the bytes up to the end of that word.
  static func of(_ line: some Collection<UInt8>) -> [UInt8]? {
    var words = Words(rest: Array(line)[...])
    while let word = words.next() {
      if word.isAssignment { continue }
      if word.text.isEmpty || word.text.first == UInt8(ascii: "#") { return nil }
      let base = word.text.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? word.text
      return UseText.escaped(base, escaping: [UInt8(ascii: "#")], limit: longest)
    }
    return nil
  }

  private struct Words {
    var rest: ArraySlice<UInt8>

    /// The next word; nil at the end, and where an operator stands.
    mutating func next() -> (text: [UInt8], isAssignment: Bool)? {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == UInt8(ascii: "(") }
      let isAssignment = Self.beginsAssignment(rest)
      var text: [UInt8] = []
      var hasQuotes = false
      while let byte = rest.first {
        switch byte {
        case UInt8(ascii: "\\"):
          rest.removeFirst()
          if let next = rest.popFirst(), next != 0x0a { text.append(next) }
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
          hasQuotes = true
          text += takeQuoted()
        case UInt8(ascii: "(") where text.last == UInt8(ascii: "$") || text.last == UInt8(ascii: "="):
          text += takeParentheses()
        case 0x20, 0x09, 0x0a, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "("),
          UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"):
          return text.isEmpty && !hasQuotes ? nil : (text, isAssignment)
        default: text.append(rest.removeFirst())
        }
      }
      return text.isEmpty ? nil : (text, isAssignment)
    }

    private static func beginsAssignment(_ text: ArraySlice<UInt8>) -> Bool {
      let name = text.prefix { $0 == UInt8(ascii: "_") || $0.isDigit || (0x61...0x7a).contains($0 | 0x20) }
      guard let first = name.first, !first.isDigit else { return false }
      let rest = text[name.endIndex...]
      return rest.starts(with: "=".utf8) || rest.starts(with: "+=".utf8)
    }

    /// Takes what stands between two of the quote at hand; all there is if the second one is missing.
    private mutating func takeQuoted() -> [UInt8] {
      let quote = rest.removeFirst()
      var text: [UInt8] = []
      while let byte = rest.popFirst(), byte != quote {
        if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let next = rest.popFirst() {
          text.append(next)
        } else {
          text.append(byte)
        }
      }
      return text
    }

    /// Takes what stands between parentheses, with those that stand within.
    private mutating func takeParentheses() -> [UInt8] {
      var text: [UInt8] = []
      var depth = 0
      while let byte = rest.popFirst() {
        text.append(byte)
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if depth == 0 { break }
      }
      return text
    }
  }
}
