import QuickActionsClient
import Wire

extension Subcommand {
  static let block = Subcommand(
    name: "block", summary: "Forget an action or an app, and neither show nor count it any more",
    synopsis: "ACTION [--app APP] | --app APP",
    details: """
      With an app alone all of its actions are blocked. It is done when what was forgotten is gone from every file.
      """,
    options: [.app], operands: 0...1
  ) { invocation in
    let connection = try invocation.connect()
    let reply = try connection.request("block", invocation.aboutActionOrApp())
    let sync = try connection.sync()
    try invocation.tell(reply) { name in
      if reply["changed"]?.bool == false { return "\(name) is blocked already" }
      return "\(name) is blocked now"
        + (reply["uses"]?.count.map { "; \(AmountText.count($0, "use")) forgotten" } ?? "")
    }
    guard sync.isDurable else {
      throw CommandFailure.failed(
        "it is blocked, but not gone from the disk yet: \(sync.reason ?? "no reason was given")", code: "notDurable")
    }
    return .done
  }
}
