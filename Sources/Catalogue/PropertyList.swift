import Wire

/// Property lists, read as JSON would say the same: data as base64, dates as RFC 3339.
enum PropertyList {
  /// - Throws: what is wrong, at its byte.
  /// - Complexity: O(*n*) in the bytes; stack for `DefinitionLimits.depth` levels.
  static func read(_ text: SourceText) throws(DefinitionError) -> JSONNode {
    if text.isBinary { return try BinaryPropertyList.read(text.bytes) }
    return try XMLPropertyList.read(text.bytes)
  }
}

/// The base64 of RFC 4648, with padding.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The text of data.
  static func encode(_ data: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var rest = data
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index > group.count ? padding : alphabet[word >> (18 - 6 * index) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text stands for data.
  static func isValid(_ text: [UInt8]) -> Bool {
    let digits = text.prefix { $0 != padding }
    return text.count.isMultiple(of: 4) && text.count - digits.count <= 2
      && text[digits.count...].allSatisfy { $0 == padding } && digits.allSatisfy(alphabet.contains)
  }
}
