/// Which bytes an id may be made of.
///
///     id = 1*limit( scalar )      ; the limit counts bytes
///     scalar                      ; well-formed UTF-8, but no C0, DEL or C1 and nothing with White_Space
package enum IdRules {
  /// Longest id of an action or an app, in bytes.
  static let maxNameBytes = 255
  /// Longest idempotency id, in bytes.
  static let maxIdempotencyBytes = 64

  /// What is wrong with an id, and where.
  struct Fault: Error {
    var reason: LineError.Reason
    /// Offset of the byte in the id, from 0.
    var offset: Int
  }

  /// Checks `id` against the rules.
  ///
  /// - Parameter visible: how many of its first bytes are known to be visible ASCII.
  /// - Throws: the first fault; length is looked at before anything else.
  /// - Complexity: O(n), eight bytes at a time while they are ASCII.
  @inline(__always)
  static func check(_ id: Bytes, maxBytes: Int, visible: Int = 0) throws(Fault) {
    if id.isEmpty { throw Fault(reason: .empty, offset: 0) }
    if id.count > maxBytes { throw Fault(reason: .tooLong(limit: maxBytes), offset: maxBytes) }
    let visible = id.endOfVisible(from: visible)
    if visible < id.count { try checkRest(of: id, from: visible) }
  }

  /// Checks the id of an action, `TYPE` or `TYPE#TARGET`, where the type must have a byte.
  @inline(__always)
  static func checkAction(_ id: Bytes, visible: Int = 0) throws(Fault) {
    if !id.isEmpty, id[0] == UInt8(ascii: "#") { throw Fault(reason: .noType, offset: 0) }
    try check(id, maxBytes: maxNameBytes, visible: visible)
  }

  private static func checkRest(of id: Bytes, from start: Int) throws(Fault) {
    var index = start
    while index < id.count {
      guard let (value, length) = id.scalar(at: index) else { throw Fault(reason: .notUTF8, offset: index) }
      if isWhiteSpace(value) { throw Fault(reason: .whiteSpace, offset: index) }
      if isControl(value) { throw Fault(reason: .controlCharacter, offset: index) }
      index += length
    }
  }

  /// Whether an id may hold a scalar.
  static func isAllowed(_ value: UInt32) -> Bool { !isWhiteSpace(value) && !isControl(value) }

  /// C0, DEL and C1.
  static func isControl(_ value: UInt32) -> Bool {
    value < 0x20 || (0x7f...0x9f).contains(value)
  }

  /// The White_Space property, as it has stood since Unicode 6.3; written out so that no table of a newer library
  /// changes what an id is.
  static func isWhiteSpace(_ value: UInt32) -> Bool {
    switch value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: true
    default: false
    }
  }
}

// Ids that are not part of a line.
extension IdRules {
  /// Checks the id of an app.
  ///
  /// - Throws: `invalidApp` with the first fault, without a position.
  package static func checkApp(_ id: [UInt8]) throws(LineError) {
    try check(id, .invalidApp) { (id) throws(Fault) in try check(id, maxBytes: maxNameBytes) }
  }

  /// Checks the id of an action, TYPE or TYPE#TARGET.
  ///
  /// - Throws: `invalidAction` with the first fault, without a position.
  package static func checkAction(_ id: [UInt8]) throws(LineError) {
    try check(id, .invalidAction) { (id) throws(Fault) in try checkAction(id) }
  }

  private static func check(
    _ id: [UInt8], _ code: RefusalCode, _ rule: (Bytes) throws(Fault) -> Void
  ) throws(LineError) {
    do throws(Fault) {
      try unsafe id.withUnsafeBufferPointer { (bytes) throws(Fault) in
        try unsafe rule(Bytes(UnsafeRawBufferPointer(bytes)))
      }
    } catch {
      throw LineError(code: code, reason: error.reason)
    }
  }
}
