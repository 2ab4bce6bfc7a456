import Wire

/// The picture of an action: one of three kinds.
public enum Icon: Hashable, Sendable {
  /// The name of a symbol.
  case symbol(String)
  /// A kind of the system's own.
  case type(String)
  /// A picture's file.
  case file(String)
}

/// Where an action comes from.
public enum ActionKind: String, Hashable, Sendable {
  /// Declared beforehand, in the catalogue.
  case `static`
  /// Registered, or simply used.
  case dynamic
}

/// One row of a ranked list.
public struct Shortcut: Hashable, Sendable {
  /// From 1.
  public let rank: Int
  /// Where the action comes from.
  public let kind: ActionKind
  /// Whose action it is.
  public let app: AppID?
  /// Its id.
  public let action: ActionID
  /// What a menu shows; nil for an action that nobody has defined.
  public let localizedTitle: String?
  /// What a menu shows below that.
  public let localizedSubtitle: String?
  /// Its picture.
  public let icon: Icon?
  /// What the action was defined with, as the JSON text of an object.
  public let userInfo: String
  /// How many uses of just now its uses are worth.
  public let score: Double
  /// All uses.
  public let uses: UInt64
  /// The latest one; nil if it was never used.
  public let lastUsed: UnixTime?

  init(_ node: JSONNode, app: AppID?) throws(ClientError) {
    guard let type = node["type"]?.string else { throw .badReply("a shortcut without a type") }
    rank = node["rank"]?.whole ?? 0
    kind = node["kind"]?.string.flatMap { ActionKind(rawValue: $0) } ?? .dynamic
    self.app = node["app"]?.string.map { AppID($0) } ?? app
    action = ActionID(type: type, target: node["target"]?.string)
    localizedTitle = node["localizedTitle"]?.string
    localizedSubtitle = node["localizedSubtitle"]?.string
    icon = node["icon"].flatMap { Icon($0) }
    userInfo = node["userInfo"]?.text ?? "{}"
    score = node["score"]?.double ?? 0
    uses = node["uses"]?.count ?? 0
    lastUsed = node["lastUsed"]?.time
  }

  static func list(_ node: JSONNode?, app: AppID?) throws(ClientError) -> [Shortcut] {
    var rows: [Shortcut] = []
    for element in node?.elements ?? [] { rows.append(try Shortcut(element, app: app)) }
    return rows
  }
}

extension Icon {
  init?(_ node: JSONNode) {
    if let name = node["symbol"]?.string {
      self = .symbol(name)
    } else if let name = node["type"]?.string {
      self = .type(name)
    } else if let path = node["file"]?.string {
      self = .file(path)
    } else {
      return nil
    }
  }
}
