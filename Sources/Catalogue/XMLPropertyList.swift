import KeyFiles
import Wire

/// The XML form of property lists.
///
///     document = *misc "<plist>" value "</plist>" *misc
///     misc     = blank / comment / "<?" … "?>" / "<!DOCTYPE" … ">"
///     value    = dict / array / <string> / <integer> / <real> / <date> / <data> / <true/> / <false/>
///     dict     = "<dict>" *( <key> value ) "</dict>"
///     array    = "<array>" *value "</array>"
///
/// Attributes are passed over. Text may hold the five entities of XML, references to characters, and CDATA sections.
struct XMLPropertyList {
  private let text: [UInt8]
  private var at = 0

  /// A start tag.
  private struct Tag {
    let name: String
    /// Whether it is an end tag as well.
    let isEmpty: Bool
    let offset: Int
  }

  private init(_ text: [UInt8]) { self.text = text }

  /// - Parameter text: UTF-8.
  /// - Throws: what is wrong, at its byte.
  static func read(_ text: [UInt8]) throws(DefinitionError) -> JSONNode {
    var list = XMLPropertyList(text)
    return try list.document()
  }

  private func fault(_ fault: PropertyListFault, at offset: Int? = nil) -> DefinitionError {
    let isEnd = fault == .unexpectedByte && at >= text.count
    return DefinitionError(.propertyList(isEnd ? .unexpectedEnd : fault), at: offset ?? at)
  }

  private mutating func document() throws(DefinitionError) -> JSONNode {
    try skipMisc()
    let root = try startTag()
    guard root.name == "plist", !root.isEmpty else { throw fault(.unknownElement, at: root.offset) }
    try skipMisc()
    let node = try value(try startTag(), depth: 0)
    try skipMisc()
    try endTag(root)
    try skipMisc()
    if at < text.count { throw fault(.unexpectedByte) }
    return node
  }

  private mutating func value(_ tag: Tag, depth: Int) throws(DefinitionError) -> JSONNode {
    JSONNode(try jsonValue(tag, depth: depth), offset: tag.offset)
  }

  private mutating func jsonValue(_ tag: Tag, depth: Int) throws(DefinitionError) -> JSONValue {
    switch tag.name {
    case "dict": return .object(try members(tag, depth: depth + 1))
    case "array": return .array(try elements(tag, depth: depth + 1))
    case "string": return .string(try content(tag))
    case "integer": return .number(try integer(try content(tag), at: tag.offset))
    case "real":
      guard let number = Double(try trimmed(tag)).flatMap(JSONNumber.init) else {
        throw fault(.badNumber, at: tag.offset)
      }
      return .number(number)
    case "date":
      let text = try trimmed(tag)
      guard unsafe Array(text.utf8).withUnsafeBytes({ unsafe RFC3339.parse($0) }) != nil else {
        throw fault(.badDate, at: tag.offset)
      }
      return .string(text)
    case "data":
      let text = try content(tag).utf8.filter { !$0.isSpace }
      guard Base64.isValid(text) else { throw fault(.badData, at: tag.offset) }
      return .string(String(decoding: text, as: UTF8.self))
    case "true", "false":
      guard try trimmed(tag).isEmpty else { throw fault(.unknownElement, at: tag.offset) }
      return .bool(tag.name == "true")
    default: throw fault(.unknownElement, at: tag.offset)
    }
  }

  private mutating func trimmed(_ tag: Tag) throws(DefinitionError) -> String {
    String(decoding: Array(try content(tag).utf8)[...].trimmed, as: UTF8.self)
  }

  /// A whole number, decimal or hexadecimal, that 64 bits hold with a sign or without.
  private func integer(_ content: String, at offset: Int) throws(DefinitionError) -> JSONNumber {
    var digits = Array(content.utf8)[...].trimmed
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    if isHexadecimal { digits.removeFirst(2) }
    guard digits.first != UInt8(ascii: "-"), digits.first != UInt8(ascii: "+"),
      let magnitude = UInt64(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      !isNegative || magnitude <= Int64.min.magnitude
    else { throw fault(.badNumber, at: offset) }
    return JSONNumber(isNegative ? -Int128(magnitude) : Int128(magnitude))
  }

  private mutating func elements(_ tag: Tag, depth: Int) throws(DefinitionError) -> [JSONNode] {
    if depth > DefinitionLimits.depth { throw fault(.tooDeep, at: tag.offset) }
    var result: [JSONNode] = []
    while try !isAtEnd(of: tag) { result.append(try value(try startTag(), depth: depth)) }
    return result
  }

  private mutating func members(_ tag: Tag, depth: Int) throws(DefinitionError) -> [JSONObjectMember] {
    if depth > DefinitionLimits.depth { throw fault(.tooDeep, at: tag.offset) }
    var names: Set<[UInt8]> = []
    var result: [JSONObjectMember] = []
    while try !isAtEnd(of: tag) {
      let key = try startTag()
      guard key.name == "key" else { throw fault(.keyExpected, at: key.offset) }
      let name = try content(key)
      if !names.insert(Array(name.utf8)).inserted { throw fault(.duplicateKey, at: key.offset) }
      try skipMisc()
      result.append(JSONObjectMember(name, try value(try startTag(), depth: depth)))
    }
    return result
  }

  /// Whether a container ends here; if so, its end tag is taken.
  private mutating func isAtEnd(of tag: Tag) throws(DefinitionError) -> Bool {
    if tag.isEmpty { return true }
    try skipMisc()
    guard isNext("</") else { return false }
    try endTag(tag)
    return true
  }
}

// What XML is made of.
extension XMLPropertyList {
  private func isNext(_ token: StaticString) -> Bool {
    token.withUTF8Buffer { bytes in unsafe text[min(at, text.count)...].starts(with: bytes) }
  }

  private mutating func take(_ token: StaticString) -> Bool {
    guard isNext(token) else { return false }
    at += token.utf8CodeUnitCount
    return true
  }

  /// Goes behind the next `token`.
  private mutating func skip(to token: StaticString) throws(DefinitionError) {
    while !take(token) {
      if at >= text.count { throw fault(.unexpectedEnd) }
      at += 1
    }
  }

  private mutating func skipBlanks() {
    while at < text.count, text[at].isSpace { at += 1 }
  }

  private mutating func skipMisc() throws(DefinitionError) {
    while true {
      skipBlanks()
      if take("<!--") {
        try skip(to: "-->")
      } else if take("<?") {
        try skip(to: "?>")
      } else if take("<!DOCTYPE") {
        while !take(">") {
          if isNext("[") { throw fault(.declarations) }
          if at >= text.count { throw fault(.unexpectedEnd) }
          at += 1
        }
      } else {
        return
      }
    }
  }

  private mutating func name() -> String {
    let name = text[at...].prefix { $0.isLetter || $0.isDigit }
    at += name.count
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func startTag() throws(DefinitionError) -> Tag {
    let offset = at
    guard take("<") else { throw fault(.unexpectedByte) }
    let name = name()
    if name.isEmpty { throw fault(.unexpectedByte, at: offset) }
    var quote: UInt8?
    while at < text.count {
      let byte = text[at]
      at += 1
      switch (byte, quote) {
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
      case (UInt8(ascii: ">"), nil):
        return Tag(name: name, isEmpty: text[at - 2] == UInt8(ascii: "/"), offset: offset)
      case (let byte, let open) where byte == open: quote = nil
      default: break
      }
    }
    throw fault(.unexpectedEnd)
  }

  private mutating func endTag(_ tag: Tag) throws(DefinitionError) {
    let offset = at
    guard take("</") else { throw fault(.unexpectedByte) }
    if name() != tag.name { throw fault(.wrongEndTag, at: offset) }
    skipBlanks()
    if !take(">") { throw fault(.unexpectedByte) }
  }

  /// The text of an element, up to and with its end tag.
  private mutating func content(_ tag: Tag) throws(DefinitionError) -> String {
    if tag.isEmpty { return "" }
    var bytes: [UInt8] = []
    while at < text.count {
      if take("<!--") {
        try skip(to: "-->")
      } else if take("<![CDATA[") {
        let start = at
        try skip(to: "]]>")
        bytes += text[start..<(at - 3)]
      } else if isNext("<") {
        try endTag(tag)
        return String(decoding: bytes, as: UTF8.self)
      } else if take("&") {
        bytes += String(try reference()).utf8
      } else {
        bytes.append(text[at])
        at += 1
      }
    }
    throw fault(.unexpectedEnd)
  }

  /// The character of a reference, behind its `&`.
  private mutating func reference() throws(DefinitionError) -> Unicode.Scalar {
    let offset = at - 1
    let body = text[at...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
    at += body.count
    let name = String(decoding: body, as: UTF8.self)
    guard take(";") else { throw fault(.badReference, at: offset) }
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard name.hasPrefix("#"), digits.utf8.allSatisfy({ $0.isLetter || $0.isDigit }),
        let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), value != 0, let scalar = Unicode.Scalar(value)
      else { throw fault(.badReference, at: offset) }
      return scalar
    }
  }
}
