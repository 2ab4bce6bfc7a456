/// Makes text from the daemon, a file or the command line fit for a terminal.
enum VisibleText {
  /// The text with everything that a terminal would obey, or that does not show, written as `\u{…}`.
  ///
  /// - Complexity: O(n).
  static func of(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(shows) { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if shows(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  private static func shows(_ scalar: Unicode.Scalar) -> Bool {
    // The joiner is what holds an emoji of several together.
    if scalar.isASCII || scalar.value == 0x200d { return (0x20...0x7e).contains(scalar.value) || !scalar.isASCII }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
