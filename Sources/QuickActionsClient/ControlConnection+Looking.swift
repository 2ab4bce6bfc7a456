package import Wire

/// One app, as ``ControlConnection/apps()`` lists it.
public struct AppSummary: Hashable, Sendable {
  /// Its id.
  public let app: AppID
  /// Its name for people, if something declares one.
  public let localizedName: String?
  /// How many actions it has.
  public let actions: UInt64
  /// All uses of them.
  public let uses: UInt64
  /// The latest one.
  public let lastUsed: UnixTime?
  /// Whether the person has blocked it.
  public let isBlocked: Bool
  /// Whether something declares it.
  public let isDefined: Bool

  init(_ node: JSONNode) throws(ClientError) {
    guard let id = node["app"]?.string else { throw .badReply("an app without an id") }
    app = AppID(id)
    localizedName = node["localizedName"]?.string
    actions = node["actions"]?.count ?? 0
    uses = node["uses"]?.count ?? 0
    lastUsed = node["lastUsed"]?.time
    isBlocked = node["blocked"]?.bool ?? false
    isDefined = node["defined"]?.bool ?? false
  }
}

extension ControlConnection {
  /// The best actions of an app, or over all apps, as of now.
  ///
  /// - Parameter limit: how many, 1 to 1000; nil for as many as the list has.
  public func top(of app: AppID? = nil, limit: Int? = nil) throws(ClientError) -> Snapshot {
    try Snapshot(topReply(of: app, limit: limit))
  }

  /// As ``top(of:limit:)``, as the daemon says it.
  package func topReply(of app: AppID?, limit: Int?) throws(ClientError) -> JSONNode {
    try request("top") { writer in
      if let app { writer.member("app", app.text) }
      if let limit { writer.member("limit", limit) }
    }
  }

  /// All apps that the daemon knows, by id.
  public func apps() throws(ClientError) -> [AppSummary] {
    var apps: [AppSummary] = []
    for node in try appNodes() { apps.append(try AppSummary(node)) }
    return apps
  }

  /// As ``apps()``, as the daemon says it.
  package func appNodes() throws(ClientError) -> [JSONNode] {
    var nodes: [JSONNode] = []
    try pages("apps") { nodes += $0["apps"]?.elements ?? [] }
    return nodes
  }

  /// Gives everything that the daemon knows to `page`, as lines without line ends that its control socket takes, some 48
  /// KiB at a time.
  public func export(_ page: ([String]) throws(ClientError) -> Void) throws(ClientError) {
    try pages("export") { (reply) throws(ClientError) in
      try page((reply["lines"]?.elements ?? []).compactMap(\.string))
    }
  }

  /// Asks for a page after the other.
  private func pages(_ op: String, _ page: (JSONNode) throws(ClientError) -> Void) throws(ClientError) {
    var next: String?
    repeat {
      let reply = try request(op) { if let next { $0.member("after", next) } }
      try page(reply)
      // A daemon that names the same place again would never come to an end.
      guard let following = reply["next"]?.string, next.map({ !$0.utf8.elementsEqual(following.utf8) }) ?? true else {
        return
      }
      next = following
    } while true
  }

  /// Publishes what has changed now, and returns the round's number.
  @discardableResult
  public func recompute() throws(ClientError) -> UInt64 { try request("recompute")["generation"]?.count ?? 0 }

  /// All of the daemon's counters, and what is wrong at the moment.
  public func status() throws(ClientError) -> DaemonStatus { DaemonStatus(try request("status")) }

  /// Why an action stands where it stands.
  public func explain(_ action: ActionID, app: AppID? = nil) throws(ClientError) -> Explanation {
    try Explanation(request("explain", about(action, app)))
  }

  /// How often the shortcuts of an app, or of all apps together, had the next use among them.
  ///
  /// - Parameter days: how many to list one by one, 1 to 400; nil for 14.
  public func stats(of app: AppID? = nil, days: Int? = nil) throws(ClientError) -> UseStatistics {
    UseStatistics(try statsReply(of: app, days: days))
  }

  /// As ``stats(of:days:)``, as the daemon says it.
  package func statsReply(of app: AppID?, days: Int?) throws(ClientError) -> JSONNode {
    try request("stats") { writer in
      if let app { writer.member("app", app.text) }
      if let days { writer.member("days", days) }
    }
  }
}
