import KeyFiles
import Wire

/// A file of strings: texts by keys, as a property list or in the form
///
///     file    = *( blank / comment / entry )
///     entry   = string [ "=" string ] ";"           ; a key alone is its own text
///     string  = %x22 *( character / escape ) %x22 / 1*( letter / digit / "_" / "." / "-" / "$" / "/" / ":" )
///     escape  = "\" ( %x22 / "'" / "\" / "n" / "t" / "r" / line-end / ( "U" / "u" ) 4HEXDIG )
///     comment = "/*" … "*/" / "//" … line-end
///
/// Keys are bytes: two texts can be equal and differ in them. Of a key that comes twice the last one counts.
struct StringsFile {
  private let text: [UInt8]
  private var at = 0

  private init(_ text: [UInt8]) { self.text = text }

  /// - Throws: what is wrong, at its byte.
  /// - Complexity: O(*n*).
  static func read(_ text: SourceText) throws(DefinitionError) -> [[UInt8]: String] {
    let start = text.bytes.first { !$0.isSpace }
    guard text.isBinary || start == UInt8(ascii: "<") else {
      var file = StringsFile(text.bytes)
      return try file.entries()
    }
    let node = try PropertyList.read(text)
    _ = try MemberReader(node, "the property list")
    var strings: [[UInt8]: String] = [:]
    // A key with plural forms has a dictionary for its text, and none that could be shown.
    for member in node.members ?? [] { strings[Array(member.name.utf8)] = member.node.string }
    return strings
  }

  private mutating func entries() throws(DefinitionError) -> [[UInt8]: String] {
    var entries: [[UInt8]: String] = [:]
    while true {
      try skipBlanks()
      if at == text.count { return entries }
      let key = try string()
      try skipBlanks()
      var value = key
      if take("=") {
        try skipBlanks()
        value = try string()
        try skipBlanks()
      }
      guard take(";") else { throw fault(.unexpectedByte) }
      entries[Array(key.utf8)] = value
    }
  }

  private func fault(_ fault: StringsFault, at offset: Int? = nil) -> DefinitionError {
    let isEnd = fault == .unexpectedByte && at >= text.count
    return DefinitionError(.strings(isEnd ? .unexpectedEnd : fault), at: offset ?? at)
  }

  private mutating func take(_ token: StaticString) -> Bool {
    guard token.withUTF8Buffer({ bytes in unsafe text[at...].starts(with: bytes) }) else { return false }
    at += token.utf8CodeUnitCount
    return true
  }

  private mutating func skipBlanks() throws(DefinitionError) {
    while at < text.count {
      let start = at
      if take("/*") {
        while !take("*/") {
          if at == text.count { throw fault(.unexpectedEnd, at: start) }
          at += 1
        }
      } else if take("//") {
        at += text[at...].prefix { $0 != 0x0A && $0 != 0x0D }.count
      } else if text[at].isSpace {
        at += 1
      } else {
        return
      }
    }
  }

  private mutating func string() throws(DefinitionError) -> String {
    let start = at
    guard take("\"") else {
      let word = text[at...].prefix { $0.isLetter || $0.isDigit || "_.-$/:".utf8.contains($0) }
      if word.isEmpty { throw fault(.unexpectedByte) }
      at += word.count
      return String(decoding: word, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    while at < text.count {
      if take("\"") { return String(decoding: bytes, as: UTF8.self) }
      if text[at] == UInt8(ascii: "\\") {
        bytes += try escape()
      } else {
        bytes.append(text[at])
        at += 1
      }
    }
    throw fault(.unexpectedEnd, at: start)
  }

  private mutating func escape() throws(DefinitionError) -> String.UTF8View {
    let start = at
    at += 1
    guard at < text.count else { throw fault(.unexpectedEnd, at: start) }
    let letter = text[at]
    at += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n".utf8
    case UInt8(ascii: "t"): return "\t".utf8
    case UInt8(ascii: "r"): return "\r".utf8
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), 0x0A:
      return String(Unicode.Scalar(letter)).utf8
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      var units = [try unit(start)]
      if UTF16.isLeadSurrogate(units[0]), take("\\U") || take("\\u") { units.append(try unit(start)) }
      guard let text = String(validating: units, as: UTF16.self), text != "\0" else {
        throw fault(.badEscape, at: start)
      }
      return text.utf8
    default: throw fault(.badEscape, at: start)
    }
  }

  private mutating func unit(_ start: Int) throws(DefinitionError) -> UInt16 {
    let digits = text[at...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isLetter || $0.isDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault(.badEscape, at: start) }
    at += 4
    return unit
  }
}
