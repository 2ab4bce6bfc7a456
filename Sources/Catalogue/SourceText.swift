/// A file's bytes as they are read: text of UTF-8 without a byte order mark, or a binary property list.
struct SourceText {
  let bytes: [UInt8]
  let isBinary: Bool

  /// - Parameter acceptsUTF16: whether text with a byte order mark of UTF-16 is turned into UTF-8, if it is valid.
  init(_ raw: [UInt8], acceptsUTF16: Bool = false) {
    isBinary = acceptsUTF16 && BinaryPropertyList.isOne(raw)
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = Array(raw.dropFirst(3))
    } else {
      bytes = (acceptsUTF16 ? Self.decodedUTF16(raw) : nil) ?? raw
    }
  }

  private static func decodedUTF16(_ raw: [UInt8]) -> [UInt8]? {
    let isBig = raw.starts(with: [0xFE, 0xFF])
    guard isBig || raw.starts(with: [0xFF, 0xFE]), raw.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: 2, to: raw.count, by: 2).map { (index) -> UInt16 in
      let unit = UInt16(raw[index]) << 8 | UInt16(raw[index + 1])
      return isBig ? unit : unit.byteSwapped
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// - Throws: what keeps the bytes from being text, unless they are binary.
  /// - Complexity: O(*n*).
  func check() throws(DefinitionError) {
    if bytes.isEmpty { throw DefinitionError(.empty, at: nil) }
    if isBinary { return }
    if let offset = firstThatIsNotUTF8() { throw DefinitionError(.notUTF8, at: offset) }
    if let offset = bytes.firstIndex(of: 0) { throw DefinitionError(.containsNUL, at: offset) }
  }

  private func firstThatIsNotUTF8() -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }

  /// The line and its character at which an offset is, both counted from 1; nothing in what is binary.
  ///
  /// - Complexity: O(*n*).
  func place(of offset: Int) -> (line: Int, column: Int)? {
    if isBinary { return nil }
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = 1 + before.count(where: { $0 == 0x0A })
    // Bytes that continue a character do not count.
    let column = 1 + before[start...].count(where: { $0 & 0xC0 != 0x80 })
    return (line: line, column: column)
  }

  /// A problem at an error's place.
  func problem(_ severity: CatalogueProblem.Severity, _ path: [UInt8], _ error: DefinitionError) -> CatalogueProblem {
    let place = error.offset.flatMap { self.place(of: $0) }
    let suffix = place == nil ? error.offset.map { " at byte \($0 + 1)" } ?? "" : ""
    return CatalogueProblem(severity, path: path, place: place, error.message + suffix)
  }
}
