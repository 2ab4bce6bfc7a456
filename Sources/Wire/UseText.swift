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
