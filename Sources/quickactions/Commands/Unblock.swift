import QuickActionsClient
import Wire

extension Subcommand {
  static let unblock = Subcommand(
    name: "unblock", summary: "Let a blocked action or app begin anew from nothing",
    synopsis: "ACTION [--app APP] | --app APP", options: [.app], operands: 0...1
  ) { invocation in
    let reply = try invocation.connect().request("unblock", invocation.aboutActionOrApp())
    try invocation.tell(reply) { name in
      reply["changed"]?.bool == false ? "\(name) was not blocked" : "\(name) is blocked no more"
    }
    return .done
  }
}
