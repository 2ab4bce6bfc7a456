import Wire

/// What to forget.
public enum Forgotten: Hashable, Sendable {
  /// One action's uses.
  case action(ActionID, app: AppID?)
  /// All uses of an app.
  case app(AppID)
  /// All uses since the beginning of the hour that holds this instant.
  case since(UnixTime)
  /// Everything.
  case all
}

/// How much was forgotten.
public struct ForgetReply: Hashable, Sendable {
  /// How many actions lost uses.
  public let actions: UInt64
  /// How many uses.
  public let uses: UInt64
}

extension ControlConnection {
  /// Puts an action right behind the static ones, whatever its score; false if it was pinned before.
  @discardableResult
  public func pin(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Bool {
    try changed("pin", about(action, app))
  }

  /// Takes that back; false if it was not pinned.
  @discardableResult
  public func unpin(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Bool {
    try changed("unpin", about(action, app))
  }

  /// Forgets an action's uses, and neither shows nor counts it any more; false if it was blocked before.
  @discardableResult
  public func block(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Bool {
    try changed("block", about(action, app))
  }

  /// Does that with all actions of an app.
  @discardableResult
  public func block(app: AppID) throws(ClientError) -> Bool {
    try changed("block") { $0.member("app", app.text) }
  }

  /// Lets an action begin anew from nothing; false if it was not blocked.
  @discardableResult
  public func unblock(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Bool {
    try changed("unblock", about(action, app))
  }

  /// Lets an app begin anew from nothing; false if it was not blocked.
  @discardableResult
  public func unblock(app: AppID) throws(ClientError) -> Bool {
    try changed("unblock") { $0.member("app", app.text) }
  }

  private func changed(_ op: String, _ members: (inout JSONWriter) -> Void) throws(ClientError) -> Bool {
    try request(op, members)["changed"]?.bool ?? false
  }

  /// Forgets uses; once a ``sync()`` behind it is answered they are gone from every file.
  @discardableResult
  public func forget(_ what: Forgotten) throws(ClientError) -> ForgetReply {
    let reply = try request("forget") { writer in
      switch what {
      case .action(let action, let app): about(action, app)(&writer)
      case .app(let app): writer.member("app", app.text)
      case .since(let time): writer.member("since", time.description)
      case .all: writer.member("all", true)
      }
    }
    return ForgetReply(actions: reply["actions"]?.count ?? 0, uses: reply["uses"]?.count ?? 0)
  }

  /// Stops recording, for so long or until ``resume()``; returns until when, nil for without an end.
  ///
  /// - Parameter seconds: how long, up to a year.
  @discardableResult
  public func pause(seconds: Int? = nil) throws(ClientError) -> UnixTime? {
    try request("pause") { if let seconds { $0.member("for", "\(seconds)s") } }["until"]?.time
  }

  /// Records again; false if it was not paused.
  @discardableResult
  public func resume() throws(ClientError) -> Bool { try changed("resume") { _ in } }
}
