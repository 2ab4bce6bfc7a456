/// The parts of a use, each as a text of its own: the same rules, and the same errors, as in a line.
package enum UseText {
  /// Checks the id of an action, `TYPE` or `TYPE#TARGET`.
  ///
  /// - Throws: `invalidAction`, with the place counted in the id.
  package static func checkAction(_ id: [UInt8]) throws(LineError) {
    try read(id, .invalidAction) { (bytes) throws(IdRules.Fault) in try IdRules.checkAction(bytes) }
  }

  /// Checks the id of an app.
  ///
  /// - Throws: `invalidApp`, with the place counted in the id.
  package static func checkApp(_ id: [UInt8]) throws(LineError) {
    try read(id, .invalidApp) { (bytes) throws(IdRules.Fault) in
      try IdRules.check(bytes, maxBytes: IdRules.maxNameBytes)
    }
  }

  /// Checks an idempotency id.
  ///
  /// - Throws: `invalidId`, with the place counted in the id.
  package static func checkIdempotency(_ id: [UInt8]) throws(LineError) {
    try read(id, .invalidId) { (bytes) throws(IdRules.Fault) in
      try IdRules.check(bytes, maxBytes: IdRules.maxIdempotencyBytes)
    }
  }

  /// A count of 1 to 1,000,000.
  ///
  /// - Throws: `invalidCount`.
  package static func count(_ text: [UInt8]) throws(LineError) -> UInt32 {
    try withBytes(of: text) { (bytes) throws(LineError) in try LineParser.count(bytes, at: 0) }
  }

  /// A time, as Unix seconds or by RFC 3339, in Unix nanoseconds held within the range of Int64.
  ///
  /// - Throws: `invalidTime`.
  package static func time(_ text: [UInt8]) throws(LineError) -> Int64 {
    try withBytes(of: text) { (bytes) throws(LineError) in try LineParser.time(bytes, at: 0) }
  }

  /// Bytes as a part of an id: those that an id may not hold, `%`, and what else is to be escaped, as `%XX`.
  ///
  /// What would reach beyond `limit` bytes is cut off, never within a character or an escape.
  package static func escaped(_ text: [UInt8], escaping others: [UInt8] = [], limit: Int) -> [UInt8] {
    withBytes(of: text) { bytes in
      var result: [UInt8] = []
      var at = 0
      while at < bytes.count {
        let scalar = bytes.scalar(at: at)
        let length = scalar?.length ?? 1
        let isPlain =
          scalar.map { IdRules.isAllowed($0.value) } ?? false
          && bytes[at] != UInt8(ascii: "%") && !others.contains(bytes[at])
        if result.count + length * (isPlain ? 1 : 3) > limit { break }
        for index in at..<at + length {
          if isPlain { result.append(bytes[index]) } else { result += hexadecimal(bytes[index]) }
        }
        at += length
      }
      return result
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    [byte >> 4, byte & 15].reduce(into: [UInt8(ascii: "%")]) { $0.append($1 < 10 ? 0x30 + $1 : 0x37 + $1) }
  }

  private static func read(
    _ id: [UInt8], _ code: RefusalCode, _ check: (Bytes) throws(IdRules.Fault) -> Void
  ) throws(LineError) {
    do throws(IdRules.Fault) {
      try withBytes(of: id, check)
    } catch {
      throw LineError(code: code, reason: error.reason, position: error.offset + 1)
    }
  }

  private static func withBytes<Result, Failure>(
    of text: [UInt8], _ body: (Bytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(Failure) in
      try unsafe body(Bytes(UnsafeRawBufferPointer(bytes)))
    }
  }
}
