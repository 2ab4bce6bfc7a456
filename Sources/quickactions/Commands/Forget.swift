import KeyFiles
import QuickActionsClient
import Wire

extension Option {
  fileprivate static let since = Option(
    "--since", value: "TIME", help: "all uses since then: a date, or how long ago, such as 2h")
  fileprivate static let all = Option("--all", help: "all uses of everything")
}

extension Subcommand {
  static let forget = Subcommand(
    name: "forget", summary: "Forget uses, for good",
    synopsis: "ACTION [--app APP] | --app APP | --since TIME | --all  [--yes]",
    details: """
      Asks first. It is done when what was forgotten is gone from every file. --since forgets whole hours: from the
      beginning of the one that TIME is in. Definitions, pins and blocks stay.
      """,
    options: [.app, .since, .all, .yes], operands: 0...1
  ) { invocation in
    let what = try invocation.forgotten()
    try Confirmation.ask("Forget \(what.words)", invocation)
    let connection = try invocation.connect()
    let reply = try connection.forget(what)
    let sync = try connection.sync()
    if invocation.output.isJSON {
      try invocation.output.json { json in
        json.member("actions", reply.actions)
        json.member("uses", reply.uses)
        json.member("durable", sync.isDurable)
      }
    } else {
      try invocation.output.line(
        "\(AmountText.count(reply.uses, "use")) of \(AmountText.count(reply.actions, "action")) forgotten")
    }
    guard sync.isDurable else {
      throw CommandFailure.failed(
        "forgotten, but not gone from the disk yet: \(sync.reason ?? "no reason was given")", code: "notDurable")
    }
    return .done
  }
}

extension Invocation {
  fileprivate func forgotten() throws(CommandFailure) -> Forgotten {
    let ways = [operands.first != nil || app != nil, has(.since), has(.all)].count { $0 }
    guard ways == 1 else {
      throw .usage(
        ways == 0 ? "what to forget is not said" : "only one thing can be forgotten at a time",
        hint: "usage: quickactions forget \(Subcommand.forget.synopsis)")
    }
    if let action = operands.first { return .action(ActionID(action), app: app) }
    if let app { return .app(app) }
    return has(.all) ? .all : .since(try since(value(.since) ?? "", now: .now))
  }

  private func since(_ text: String, now: UnixTime) throws(CommandFailure) -> UnixTime {
    // A mere number could be either, and what is taken for 1970 forgets everything.
    let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if !isNumber, let time = UnixTime(text) { return time }
    if !isNumber, let duration = try? DurationText.parse(text) {
      return UnixTime(nanoseconds: now.nanoseconds.subtractingReportingOverflow(duration).partialValue)
    }
    throw .usage(
      "--since takes a date such as 2026-11-30T12:00:00Z or a duration such as 2h, not '\(VisibleText.of(text))'")
  }
}

extension Forgotten {
  /// What is forgotten, as it follows "Forget".
  fileprivate var words: String {
    switch self {
    case .action(let action, nil): return "all uses of \(action.text)"
    case .action(let action, let app?): return "all uses of \(action.text) in \(app.text)"
    case .app(let app): return "all uses of the app \(app.text)"
    case .all: return "all uses of everything"
    case .since(let time):
      let hour: Int64 = 3_600_000_000_000
      let rest = time.nanoseconds % hour
      let start = RFC3339.string(
        nanoseconds: time.nanoseconds - (rest < 0 ? rest + hour : rest), fractionDigits: 0)
      return "all uses since \(start)"
    }
  }
}
