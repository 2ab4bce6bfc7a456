import Wire

/// One use of an action, or several at one time.
public struct Use: Hashable, Sendable {
  /// What was used.
  public var action: ActionID
  /// How many uses, 1 to 1,000,000.
  public var count: Int
  /// When; nil for now.
  public var time: UnixTime?
  /// Whose action it is; nil for the default owner.
  public var app: AppID?
  /// The idempotency id, 1 to 64 bytes: a second use with it counts nothing.
  public var id: String?

  /// A use, not checked: the call that sends it says what is wrong with it.
  public init(
    _ action: ActionID, count: Int = 1, time: UnixTime? = nil, app: AppID? = nil, id: String? = nil
  ) {
    self.action = action
    self.count = count
    self.time = time
    self.app = app
    self.id = id
  }

  /// The use as a line of the protocol, with its line end.
  ///
  /// - Throws: ``ClientError/refused(_:)`` with the daemon's own code and words if it would refuse the line.
  package func line() throws(ClientError) -> [UInt8] {
    try check()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", action.text)
      if count != 1 { writer.member("count", count) }
      if let time { writer.member("time", time.description) }
      if let app { writer.member("app", app.text) }
      if let id { writer.member("id", id) }
    }
    writer.newline()
    return writer.bytes
  }

  /// Checks the use as the daemon would.
  ///
  /// - Throws: ``ClientError/refused(_:)`` with the daemon's own code and words if it would refuse it.
  public func check() throws(ClientError) {
    do {
      try UseText.checkAction(Array(action.text.utf8))
      if let app { try UseText.checkApp(Array(app.text.utf8)) }
      if let id { try UseText.checkIdempotency(Array(id.utf8)) }
      _ = try UseText.count(Array(String(count).utf8))
    } catch {
      throw .refused(Refusal(error))
    }
  }

  /// Whether a line is a use; false if it says nothing, as an empty one or a comment does.
  ///
  /// - Parameter line: without its line end.
  /// - Throws: ``ClientError/refused(_:)`` if the daemon would refuse it, or if it is a request.
  @discardableResult
  package static func check(_ line: [UInt8]) throws(ClientError) -> Bool {
    do throws(LineError) {
      return try unsafe line.withUnsafeBufferPointer { (bytes) throws(LineError) in
        var parser = LineParser()
        switch try unsafe parser.parse(UnsafeRawBufferPointer(bytes)) {
        case .use: return true
        case .nothing: return false
        case .request: throw .notPermitted(.controlOnly)
        }
      }
    } catch {
      throw .refused(Refusal(error))
    }
  }
}
