/// What keeps bytes from being a property list.
package enum PropertyListFault: Equatable, Sendable {
  // Either form.

  /// It ends within a value.
  case unexpectedEnd
  /// Containers within each other beyond the limit.
  case tooDeep
  /// A key that comes a second time in one dictionary.
  case duplicateKey
  /// A number, date or data that cannot be read.
  case badNumber, badDate, badData

  // As XML.

  /// A byte that cannot be there.
  case unexpectedByte
  /// An element that property lists do not have.
  case unknownElement
  /// An end tag that is not that of the open element.
  case wrongEndTag
  /// A reference to a character or entity that there is not.
  case badReference
  /// A document type with declarations of its own.
  case declarations
  /// A value without a key before it, in a dictionary.
  case keyExpected

  // Binary.

  /// Numbers about the file that cannot be right.
  case badLayout
  /// A kind of object that is not read.
  case unknownObject
  /// Text that is none.
  case badText
  /// Written out, it is larger than a file may be.
  case tooLarge

  /// The fault in words.
  var words: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .tooDeep: "nested over \(DefinitionLimits.depth) levels deep"
    case .duplicateKey: "a key comes a second time"
    case .badNumber: "a number that cannot be read"
    case .badDate: "a date that cannot be read"
    case .badData: "data that is not base64"
    case .unexpectedByte: "unexpected byte"
    case .unknownElement: "unknown element"
    case .wrongEndTag: "wrong end tag"
    case .badReference: "unknown character or entity"
    case .declarations: "declarations in the document type are not read"
    case .keyExpected: "a key is expected"
    case .badLayout: "the layout of the file is damaged"
    case .unknownObject: "an unknown kind of object"
    case .badText: "invalid text"
    case .tooLarge: "its values are too large"
    }
  }
}
