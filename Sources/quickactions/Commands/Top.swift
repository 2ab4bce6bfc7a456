import QuickActionsClient
import Wire

extension Option {
  fileprivate static let limit = Option("-n", value: "N", help: "how many rows, 1 to 100")
}

extension Subcommand {
  static let top = Subcommand(
    name: "top", summary: "Show the best actions of an app, or over all apps", synopsis: "[APP] [-n N]",
    details: "Without a daemon the published files are read, and their age is told.", options: [.limit],
    operands: 0...1
  ) { invocation in
    let limit = try invocation.number(.limit, in: 1...100)
    let app = invocation.operands.first.map { AppID($0) }
    let found = try invocation.askOrRead { () throws(ClientError) in
      try invocation.connect().topReply(of: app, limit: limit)
    } read: { (directory) throws(ClientError) in
      try Snapshot.node(of: app, in: directory)
    }
    let node = found.isFromFile ? found.node.limited(to: limit) : found.node
    if invocation.output.isJSON {
      try invocation.output.json(node)
    } else {
      try invocation.show(Snapshot(node))
    }
    return .done
  }
}

extension Invocation {
  fileprivate func show(_ snapshot: Snapshot) throws(CommandFailure) {
    if snapshot.shortcuts.isEmpty { return output.note("nothing has been used yet") }
    let now = UnixTime.now
    let isOverall = snapshot.app == nil
    var table = Table(
      [("#", .right), ("score", .right), ("uses", .right), ("last use", .left), ("kind", .left)]
        + (isOverall ? [("app", .left)] : []) + [("action", .left), ("title", .left)])
    for row in snapshot.shortcuts {
      table.add(
        [
          .init("\(row.rank)", .bold), .init(AmountText.score(row.score), .cyan), .init("\(row.uses)"),
          .init(TimeText.ago(row.lastUsed, now: now)), .init(row.kind.rawValue, .faint),
        ] + (isOverall ? [.init(row.app?.text ?? "")] : []) + [.init(row.action.text), .init(row.localizedTitle ?? "")])
    }
    try output.table(table)
  }
}

extension JSONNode {
  /// The list with at most so many rows, as the daemon would give it.
  fileprivate func limited(to limit: Int?) -> JSONNode {
    guard let limit, let members else { return self }
    let cut = members.map { member in
      guard ["shortcuts", "dynamic"].contains(member.name), let rows = member.node.elements else { return member }
      return JSONObjectMember(member.name, JSONNode(.array(Array(rows.prefix(limit)))))
    }
    return JSONNode(.object(cut))
  }
}
