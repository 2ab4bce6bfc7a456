package import Wire

/// How often the next use was among the shortcuts as they were published, and how calm these are.
public struct UseStatistics: Hashable, Sendable {
  /// Uses, and what the published shortcuts made of them.
  public struct Tally: Hashable, Sendable {
    /// Uses that were looked for among the shortcuts.
    public let trials: UInt64
    /// Those that were found there.
    public let hits: UInt64
    /// Places of published lists that got another action.
    public let changes: UInt64

    /// Hits by trials; nil if there were none.
    public var hitRate: Double? { trials > 0 ? Double(hits) / Double(trials) : nil }
  }

  /// A day, in UTC.
  public struct Day: Hashable, Sendable {
    /// As RFC 3339 writes it: `2026-12-01`.
    public let day: String
    /// What happened on it.
    public let tally: Tally
  }

  /// An app.
  public struct App: Hashable, Sendable {
    /// Its id.
    public let app: AppID
    /// What happened in it.
    public let tally: Tally
  }

  /// How an app's actions are ranked at the moment.
  public struct Method: Hashable, Sendable {
    /// What decides about the half-life.
    public enum Kind: String, Hashable, Sendable {
      /// Which list is hit most of late.
      case adaptive
      /// The settings.
      case fixed
    }

    /// What decides; nil if this library does not know it.
    public let kind: Kind?
    /// After this a use weighs half, in uses of the app or in time: `20 uses`, `1d`; or another way to lose weight, in words.
    public let halfLife: String
    /// The decayed hit rate of the list that is in force; nil while there were no trials.
    public let hitRate: Double?
  }

  /// What a list that the daemon keeps would have hit.
  public struct List: Hashable, Sendable {
    /// As that of ``Method``.
    public let halfLife: String
    /// Uses that would have been in it.
    public let hits: UInt64
    /// These by all trials; nil while there were none.
    public let hitRate: Double?
  }

  /// Whose they are; nil for those of all apps.
  public let app: AppID?
  /// Since the beginning.
  public let total: Tally
  /// Decayed, with a half-life of 200 trials; nil while there were none.
  public let recentHitRate: Double?
  /// Mean by day; nil where nothing is known.
  public let changesPerDay: Double?
  /// The day that goes on; nil if it has nothing yet.
  public let today: Day?
  /// Those that were asked for, oldest first.
  public let days: [Day]
  /// How the actions are ranked; nil for all apps.
  public let method: Method?
  /// What each list that is kept would have hit; empty where nothing is known.
  public let lists: [List]
  /// The half-life of the list that would have hit most.
  public let bestInHindsight: String?
  /// Hits by those of that list.
  public let shareOfBest: Double?
  /// The apps with the most trials; empty for one app.
  public let apps: [App]

  package init(_ node: JSONNode) {
    app = node["app"]?.string.map { AppID($0) }
    total = Tally(node)
    recentHitRate = node["recentHitRate"]?.double
    changesPerDay = node["changesPerDay"]?.double
    today = node["today"].flatMap { Day($0) }
    days = (node["days"]?.elements ?? []).compactMap { Day($0) }
    method = node["method"].map { Method($0) }
    lists = (node["lists"]?.elements ?? []).map { List($0) }
    bestInHindsight = node["bestInHindsight"]?.string
    shareOfBest = node["shareOfBest"]?.double
    apps = (node["apps"]?.elements ?? []).compactMap { App($0) }
  }
}

extension UseStatistics.Tally {
  fileprivate init(_ node: JSONNode) {
    trials = node["trials"]?.count ?? 0
    hits = node["hits"]?.count ?? 0
    changes = node["changes"]?.count ?? 0
  }
}

extension UseStatistics.Day {
  fileprivate init?(_ node: JSONNode) {
    guard let day = node["day"]?.string else { return nil }
    self.day = day
    tally = UseStatistics.Tally(node)
  }
}

extension UseStatistics.App {
  fileprivate init?(_ node: JSONNode) {
    guard let app = node["app"]?.string else { return nil }
    self.app = AppID(app)
    tally = UseStatistics.Tally(node)
  }
}

extension UseStatistics.Method {
  init(_ node: JSONNode) {
    kind = node["kind"]?.string.flatMap { Kind(rawValue: $0) }
    halfLife = node["halfLife"]?.string ?? ""
    hitRate = node["hitRate"]?.double
  }
}

extension UseStatistics.List {
  fileprivate init(_ node: JSONNode) {
    halfLife = node["halfLife"]?.string ?? ""
    hits = node["hits"]?.count ?? 0
    hitRate = node["hitRate"]?.double
  }
}
