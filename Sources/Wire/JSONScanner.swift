/// Where a value lies in a line: of a string, what is between its quotes.
struct JSONToken {
  enum Kind { case string, escapedString, number, null, other }
  var kind: Kind
  var start: Int
  var end: Int

  var isString: Bool { kind == .string || kind == .escapedString }
}

/// The members of a line's object that mean something.
struct JSONRecord {
  var type, target, count, time, app, id, op, seq: JSONToken?
}

/// Checks that a line is one object of RFC 8259, to its end, and finds the members that mean something.
///
///     object = "{" [ member *( "," member ) ] "}"         ; each name once
///     member = string ":" value
///     array  = "[" [ value *( "," value ) ] "]"
///     value  = object / array / string / number / "true" / "false" / "null"
///     number = ["-"] ( "0" / %x31-39 *DIGIT ) ["." 1*DIGIT] [("e" / "E") ["+" / "-"] 1*DIGIT]
///     string = %x22 *( %x20-21 / %x23-5B / %x5D-10FFFF / escape ) %x22
///     escape = "\" ( %x22 / "\" / "/" / "b" / "f" / "n" / "r" / "t" / "u" 4HEXDIG )
///
/// Blanks (SP, HTAB, LF, CR) may stand around everything but inside a token. Half a surrogate pair is refused, and so
/// is a name that comes twice in one object, at any depth, whatever escapes it is written with.
struct JSONScanner {
  /// Objects and arrays within each other, the outermost counted.
  static let maxDepth = 128

  let text: Bytes
  var at: Int
  var names = JSONMemberNames()
  var objects: UInt32 = 0

  /// Begins at the opening brace at `start`.
  init(_ text: Bytes, from start: Int) {
    self.text = text
    at = start
  }

  /// Reads the whole line.
  ///
  /// - Throws: `invalidJSON` with the first byte that cannot be there.
  /// - Complexity: O(n); stack for `maxDepth` levels, heap for names that are not known only.
  mutating func record() throws(LineError) -> JSONRecord {
    var record = JSONRecord()
    try expect(UInt8(ascii: "{"))
    var isFirst = true
    while let name = try nextMember(isFirst: isFirst) {
      isFirst = false
      let value = try value(depth: 1)
      let isNew =
        switch knownMember(name) {
        case .type: set(&record.type, value)
        case .target: set(&record.target, value)
        case .count: set(&record.count, value)
        case .time: set(&record.time, value)
        case .app: set(&record.app, value)
        case .id: set(&record.id, value)
        case .op: set(&record.op, value)
        case .seq: set(&record.seq, value)
        case nil: names.insert(name, of: text, object: 0)
        }
      if !isNew { throw .json(.duplicateMember, at: name.start) }
    }
    skipBlanks()
    if at < text.count { throw .json(.trailingBytes, at: at) }
    return record
  }

  private func set(_ slot: inout JSONToken?, _ value: JSONToken) -> Bool {
    if slot != nil { return false }
    slot = value
    return true
  }

  private func knownMember(_ name: JSONToken) -> JSONMember? {
    let bytes = text[name.start..<name.end]
    return name.kind == .string ? JSONMember(bytes) : JSONMember([UInt8](UnescapedBytes(bytes)))
  }

  /// Reads up to the value of the next member; nil at the object's end.
  mutating func nextMember(isFirst: Bool) throws(LineError) -> JSONToken? {
    skipBlanks()
    if take(UInt8(ascii: "}")) { return nil }
    if !isFirst {
      try expect(UInt8(ascii: ","))
      skipBlanks()
    }
    let name = try string()
    skipBlanks()
    try expect(UInt8(ascii: ":"))
    return name
  }

  /// Reads a value inside of `depth` objects and arrays.
  mutating func value(depth: Int) throws(LineError) -> JSONToken {
    skipBlanks()
    let start = at
    guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
    switch text[at] {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "t"): try word([0x74, 0x72, 0x75, 0x65])
    case UInt8(ascii: "f"): try word([0x66, 0x61, 0x6c, 0x73, 0x65])
    case UInt8(ascii: "n"):
      try word([0x6e, 0x75, 0x6c, 0x6c])
      return JSONToken(kind: .null, start: start, end: at)
    case UInt8(ascii: "-"), 0x30...0x39:
      try number()
      return JSONToken(kind: .number, start: start, end: at)
    default: throw .json(.unexpectedByte, at: at)
    }
    return JSONToken(kind: .other, start: start, end: at)
  }

  private mutating func object(depth: Int) throws(LineError) {
    if depth > Self.maxDepth { throw .json(.tooDeep, at: at) }
    objects += 1
    let number = objects
    at += 1
    var isFirst = true
    while let name = try nextMember(isFirst: isFirst) {
      isFirst = false
      if !names.insert(name, of: text, object: number) { throw .json(.duplicateMember, at: name.start) }
      _ = try value(depth: depth)
    }
  }

  private mutating func array(depth: Int) throws(LineError) {
    if depth > Self.maxDepth { throw .json(.tooDeep, at: at) }
    at += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return }
    while true {
      _ = try value(depth: depth)
      skipBlanks()
      if take(UInt8(ascii: "]")) { return }
      try expect(UInt8(ascii: ","))
    }
  }

  mutating func word<let count: Int>(_ letters: InlineArray<count, UInt8>) throws(LineError) {
    for index in letters.indices { try expect(letters[index]) }
  }

  mutating func number() throws(LineError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(LineError) {
    let start = at
    while at < text.count, (0x30...0x39).contains(text[at]) { at += 1 }
    if at == start { throw .json(at < text.count ? .badNumber : .unexpectedEnd, at: at) }
  }

  mutating func skipBlanks() { text.skipJSONBlanks(at: &at) }

  mutating func take(_ byte: UInt8) -> Bool { text.take(byte, at: &at) }

  mutating func expect(_ byte: UInt8) throws(LineError) {
    if !take(byte) { throw .json(at < text.count ? .unexpectedByte : .unexpectedEnd, at: at) }
  }
}

// Strings.
extension JSONScanner {
  mutating func string() throws(LineError) -> JSONToken {
    try expect(UInt8(ascii: "\""))
    var token = JSONToken(kind: .string, start: at, end: at)
    while true {
      at = text.endOfPlainJSON(from: at)
      guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
      switch text[at] {
      case UInt8(ascii: "\""):
        token.end = at
        at += 1
        return token
      case UInt8(ascii: "\\"):
        token.kind = .escapedString
        try escape()
      case 0x00..<0x20:
        throw .json(.controlCharacter, at: at)
      default:
        guard let (_, length) = text.scalar(at: at) else { throw .json(.notUTF8, at: at) }
        at += length
      }
    }
  }

  private mutating func escape() throws(LineError) {
    let start = at
    at += 1
    guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
    switch text[at] {
    case UInt8(ascii: "u"):
      let first = try codeUnit()
      if (0xdc00...0xdfff).contains(first) { throw .json(.loneSurrogate, at: start) }
      guard (0xd800...0xdbff).contains(first) else { return }
      guard at <= text.count - 2, text[at] == UInt8(ascii: "\\"), text[at + 1] == UInt8(ascii: "u") else {
        throw .json(.loneSurrogate, at: start)
      }
      at += 1
      if !(0xdc00...0xdfff).contains(try codeUnit()) { throw .json(.loneSurrogate, at: start) }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 1
    default: throw .json(.badEscape, at: start)
    }
  }

  /// Reads `u` and four hexadecimal digits.
  private mutating func codeUnit() throws(LineError) -> UInt16 {
    at += 1
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard at < text.count else { throw .json(.unexpectedEnd, at: at) }
      guard let digit = UnescapedBytes.hexadecimal(text[at]) else { throw .json(.badEscape, at: at) }
      unit = unit << 4 | digit
      at += 1
    }
    return unit
  }
}
