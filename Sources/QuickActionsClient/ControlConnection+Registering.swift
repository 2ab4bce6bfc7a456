import Wire

/// What a `define` did.
public struct DefineReply: Hashable, Sendable {
  /// Whose actions.
  public let app: AppID
  /// How many are registered by it.
  public let defined: Int
  /// How many of the list before are gone.
  public let removed: Int
}

extension ControlConnection {
  /// Registers one action, or changes its definition.
  ///
  /// - Parameter app: whose it is; nil for the default owner.
  @discardableResult
  public func define(_ definition: Definition, app: AppID? = nil) throws(ClientError) -> DefineReply {
    let node = try definition.node()
    return try define(app) { $0.member("action", node) }
  }

  /// Registers all actions of an app, in place of those before.
  @discardableResult
  public func define(_ definitions: [Definition], app: AppID) throws(ClientError) -> DefineReply {
    var nodes: [JSONNode] = []
    for definition in definitions { nodes.append(try definition.node()) }
    return try define(app) { $0.member("actions", JSONNode(.array(nodes))) }
  }

  private func define(
    _ app: AppID?, _ members: (inout JSONWriter) -> Void
  ) throws(ClientError) -> DefineReply {
    let reply = try request("define") { writer in
      if let app { writer.member("app", app.text) }
      members(&writer)
    }
    return DefineReply(
      app: AppID(reply["app"]?.string ?? ""), defined: reply["defined"]?.whole ?? 0,
      removed: reply["removed"]?.whole ?? 0)
  }

  /// Takes the definition of an action back; 0 if there was none, else 1. Its uses stay.
  @discardableResult
  public func undefine(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Int {
    try removed(request("undefine", about(action, app)))
  }

  /// Takes all definitions of an app back, and returns how many there were.
  @discardableResult
  public func undefineAll(of app: AppID) throws(ClientError) -> Int {
    try removed(request("undefine") { $0.member("app", app.text) })
  }

  private func removed(_ reply: JSONNode) -> Int { reply["removed"]?.whole ?? 0 }

  /// Lets an action stand in lists, or keeps it out of all of them; false if that was so before.
  @discardableResult
  public func setEnabled(_ isEnabled: Bool, _ action: ActionID, app: AppID? = nil) throws(ClientError) -> Bool {
    try request(isEnabled ? "enable" : "disable", about(action, app))["changed"]?.bool ?? false
  }

  /// Writes which action a request is about.
  func about(_ action: ActionID, _ app: AppID?) -> (inout JSONWriter) -> Void {
    { writer in
      writer.member("action", action.text)
      if let app { writer.member("app", app.text) }
    }
  }
}
