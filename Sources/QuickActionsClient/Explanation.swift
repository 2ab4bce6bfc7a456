package import Wire

/// Why an action stands where it stands.
public struct Explanation: Hashable, Sendable {
  /// Who defined an action.
  public enum Definer: String, Hashable, Sendable {
    /// The catalogue, as a static one.
    case `static`
    /// The catalogue, as a dynamic one.
    case catalogue
    /// A program, over the control socket.
    case registered
  }

  /// Why an action is in no list.
  public enum Absence: String, Hashable, Sendable {
    /// Others are better.
    case outranked
    /// The person has blocked it.
    case blocked
    /// The person has blocked its app.
    case appBlocked
    /// It is disabled.
    case disabled
    /// Nobody has defined it, and the settings want that.
    case undefined
  }

  /// What decides between two actions.
  public enum Decision: String, Hashable, Sendable {
    /// The scores.
    case score
    /// Which was used last, as the scores are equal.
    case lastUse
    /// Which use arrived last, as their times are equal, too.
    case arrival
    /// The order of the ids, as everything else is equal.
    case id
  }

  /// Where it stands by score among its app's dynamic actions.
  public struct Place: Hashable, Sendable {
    /// Its place, from 1; nil if it does not compete.
    public let dynamic: Int?
    /// How many compete.
    public let competitors: Int
    /// How many static actions stand before all of them.
    public let statics: Int
    /// How many pinned ones.
    public let pinned: Int
    /// The one right before it.
    public let ahead: Neighbour?
  }

  /// The action right before another.
  public struct Neighbour: Hashable, Sendable {
    /// Its id.
    public let action: ActionID
    /// Its score.
    public let score: Double
    /// Why it is before the other; nil if this library does not know the reason.
    public let decision: Decision?
  }

  /// Whose action it is.
  public let app: AppID
  /// Its id.
  public let action: ActionID
  /// Where it comes from.
  public let kind: ActionKind
  /// What a menu shows.
  public let localizedTitle: String?
  /// Who defined it; nil if nobody did.
  public let definedBy: Definer?
  /// Whether it may stand in lists.
  public let isEnabled: Bool
  /// Since when the person has blocked it; nil if that is not so.
  public let blockedSince: UnixTime?
  /// Since when it is pinned; nil if that is not so.
  public let pinnedSince: UnixTime?
  /// All of its uses.
  public let uses: UInt64
  /// The earliest one.
  public let firstUsed: UnixTime?
  /// The latest one.
  public let lastUsed: UnixTime?
  /// How many uses of just now its uses are worth.
  public let score: Double
  /// After this a use weighs half, in time as the settings write it or in uses of the app: `7d`, `20 uses`; or another
  /// way to lose weight, in words.
  public let halfLife: String
  /// Whether that is the app's own half-life.
  public let isHalfLifeOfApp: Bool
  /// By what its app's list is ordered; nil if the daemon does not say.
  public let method: UseStatistics.Method?
  /// Its rank in its app's list; nil if it is not in it.
  public let rank: Int?
  /// Why it is not.
  public let absence: Absence?
  /// The most entries that the list may have.
  public let limit: Int
  /// Where it stands by score.
  public let place: Place
  /// Seconds since its latest use.
  public let sinceLastUse: Double?
  /// What one use at that time is worth today; nil if that does not depend on time.
  public let weightOfLastUse: Double?
  /// One that is ahead by score and not in the list, as it is not ahead by the margin: this one, which is, stays.
  public let heldAgainst: ActionID?
  /// One that stays in the list although this one, which is not, is ahead by score: it is not by the margin.
  public let keptOutBy: ActionID?

  package init(_ node: JSONNode) throws(ClientError) {
    guard let app = node["app"]?.string, let action = node["action"]?.string else {
      throw .badReply("an explanation of nothing")
    }
    (self.app, self.action) = (AppID(app), ActionID(action))
    kind = node["kind"]?.string.flatMap { ActionKind(rawValue: $0) } ?? .dynamic
    localizedTitle = node["localizedTitle"]?.string
    definedBy = node["defined"]?.string.flatMap { Definer(rawValue: $0) }
    isEnabled = node["enabled"]?.bool ?? true
    blockedSince = node["blockedSince"]?.time
    pinnedSince = node["pinnedSince"]?.time
    uses = node["uses"]?.count ?? 0
    firstUsed = node["firstUsed"]?.time
    lastUsed = node["lastUsed"]?.time
    score = node["score"]?.double ?? 0
    halfLife = node["halfLife"]?.string ?? ""
    isHalfLifeOfApp = node["halfLifeOfApp"]?.bool ?? false
    method = node["method"].map { UseStatistics.Method($0) }
    rank = node["rank"]?.whole
    absence = node["absent"]?.string.flatMap { Absence(rawValue: $0) }
    limit = node["limit"]?.whole ?? 0
    place = Place(node["place"])
    sinceLastUse = node["sinceLastUse"]?.double
    weightOfLastUse = node["weightOfLastUse"]?.double
    heldAgainst = node["heldAgainst"]?.string.map { ActionID($0) }
    keptOutBy = node["keptOutBy"]?.string.map { ActionID($0) }
  }
}

extension Explanation.Place {
  fileprivate init(_ node: JSONNode?) {
    dynamic = node?["dynamic"]?.whole
    competitors = node?["of"]?.whole ?? 0
    statics = node?["statics"]?.whole ?? 0
    pinned = node?["pinned"]?.whole ?? 0
    ahead = node?["ahead"].flatMap { Explanation.Neighbour($0) }
  }
}

extension Explanation.Neighbour {
  fileprivate init?(_ node: JSONNode) {
    guard let action = node["action"]?.string else { return nil }
    self.action = ActionID(action)
    score = node["score"]?.double ?? 0
    decision = node["by"]?.string.flatMap { Explanation.Decision(rawValue: $0) }
  }
}
