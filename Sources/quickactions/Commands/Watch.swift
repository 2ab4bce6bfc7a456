import Posix
import QuickActionsClient

extension Subcommand {
  static let watch = Subcommand(
    name: "watch", summary: "Show the best actions as they change", synopsis: "[APP]",
    details: """
      On a terminal: the list as it is now, drawn anew each second; ↑ and ↓ show what moved at the last change, + what
      is new. q or Ctrl-C ends it. Elsewhere, and with --json: a line for each published change, of every app if none is
      named.
      """, operands: 0...1
  ) { invocation in
    let app = invocation.operands.first.map { AppID($0) }
    let hasScreen = StandardStream.output.isTerminal && Process.environment("TERM") ?? "dumb" != "dumb"
    guard hasScreen, !invocation.output.isJSON else {
      try ChangeLines(invocation, app: app).run()
    }
    var screen = try WatchScreen(invocation, app: app)
    try screen.run()
    return .done
  }
}
