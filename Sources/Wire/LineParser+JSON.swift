// The JSON form: one object of RFC 8259, whose syntax is JSONScanner.swift's.
//
//     use     = { "type": string, ["target": string,] ["count": number,] ["time": number / string,]
//                 ["app": string,] ["id": string] }        ; null stands for absent, but for the type
//     request = { "op": "sync", ["seq": number] } / { "op": string, … }    ; the rest is ControlRequest.swift's
//
// Members come in any order, others are ignored, and an object with an "op" is a request whatever else it holds.

extension LineParser {
  /// Reads a JSON line whose opening brace is at `start`.
  mutating func parseJSON(_ line: Bytes, from start: Int) throws(LineError) -> ParsedLine {
    if readFlat(line, from: start) { return .use }
    use = UseLine()
    scratch.removeAll()
    return try parseAnyJSON(line, from: start)
  }

  /// Reads a JSON line of any kind into ``use``, which tells of nothing yet.
  private mutating func parseAnyJSON(_ line: Bytes, from start: Int) throws(LineError) -> ParsedLine {
    var scanner = JSONScanner(line, from: start)
    let record = try scanner.record()
    if let op = record.op { return .request(try request(op, record.seq, in: line)) }

    unsafe use.action = try action(record, in: line, start: start).raw
    if let token = Self.present(record.count) { use.count = try Self.count(token, in: line) }
    if let token = Self.present(record.time) { use.time = try Self.time(token, in: line) }
    if let token = Self.present(record.app) {
      unsafe use.app = try id(token, in: line, .invalidApp, maxBytes: IdRules.maxNameBytes).raw
    }
    if let token = Self.present(record.id) {
      unsafe use.id = try id(token, in: line, .invalidId, maxBytes: IdRules.maxIdempotencyBytes).raw
    }
    return .use
  }

  private static func present(_ token: JSONToken?) -> JSONToken? {
    token?.kind == .null ? nil : token
  }

  /// The type alone where it lies, or the type and the target joined by a `#`.
  private mutating func action(_ record: JSONRecord, in line: Bytes, start: Int) throws(LineError) -> Bytes {
    let code = RefusalCode.invalidAction
    guard let type = record.type else { throw LineError(code: code, reason: .missing, position: start + 1) }
    try Self.require(type, code)
    guard let target = Self.present(record.target) else {
      let id = text(type, in: line, maxBytes: IdRules.maxNameBytes)
      do throws(IdRules.Fault) {
        try IdRules.checkAction(id)
      } catch {
        throw Self.error(code, error, in: type)
      }
      return id
    }
    try Self.require(target, code)
    let from = scratch.count
    let count = append(type, in: line, maxBytes: IdRules.maxNameBytes)
    if count == 0 { throw LineError(code: code, reason: .noType, position: type.start + 1) }
    if scratch.bytes(from: from).firstIndex(of: UInt8(ascii: "#")) != nil {
      throw LineError(code: code, reason: .twoTargets, position: type.start + 1)
    }
    scratch.append(UInt8(ascii: "#"))
    append(target, in: line, maxBytes: IdRules.maxNameBytes)
    let id = scratch.bytes(from: from)
    do throws(IdRules.Fault) {
      try IdRules.check(id, maxBytes: IdRules.maxNameBytes)
    } catch {
      throw LineError(code: code, reason: error.reason, position: (error.offset > count ? target : type).start + 1)
    }
    return id
  }

  private mutating func id(
    _ token: JSONToken, in line: Bytes, _ code: RefusalCode, maxBytes: Int
  ) throws(LineError) -> Bytes {
    try Self.require(token, code)
    let id = text(token, in: line, maxBytes: maxBytes)
    do throws(IdRules.Fault) {
      try IdRules.check(id, maxBytes: maxBytes)
    } catch {
      throw Self.error(code, error, in: token)
    }
    return id
  }

  /// With escapes, an offset in what they stand for is none in the line: then it is the string that is wrong.
  private static func error(_ code: RefusalCode, _ fault: IdRules.Fault, in token: JSONToken) -> LineError {
    let offset = token.kind == .escapedString ? 0 : fault.offset
    return LineError(code: code, reason: fault.reason, position: token.start + offset + 1)
  }

  private static func require(_ token: JSONToken, _ code: RefusalCode) throws(LineError) {
    if !token.isString { throw LineError(code: code, reason: .wrongKind, position: token.start + 1) }
  }

  /// What a string stands for: a slice of the line, or of the scratch buffer if there are escapes (one byte over
  /// `maxBytes` at most then).
  private mutating func text(_ token: JSONToken, in line: Bytes, maxBytes: Int) -> Bytes {
    if token.kind == .string { return line[token.start..<token.end] }
    let from = scratch.count
    append(token, in: line, maxBytes: maxBytes)
    return scratch.bytes(from: from)
  }

  /// Appends what a string stands for to the scratch buffer, at most one byte over `maxBytes`; returns how much that was.
  @discardableResult
  private mutating func append(_ token: JSONToken, in line: Bytes, maxBytes: Int) -> Int {
    let from = scratch.count
    if token.kind == .string {
      scratch.append(line[token.start..<min(token.end, token.start + maxBytes + 1)])
      return scratch.count - from
    }
    var bytes = UnescapedBytes(line[token.start..<token.end])
    while scratch.count - from <= maxBytes, let byte = bytes.next() { scratch.append(byte) }
    return scratch.count - from
  }

  private static func count(_ token: JSONToken, in line: Bytes) throws(LineError) -> UInt32 {
    if token.kind == .number, let decimal = Decimal(line[token.start..<token.end], allowsExponent: true) {
      let count = decimal.scaled(byPowerOfTen: 0)
      if count.isWhole, (1...Int64(maxCount)).contains(count.value) { return UInt32(count.value) }
    }
    let reason = token.kind == .number ? LineError.Reason.badValue : .wrongKind
    throw LineError(code: .invalidCount, reason: reason, position: token.start + 1)
  }

  private static func time(_ token: JSONToken, in line: Bytes) throws(LineError) -> Int64 {
    let text = line[token.start..<token.end]
    switch token.kind {
    case .number:
      if let decimal = Decimal(text, allowsExponent: true) { return decimal.scaled(byPowerOfTen: 9).value }
    case .string:
      if let time = RFC3339.parse(text) { return time }
    case .escapedString:
      // A date needs no escapes, but may be written with them; it is rare enough for the heap.
      let plain = [UInt8](UnescapedBytes(text))
      if let time = unsafe plain.withUnsafeBytes({ unsafe RFC3339.parse($0) }) { return time }
    case .null, .other:
      throw LineError(code: .invalidTime, reason: .wrongKind, position: token.start + 1)
    }
    throw LineError(code: .invalidTime, reason: .badValue, position: token.start + 1)
  }

  private mutating func request(_ op: JSONToken, _ seq: JSONToken?, in line: Bytes) throws(LineError) -> Request {
    try Self.require(op, .invalidArgument)
    let name = text(op, in: line, maxBytes: IdRules.maxNameBytes)
    guard name.equals("sync") else {
      guard let op = OpName(name) else { throw .unknown(.unknownOp, name: name, at: op.start) }
      return .control(op)
    }
    guard let token = Self.present(seq) else { return .sync(seq: nil) }
    if token.kind == .number, let decimal = Decimal(line[token.start..<token.end], allowsExponent: true) {
      let seq = decimal.scaled(byPowerOfTen: 0)
      if seq.isWhole, seq.isInRange { return .sync(seq: seq.value) }
    }
    throw LineError(code: .invalidArgument, reason: .badValue, position: token.start + 1)
  }
}

extension Bytes {
  fileprivate func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { other in
      for index in 0..<count where unsafe self[index] != other[index] { return false }
      return true
    }
  }
}
