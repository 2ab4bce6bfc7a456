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
  /// Reads a plain line whose first byte that is not blank is at `start`; from there to `visible` it is known to be visible
  /// ASCII.
  mutating func parsePlain(_ line: Bytes, from start: Int, visible: Int) throws(LineError) -> ParsedLine {
    var at = Self.endOfToken(in: line, from: visible)
    let action = line[start..<at]
    do throws(IdRules.Fault) {
      try IdRules.checkAction(action, visible: visible - start)
    } catch {
      throw LineError(code: .invalidAction, reason: error.reason, position: start + error.offset + 1)
    }
    unsafe use.action = action.raw
    var hasCount = false
    while true {
      while at < line.count, line[at] == 0x20 || line[at] == 0x09 { at += 1 }
      if at == line.count { return .use }
      let end = Self.endOfToken(in: line, from: at)
      let key = Key(line[at..<end])
      let offset = at + (key?.length ?? 0)
      let value = line[offset..<end]
      switch key {
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
        let equals = value.firstIndex(of: UInt8(ascii: "=")) ?? value.count
        throw .unknown(.unknownField, name: value[0..<equals], at: at)
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

    /// The key that a field begins with.
    @inline(__always)
    init?(_ field: Bytes) {
      var start: UInt32 = 0
      for index in 0..<min(field.count, 4) { start |= UInt32(field[index]) << UInt32(8 * index) }
      switch start {
      case _ where start & 0xffff == 0x3d6e: self = .count  // n=
      case _ where start & 0xffff == 0x3d74: self = .time  // t=
      case _ where start & 0xff_ffff == 0x3d_6469: self = .id  // id=
      case 0x3d70_7061: self = .app  // app=
      default: return nil
      }
    }

    /// Bytes up to and with the `=`.
    var length: Int {
      switch self {
      case .count, .time: 2
      case .id: 3
      case .app: 4
      }
    }
  }

  private static func endOfToken(in line: Bytes, from start: Int) -> Int {
    var at = start
    while true {
      at = line.endOfVisible(from: at)
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
    var at = 0
    if let time = text.plainSeconds(at: &at), at == text.count { return time }
    if let decimal = Decimal(text, allowsExponent: false) { return decimal.scaled(byPowerOfTen: 9).value }
    if let time = RFC3339.parse(text) { return time }
    throw LineError(code: .invalidTime, reason: .badValue, position: offset + 1)
  }
}
