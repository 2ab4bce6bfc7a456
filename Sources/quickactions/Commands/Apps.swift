import Posix
import QuickActionsClient
import Wire

extension Subcommand {
  static let apps = Subcommand(
    name: "apps", summary: "List the apps that have actions", synopsis: "",
    details: "Without a daemon the published files are read, which do not hold everything, and their age is told."
  ) { invocation in
    let found = try invocation.askOrRead { () throws(ClientError) in
      try invocation.connect().appNodes().asList(computedAt: nil)
    } read: { (directory) throws(ClientError) in
      try PublishedApps.read(in: directory)
    }
    if invocation.output.isJSON {
      try invocation.output.json { $0.member("apps", found.node["apps"] ?? JSONNode(.array([]))) }
    } else {
      try invocation.show(found.node["apps"]?.elements ?? [])
    }
    return .done
  }
}

extension Invocation {
  fileprivate func show(_ apps: [JSONNode]) throws(CommandFailure) {
    if apps.isEmpty { return output.note("no app has an action yet") }
    let now = UnixTime.now
    var table = Table([
      ("app", .left), ("actions", .right), ("uses", .right), ("last use", .left), ("name", .left), ("", .left),
    ])
    for app in apps {
      table.add([
        .init(app["app"]?.string ?? "", .bold), .init(app["actions"]?.count.map { "\($0)" } ?? "?"),
        .init(app["uses"]?.count.map { "\($0)" } ?? "?"), .init(TimeText.ago(app["lastUsed"]?.time, now: now)),
        .init(app["localizedName"]?.string ?? ""), .init(app["blocked"]?.bool == true ? "blocked" : "", .red),
      ])
    }
    try output.table(table)
  }
}

extension [JSONNode] {
  /// The apps as one node, with the time at which they held.
  fileprivate func asList(computedAt: UnixTime?) -> JSONNode {
    JSONNode(
      .object([
        JSONObjectMember("apps", JSONNode(.array(self))),
        JSONObjectMember("computedAt", JSONNode(computedAt.map { .string($0.description) } ?? .null)),
      ]))
  }
}

/// The apps that have published lists.
enum PublishedApps {
  /// Reads all lists in a state directory; nil if there is none. What only the daemon knows is null.
  ///
  /// - Complexity: O(files).
  static func read(in stateDirectory: String) throws(ClientError) -> JSONNode? {
    let folder = stateDirectory + "/snapshots/apps"
    let names: [String]
    do { names = try Directory(opening: folder).names() } catch {
      if error.isMissing || error.isNotAFolder { return nil }
      throw .system(error.description)
    }
    var (apps, newest) = ([(app: AppID, node: JSONNode)](), UnixTime(nanoseconds: .min))
    for name in names where name.hasSuffix(".json") && !name.hasPrefix(".") {
      // Gone since the folder was listed, or nothing of the daemon's: no reason not to list the others.
      guard let node = try? Snapshot.node(in: folder + "/" + name), let list = try? Snapshot(node), let app = list.app
      else { continue }
      newest = max(newest, list.computedAt ?? newest)
      apps.append((app, summary(of: list, app)))
    }
    if apps.isEmpty { return nil }
    return apps.sorted { $0.app < $1.app }.map(\.node).asList(computedAt: newest)
  }

  private static func summary(of list: Snapshot, _ app: AppID) -> JSONNode {
    let lastUsed = (list.shortcuts + list.dynamic).compactMap(\.lastUsed).max()
    let members: [(String, JSONValue)] = [
      ("app", .string(app.text)), ("localizedName", .null), ("actions", .null), ("uses", .null),
      ("lastUsed", lastUsed.map { .string($0.description) } ?? .null), ("blocked", .null), ("defined", .null),
    ]
    return JSONNode(.object(members.map { JSONObjectMember($0.0, JSONNode($0.1)) }))
  }
}
