package import Wire

/// An action as a program registers it: of the kind dynamic.
public struct Definition: Hashable, Sendable {
  /// What it is.
  public var action: ActionID
  /// What a menu shows.
  public var localizedTitle: String
  /// What a menu shows below that.
  public var localizedSubtitle: String?
  /// Other titles, by language: `de`, `pt-BR`.
  public var titles: [String: String] = [:]
  /// Other subtitles, by language.
  public var subtitles: [String: String] = [:]
  /// Its picture.
  public var icon: Icon?
  /// What comes back in lists: the JSON text of an object.
  public var userInfo: String?
  /// Whether it may stand in lists.
  public var isEnabled = true

  /// An action with a title, not checked: the call that sends it says what is wrong with it.
  public init(
    _ action: ActionID, title: String, subtitle: String? = nil, icon: Icon? = nil, userInfo: String? = nil
  ) {
    self.action = action
    localizedTitle = title
    localizedSubtitle = subtitle
    self.icon = icon
    self.userInfo = userInfo
  }

  /// The definition as the protocol has it.
  ///
  /// - Throws: ``ClientError/refused(_:)`` if the user info is not the text of an object.
  package func node() throws(ClientError) -> JSONNode {
    var members = [JSONObjectMember("type", JSONNode(.string(action.type)))]
    func add(_ name: String, _ text: String?) {
      if let text { members.append(JSONObjectMember(name, JSONNode(.string(text)))) }
    }
    func add(_ name: String, _ texts: [String: String]) {
      if texts.isEmpty { return }
      let sorted = texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      members.append(
        JSONObjectMember(
          name, JSONNode(.object(sorted.map { JSONObjectMember($0.key, JSONNode(.string($0.value))) }))))
    }
    add("target", action.target)
    add("localizedTitle", localizedTitle)
    add("localizedSubtitle", localizedSubtitle)
    add("titles", titles)
    add("subtitles", subtitles)
    if let icon { members.append(JSONObjectMember("icon", JSONNode(.object([icon.member])))) }
    if let userInfo { members.append(JSONObjectMember("userInfo", try Self.object(userInfo))) }
    if !isEnabled { members.append(JSONObjectMember("enabled", JSONNode(.bool(false)))) }
    return JSONNode(.object(members))
  }

  private static func object(_ text: String) throws(ClientError) -> JSONNode {
    do { return try JSONNode.object(Array(text.utf8)) } catch {
      let message = "the user info: \(error.message)"
      throw .refused(Refusal(line: nil, code: RefusalCode.invalidArgument.rawValue, message: message))
    }
  }
}

extension Icon {
  /// As a member of its object.
  fileprivate var member: JSONObjectMember {
    switch self {
    case .symbol(let name): JSONObjectMember("symbol", JSONNode(.string(name)))
    case .type(let name): JSONObjectMember("type", JSONNode(.string(name)))
    case .file(let path): JSONObjectMember("file", JSONNode(.string(path)))
    }
  }
}
