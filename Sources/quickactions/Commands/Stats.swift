import QuickActionsClient

extension Option {
  fileprivate static let days = Option("--days", value: "N", help: "how many days to list, 1 to 400, else 14")
}

extension Subcommand {
  static let stats = Subcommand(
    name: "stats", summary: "Show how often the next use was on the menu", synopsis: "[APP] [--days N]",
    details: """
      How many uses were of an action that was among the published shortcuts just before, how often these change, by
      which list they are ranked, and how that did beside the best list in hindsight. Without APP of all apps together.
      """,
    options: [.days], operands: 0...1
  ) { invocation in
    let days = try invocation.number(.days, in: 1...400)
    let app = invocation.operands.first.map { AppID($0) }
    let reply = try invocation.connect().statsReply(of: app, days: days)
    if invocation.output.isJSON {
      try invocation.output.json(reply)
    } else {
      let text = StatsText(UseStatistics(reply))
      if text.isEmpty { invocation.output.note(StatsText.nothing) }
      for line in text.lines(colours: invocation.output.colours) { try invocation.output.line(line) }
    }
    return .done
  }
}
