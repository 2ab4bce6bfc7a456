import QuickActionsClient
import Wire

extension Subcommand {
  static let undefine = Subcommand(
    name: "undefine", summary: "Take back what was defined of an action, or of all of an app",
    synopsis: "ACTION [--app APP] | --app APP", details: "Uses stay counted.", options: [.app], operands: 0...1
  ) { invocation in
    let reply = try invocation.connect().request("undefine", invocation.aboutActionOrApp())
    try invocation.tell(reply) { name in
      let removed = reply["removed"]?.integer ?? 0
      return removed == 0
        ? "nothing was defined of \(name)" : "\(AmountText.count(removed, "definition")) of \(name) taken back"
    }
    return .done
  }
}
