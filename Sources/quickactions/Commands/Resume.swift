import QuickActionsClient
import Wire

extension Subcommand {
  static let resume = Subcommand(
    name: "resume", summary: "Record again after a pause", synopsis: ""
  ) { invocation in
    let reply = try invocation.connect().request("resume")
    if invocation.output.isJSON {
      try invocation.output.json(reply)
    } else {
      try invocation.output.line(
        reply["changed"]?.bool == false ? "recording was not paused" : "recording goes on")
    }
    return .done
  }
}
