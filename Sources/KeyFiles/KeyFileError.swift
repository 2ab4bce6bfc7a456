/// What keeps a text from being a key file, and where.
package struct KeyFileError: Error, Equatable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  /// What is wrong with it.
  package let fault: KeyFileFault
}

/// What can be wrong with a line of a key file.
package enum KeyFileFault: Equatable, Sendable {
  /// A NUL byte.
  case containsNUL
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A key without a section above it.
  case keyBeforeSection
  /// `Encoding=` with something else than UTF-8, which key files give a meaning of its own.
  case encoding
  /// A line that is no comment, no section and no key; its text.
  case badLine(String)

  /// The fault in words, without the text of the line.
  package var words: String {
    switch self {
    case .containsNUL: "contains a NUL byte"
    case .notUTF8: "not UTF-8"
    case .keyBeforeSection: "a key before the first section"
    case .encoding: "only UTF-8 is read"
    case .badLine(let line) where line.utf8.first == UInt8(ascii: ";"):
      "neither a section, a key nor a comment; comments start with #"
    case .badLine: "neither [Section], Key=value nor # comment"
    }
  }
}
