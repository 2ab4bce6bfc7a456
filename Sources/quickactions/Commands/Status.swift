import QuickActionsClient
import Wire

extension Subcommand {
  static let status = Subcommand(
    name: "status", summary: "Show what the daemon counts, and what is wrong with it", synopsis: ""
  ) { invocation in
    let connection = try invocation.connect()
    let reply = try connection.request("status")
    if invocation.output.isJSON {
      try invocation.output.json(reply)
      return .done
    }
    for line in StatusText.lines(
      reply, at: connection.places.runtimeDirectory, now: .now, colours: invocation.output.colours)
    {
      try invocation.output.line(line)
    }
    return .done
  }
}

/// The daemon's status for people: every number has its name, also one that this version does not know.
enum StatusText {
  /// The lines of a table; what is wrong comes first, counters that are 0 are left out.
  static func lines(_ status: JSONNode, at directory: String, now: UnixTime, colours: Bool) -> [String] {
    var table = Table([("", .left), ("", .left)])
    let members = (status.members ?? []).filter { $0.name != "seq" && $0.node.value != .null }
    let problems = members.filter { $0.name.hasSuffix("Error") || $0.name.hasSuffix("ErrorSince") }
    for problem in problems { table.add([.init(words(problem.name), .bold), .init(text(problem, now), .red)]) }
    table.add([.init("daemon in", .bold), .init(directory)])
    for member in members where member.node.members == nil && !problems.contains(where: { $0.name == member.name }) {
      table.add([.init(words(member.name), .bold), .init(text(member, now))])
    }
    for group in members {
      let shown = (group.node.members ?? []).filter { $0.node.integer != 0 }
      if shown.isEmpty { continue }
      table.add([.init(words(group.name), .bold), .init("")])
      for member in shown { table.add([.init("  " + words(member.name)), .init(text(member, now))]) }
    }
    return table.lines(colours: colours)
  }

  /// `keptConnections` as "kept connections", without a unit at its end.
  private static func words(_ name: String) -> String {
    var result = ""
    for (character, next) in zip(name, name.dropFirst() + "A") {
      // Not within an abbreviation: `invalidJSON`.
      let beginsWord = character.isUppercase && result.last?.isLowercase == true
      if beginsWord { result += " " }
      result +=
        beginsWord && next.isUppercase || result.last?.isUppercase == true ? String(character) : character.lowercased()
    }
    for unit in [" bytes", " seconds", " milliseconds"] where result.hasSuffix(unit) {
      result.removeLast(unit.count)
    }
    return result
  }

  private static func text(_ member: JSONObjectMember, _ now: UnixTime) -> String {
    let node = member.node
    if let time = node.time { return "\(TimeText.ago(time, now: now)) (\(node.string ?? ""))" }
    if let count = node.count {
      if member.name.hasSuffix("Bytes") { return AmountText.size(count) }
      if member.name.hasSuffix("Milliseconds") { return "\(count) ms" }
      if member.name.hasSuffix("Seconds") { return TimeText.span(seconds: Int64(clamping: count)) }
    }
    return node.string ?? node.text
  }
}
