import QuickActionsClient
import Wire

extension Subcommand {
  static let explain = Subcommand(
    name: "explain", summary: "Say why an action stands where it stands", synopsis: "ACTION [--app APP]",
    options: [.app], operands: 1...1
  ) { invocation in
    let reply = try invocation.connect().request("explain", invocation.aboutActionOrApp())
    if invocation.output.isJSON {
      try invocation.output.json(reply)
    } else {
      for line in try ExplanationText(reply, now: .now).lines { try invocation.output.line(line) }
    }
    return .done
  }
}
