import QuickActionsClient
import Wire

extension Subcommand {
  static let pause = Subcommand(
    name: "pause", summary: "Stop recording, for a time or until resume", synopsis: "[DURATION]",
    details:
      "DURATION is one as in the settings, such as 30min or 1h, up to a year. Uses that come meanwhile are not counted.",
    operands: 0...1
  ) { invocation in
    let duration = invocation.operands.first
    let reply = try invocation.connect().request("pause") { if let duration { $0.member("for", duration) } }
    if invocation.output.isJSON {
      try invocation.output.json(reply)
    } else {
      let end = reply["until"]?.string.map { "until \(VisibleText.of($0))" } ?? "until: quickactions resume"
      try invocation.output.line("recording is paused \(end)")
    }
    return .done
  }
}
