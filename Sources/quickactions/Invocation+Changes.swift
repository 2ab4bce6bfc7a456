import QuickActionsClient
import Wire

// What subcommands that change something have in common.
extension Invocation {
  /// Makes a request about the one action that is named, and tells whether it changed something.
  ///
  /// - Parameters:
  ///   - done: what the action is now: "pinned".
  ///   - unchanged: what is said of an action that it changed nothing of.
  func change(_ op: String, done: String, unchanged: String) throws -> ExitStatus {
    let reply = try connect().request(op, aboutActionOrApp())
    try tell(reply) { name in "\(name) " + (reply["changed"]?.bool == false ? unchanged : "is \(done) now") }
    return .done
  }

  /// Writes which action a request is about, or which app if no action is named.
  func aboutActionOrApp() throws(CommandFailure) -> (inout JSONWriter) -> Void {
    let (action, app) = (operands.first, app)
    if action == nil, app == nil {
      let synopsis = "usage: quickactions \(arguments.subcommand?.name ?? "") \(arguments.subcommand?.synopsis ?? "")"
      throw .usage("an action or an app is needed", hint: synopsis)
    }
    return { writer in
      if let action { writer.member("action", action) }
      if let app { writer.member("app", app.text) }
    }
  }

  /// Writes a reply as it is if JSON is wanted, else `words` for the action or the app that it is about.
  func tell(_ reply: JSONNode, _ words: (_ name: String) -> String) throws(CommandFailure) {
    if output.isJSON { return try output.json(reply) }
    let name = reply["action"]?.string ?? operands.first ?? reply["app"]?.string ?? app?.text ?? ""
    try output.line(words(VisibleText.of(name)))
  }
}
