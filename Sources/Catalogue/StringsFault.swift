/// What keeps text from being a file of strings.
package enum StringsFault: Equatable, Sendable {
  /// A byte that cannot be there.
  case unexpectedByte
  /// It ends within an entry or a comment.
  case unexpectedEnd
  /// An escape that there is not.
  case badEscape

  /// The fault in words.
  var words: String {
    switch self {
    case .unexpectedByte: "unexpected byte"
    case .unexpectedEnd: "it ends too early"
    case .badEscape: "invalid escape"
    }
  }
}
