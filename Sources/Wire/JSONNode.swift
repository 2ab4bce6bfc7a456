/// A JSON value as it was read, with the place where it stood.
package struct JSONNode: Equatable, Sendable {
  /// The byte of the text at which it begins, counted from 0. Of no meaning for equality.
  package let offset: Int
  /// What stood there.
  package let value: JSONValue

  /// A value of which it does not matter where it stood.
  package init(_ value: JSONValue, offset: Int = 0) {
    self.value = value
    self.offset = offset
  }

  package static func == (first: JSONNode, second: JSONNode) -> Bool { first.value == second.value }

  /// Reads a text that is one object of RFC 8259, as strictly as lines are read: no name twice, no half surrogates.
  ///
  /// - Throws: `invalidJSON` with the first byte that cannot be there.
  /// - Complexity: O(n); stack for ``JSONScanner/maxDepth`` levels.
  package static func object(_ text: [UInt8]) throws(LineError) -> JSONNode {
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(LineError) in
      var scanner = unsafe JSONScanner(Bytes(UnsafeRawBufferPointer(bytes)), from: 0)
      return try scanner.objectNode()
    }
  }
}

/// What a JSON text may say.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONNode])
  /// In the order in which they stood; each name once.
  case object([JSONObjectMember])
}

/// A member of an object.
package struct JSONObjectMember: Equatable, Sendable {
  package let name: String
  package let node: JSONNode

  package init(_ name: String, _ node: JSONNode) {
    self.name = name
    self.node = node
  }
}

/// A number as it was written, so that nothing of it is lost on the way through.
package struct JSONNumber: Equatable, Sendable {
  /// By the grammar of RFC 8259.
  package let text: String

  init(checked text: String) { self.text = text }

  /// A whole number.
  package init(_ value: some BinaryInteger) { text = String(value) }

  /// The shortest text that reads back as the value; nil if that is not finite.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// Its value if that is a whole number of 64 bits.
  package var integer: Int64? {
    decimal { decimal in
      let scaled = decimal.scaled(byPowerOfTen: 0)
      return scaled.isWhole && scaled.isInRange ? scaled.value : nil
    }
  }

  private func decimal(_ read: (Decimal) -> Int64?) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      unsafe Decimal(Bytes(UnsafeRawBufferPointer(bytes)), allowsExponent: true).flatMap(read)
    }
  }

  /// Its value times a thousand million, cut to a whole number and held within 64 bits: seconds as nanoseconds.
  package var nanoseconds: Int64? { decimal { $0.scaled(byPowerOfTen: 9).value } }

  /// Its nearest value; infinite if it is beyond all finite ones.
  package var double: Double { Double(text) ?? 0 }
}

extension JSONNode {
  /// The member of that name, if this is an object that has one other than null.
  package subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    guard let node = members.first(where: { $0.name == name })?.node, node.value != .null else { return nil }
    return node
  }

  /// The members, if this is an object.
  package var members: [JSONObjectMember]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The elements, if this is an array.
  package var elements: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The text, if this is a string.
  package var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The value, if this is a whole number of 64 bits.
  package var integer: Int64? {
    if case .number(let number) = value { number.integer } else { nil }
  }

  /// The value, if this is a number.
  package var double: Double? {
    if case .number(let number) = value { number.double } else { nil }
  }

  /// The value, if this is true or false.
  package var bool: Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension JSONScanner {
  /// Reads the whole text, which is one object.
  mutating func objectNode() throws(LineError) -> JSONNode {
    skipBlanks()
    guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
    guard text[at] == UInt8(ascii: "{") else { throw .json(.unexpectedByte, at: at) }
    let node = try node(depth: 0)
    skipBlanks()
    if at < text.count { throw .json(.trailingBytes, at: at) }
    return node
  }

  private mutating func node(depth: Int) throws(LineError) -> JSONNode {
    skipBlanks()
    let start = at
    guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
    switch text[at] {
    case UInt8(ascii: "{"): return JSONNode(.object(try members(depth: depth + 1)), offset: start)
    case UInt8(ascii: "["): return JSONNode(.array(try elements(depth: depth + 1)), offset: start)
    default: break
    }
    let token = try value(depth: depth)
    let value: JSONValue =
      switch token.kind {
      case .null: .null
      case .number: .number(JSONNumber(checked: plainText(token)))
      case .string, .escapedString: .string(plainText(token))
      case .other: .bool(text[start] == UInt8(ascii: "t"))
      }
    return JSONNode(value, offset: start)
  }

  private func plainText(_ token: JSONToken) -> String {
    let bytes = text[token.start..<token.end]
    if token.kind == .escapedString { return String(decoding: [UInt8](UnescapedBytes(bytes)), as: UTF8.self) }
    return unsafe String(decoding: bytes.raw, as: UTF8.self)
  }

  private mutating func members(depth: Int) throws(LineError) -> [JSONObjectMember] {
    if depth > Self.maxDepth { throw .json(.tooDeep, at: at) }
    objects += 1
    let number = objects
    at += 1
    var members: [JSONObjectMember] = []
    while let name = try nextMember(isFirst: members.isEmpty) {
      if !names.insert(name, of: text, object: number) { throw .json(.duplicateMember, at: name.start) }
      members.append(JSONObjectMember(plainText(name), try node(depth: depth)))
    }
    return members
  }

  private mutating func elements(depth: Int) throws(LineError) -> [JSONNode] {
    if depth > Self.maxDepth { throw .json(.tooDeep, at: at) }
    at += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return [] }
    var elements: [JSONNode] = []
    while true {
      elements.append(try node(depth: depth))
      skipBlanks()
      if take(UInt8(ascii: "]")) { return elements }
      try expect(UInt8(ascii: ","))
    }
  }
}

extension JSONWriter {
  /// A value as it was read.
  package mutating func value(_ node: JSONNode) {
    switch node.value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let elements): array { writer in for element in elements { writer.value(element) } }
    case .object(let members):
      object { writer in
        for member in members { writer.member(member.name, member.node) }
      }
    }
  }

  /// A member whose value is one that was read.
  package mutating func member(_ name: String, _ node: JSONNode) {
    key(name)
    value(node)
  }
}
