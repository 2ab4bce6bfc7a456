/// Makes text from a file fit for one line of a log or a terminal.
package enum PrintableText {
  /// The longest piece of a file that is repeated in a message, in bytes.
  package static let limit = 64

  /// The text with everything that does not print written as `\u{…}`, and cut with `…` to at most
  /// `limit` bytes.
  ///
  /// - Complexity: O(`limit`), or O(*n*) without a limit.
  package static func of(_ text: String, limit: Int = limit) -> String {
    var result = ""
    var lengthThatLeavesRoom = 0
    let mark = "…"
    for scalar in text.unicodeScalars {
      let piece = prints(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      guard result.utf8.count + piece.utf8.count <= limit else {
        return String(decoding: result.utf8.prefix(lengthThatLeavesRoom), as: UTF8.self) + mark
      }
      result += piece
      if result.utf8.count + mark.utf8.count <= limit { lengthThatLeavesRoom = result.utf8.count }
    }
    return result
  }

  private static func prints(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
