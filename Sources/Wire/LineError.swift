/// A line that is refused: values only, the words are made from them when somebody reads them (`message`).
///
/// Throwing one touches no heap.
package struct LineError: Error, Equatable, Sendable {
  /// The name it goes by in replies and counters.
  package var code: RefusalCode
  /// What was wrong.
  package var reason: Reason
  /// Where it was wrong: a byte of the line, counted from 1; nil if it is about the line as a whole.
  package var position: Int?

  /// - Parameter position: a byte of the line, counted from 1, if it is one's.
  package init(code: RefusalCode, reason: Reason, position: Int? = nil) {
    self.code = code
    self.reason = reason
    self.position = position
  }

  /// What was wrong, more exactly than the code says it.
  package enum Reason: Equatable, Sendable {
    /// An id without a byte, or without a type before its `#`.
    case empty, noType
    /// An id or a line over its limit, in bytes; or connections over theirs.
    case tooLong(limit: Int), tooMany(limit: Int)
    /// Bytes that an id may not hold.
    case notUTF8, controlCharacter, whiteSpace
    /// A member that has to be there is not.
    case missing
    /// A JSON value of another kind than the member takes.
    case wrongKind
    /// A value that is not a count, a time or a whole number within its limits.
    case badValue
    /// A field that came a second time.
    case givenTwice
    /// A target given twice: inside the type, and as a member.
    case twoTargets
    /// An unknown field or op; its name if that is 1 to 15 bytes of visible ASCII (a string of that size is stored in
    /// place).
    case unknown(name: String?)
    /// Not one JSON object.
    case json(JSONFault)
    /// A datagram longer than the buffer for it, in bytes.
    case datagramCut(limit: Int)
    /// An argument of an op that can't be taken.
    case argument(ControlArgument, ArgumentFault)
    /// An action that the daemon does not know, or what an op can't do, in words.
    case notKnown, words(String)
    /// An op that only `control.sock` takes, or only a stream.
    case controlOnly, streamOnly
  }

  /// What is wrong with an argument.
  package enum ArgumentFault: Equatable, Sendable { case missing, wrongKind, outOfRange, contradictory }

  /// What kept a line from being one JSON object.
  package enum JSONFault: Equatable, Sendable {
    case unexpectedByte, unexpectedEnd, trailingBytes, tooDeep, badEscape, loneSurrogate, badNumber
    case duplicateMember, controlCharacter, notUTF8
  }

  /// What keeps a request from being answered where it was made.
  package enum Place: Sendable {
    /// The op belongs on `control.sock`.
    case controlOnly
    /// The op needs a stream, because a datagram's sender gets no reply.
    case streamOnly
  }

  /// A line of more than `limit` bytes.
  package static func lineTooLong(limit: Int) -> LineError {
    LineError(code: .lineTooLong, reason: .tooLong(limit: limit))
  }

  /// A datagram that did not fit into `limit` bytes and was cut short by the kernel.
  package static func datagramCut(limit: Int) -> LineError {
    LineError(code: .lineTooLong, reason: .datagramCut(limit: limit))
  }

  /// A request on a socket that does not take it.
  package static func notPermitted(_ place: Place) -> LineError {
    switch place {
    case .controlOnly: LineError(code: .notPermitted, reason: .controlOnly)
    case .streamOnly: LineError(code: .notPermitted, reason: .streamOnly)
    }
  }

  /// An op that can't be done, and why, in words for the person who asks.
  package static func refusedOp(_ reason: String) -> LineError {
    LineError(code: .invalidArgument, reason: .words(reason))
  }

  /// An op on an action that has never been heard of.
  package static let unknownAction = LineError(code: .unknownAction, reason: .notKnown)

  /// A connection over the quota of its user.
  package static func tooManyConnections(limit: Int) -> LineError {
    LineError(code: .tooManyConnections, reason: .tooMany(limit: limit))
  }

  /// A fault in the syntax of JSON at a byte offset (from 0) of the line.
  static func json(_ fault: JSONFault, at offset: Int) -> LineError {
    LineError(code: .invalidJSON, reason: .json(fault), position: offset + 1)
  }

  /// An unknown field or op, with its name if that can be repeated safely.
  static func unknown(_ code: RefusalCode, name: Bytes?, at offset: Int) -> LineError {
    var echo: String?
    if let name, (1...15).contains(name.count), name.endOfVisible(from: 0) == name.count {
      echo = unsafe String(decoding: name.raw, as: UTF8.self)
    }
    return LineError(code: code, reason: .unknown(name: echo), position: offset + 1)
  }
}
