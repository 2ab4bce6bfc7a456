// The plain form.
//
//     plain  = action *( 1*blank field ) *blank
//     action = token                         ; 1 to 255 bytes, see IdRules; not "#" first
//     field  = "n=" 1*DIGIT                  ; 1 to 1,000,000
//            / "t=" ( seconds / date-time )  ; date-time: RFC3339.swift
//            / "app=" token
//            / "id=" token                   ; 1 to 64 bytes
//     seconds = ["-"] 1*DIGIT ["." 1*DIGIT]
//     token  = 1*( any byte but SP and HTAB )
//     blank  = SP / HTAB

extension LineParser {
  /// Reads a plain line whose first byte that is not blank is at `start`.
  func parsePlain(_ line: Bytes, from start: Int) throws(LineError) -> ParsedLine {
    var at = Self.endOfToken(in: line, from: start)
    let action = line[start..<at]
    do throws(IdRules.Fault) {
      try IdRules.checkAction(action)
    } catch {
      throw LineError(code: .invalidAction, reason: error.reason, position: start + error.offset + 1)
    }
    var use = unsafe UseLine(action: action.raw, app: nil, count: 1, time: nil, id: nil)
    var hasCount = false
    while true {
      while at < line.count, line[at] == 0x20 || line[at] == 0x09 { at += 1 }
      if at == line.count { return .use(use) }
      let end = Self.endOfToken(in: line, from: at)
      let token = line[at..<end]
      guard let equals = token.firstIndex(of: UInt8(ascii: "=")) else {
        throw .unknown(.unknownField, name: token, at: at)
      }
      let key = token[0..<equals]
      let value = token[equals + 1..<token.count]
      let offset = at + equals + 1
      switch Key(key) {
      case .count:
        if hasCount { throw LineError(code: .invalidCount, reason: .givenTwice, position: at + 1) }
        use.count = try Self.count(value, at: offset)
        hasCount = true
      case .time:
        if use.time != nil { throw LineError(code: .invalidTime, reason: .givenTwice, position: at + 1) }
        use.time = try Self.time(value, at: offset)
      case .app:
        if unsafe use.app != nil { throw LineError(code: .invalidApp, reason: .givenTwice, position: at + 1) }
        try Self.check(value, .invalidApp, maxBytes: IdRules.maxNameBytes, at: offset)
        unsafe use.app = value.raw
      case .id:
        if unsafe use.id != nil { throw LineError(code: .invalidId, reason: .givenTwice, position: at + 1) }
        try Self.check(value, .invalidId, maxBytes: IdRules.maxIdempotencyBytes, at: offset)
        unsafe use.id = value.raw
      case nil:
        throw .unknown(.unknownField, name: key, at: at)
      }
      at = end
    }
  }

  @inline(__always)
  private static func check(_ id: Bytes, _ code: RefusalCode, maxBytes: Int, at offset: Int) throws(LineError) {
    do throws(IdRules.Fault) {
      try IdRules.check(id, maxBytes: maxBytes)
    } catch {
      throw LineError(code: code, reason: error.reason, position: offset + error.offset + 1)
    }
  }

  private enum Key {
    case count, time, app, id

    init?(_ name: Bytes) {
      switch (name.count, name.isEmpty ? 0 : name[0]) {
      case (1, UInt8(ascii: "n")): self = .count
      case (1, UInt8(ascii: "t")): self = .time
      case (2, UInt8(ascii: "i")) where name[1] == UInt8(ascii: "d"): self = .id
      case (3, UInt8(ascii: "a")) where name[1] == UInt8(ascii: "p") && name[2] == UInt8(ascii: "p"): self = .app
      default: return nil
      }
    }
  }

  private static func endOfToken(in line: Bytes, from start: Int) -> Int {
    var at = start
    while true {
      at = IdRules.visiblePrefix(of: line, from: at)
      if at == line.count || line[at] == 0x20 || line[at] == 0x09 { return at }
      at += 1
    }
  }

  static func count(_ text: Bytes, at offset: Int) throws(LineError) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<text.count {
      let digit = text[index] &- 0x30
      value = value &* 10 &+ UInt32(digit)
      if digit > 9 || value > maxCount {
        throw LineError(code: .invalidCount, reason: .badValue, position: offset + 1)
      }
    }
    if value == 0 { throw LineError(code: .invalidCount, reason: .badValue, position: offset + 1) }
    return value
  }

  static func time(_ text: Bytes, at offset: Int) throws(LineError) -> Int64 {
    if let decimal = Decimal(text, allowsExponent: false) { return decimal.scaled(byPowerOfTen: 9).value }
    if let time = RFC3339.parse(text) { return time }
    throw LineError(code: .invalidTime, reason: .badValue, position: offset + 1)
  }
}
