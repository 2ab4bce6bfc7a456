package import Wire

// The JSON form, in the catalogue and in requests of apps:
//
//     action = { "type": string, ["target": string,] "kind": "static" / "dynamic",
//                "localizedTitle": string, ["localizedSubtitle": string,]
//                ["titles": texts,] ["subtitles": texts,] ["icon": icon,] ["userInfo": object,] ["enabled": bool] }
//     texts  = { *( LANGUAGE: string ) }
//     icon   = { "symbol" / "type" / "file": string }

extension ActionDefinition {
  /// Who describes an action, and what he has to say.
  package enum Source: Sendable {
    /// A file: the kind has to be there, and the title of what is static.
    case catalogue
    /// A client: the action is dynamic, which need not be said, and has a title.
    case client
  }

  /// Reads an action; members that mean nothing are left to ``unknownMembers(_:)``.
  ///
  /// - Throws: the first thing that is wrong, with its place in the text that the node was read from.
  package init(json node: JSONNode, languages: Languages, source: Source) throws(DefinitionError) {
    let members = try MemberReader(node, "an action")
    let id = try Self.id(members)
    let kind = try Self.kind(members, source)
    let title = try Self.localized(members, "localizedTitle", "titles", languages)
    if title.plain == nil, kind == .static || source == .client {
      throw DefinitionError(.missing("localizedTitle"), at: members.offset(of: "localizedTitle"))
    }
    self.init(
      id: id, kind: kind, localizedTitle: title.best,
      localizedSubtitle: try Self.localized(members, "localizedSubtitle", "subtitles", languages).best,
      icon: try Self.icon(members), userInfo: try members.userInfo("userInfo"),
      isEnabled: try members.bool("enabled") ?? true)
  }

  /// A warning for each member of an action and its icon that means nothing.
  package static func unknownMembers(_ node: JSONNode) -> [DefinitionError] {
    let known = [
      "type", "target", "kind", "localizedTitle", "localizedSubtitle", "titles", "subtitles", "icon", "userInfo",
      "enabled",
    ]
    return node.unknownMembers(known: known) + (node["icon"]?.unknownMembers(known: iconMembers) ?? [])
  }

  /// Writes the members that a snapshot's row has of it: `localizedTitle`, `localizedSubtitle`, `icon`, `userInfo`.
  package func json(to json: inout JSONWriter) {
    json.member("localizedTitle", localizedTitle)
    json.member("localizedSubtitle", localizedSubtitle)
    json.key("icon")
    switch icon {
    case nil: json.null()
    case .symbol(let name): json.object { $0.member("symbol", name) }
    case .type(let name): json.object { $0.member("type", name) }
    case .file(let name): json.object { $0.member("file", name) }
    }
    json.member("userInfo", JSONNode(.object(userInfo)))
  }

  private static let iconMembers = ["symbol", "type", "file"]

  private static func id(_ members: MemberReader) throws(DefinitionError) -> [UInt8] {
    let type = Array(try members.requiredText("type").utf8)
    let place = members.offset(of: "type")
    guard members.has("target") else { return try checkedID(type, at: place) }
    let target = Array(try members.requiredText("target").utf8)
    let mark = UInt8(ascii: "#")
    if type.contains(mark) {
      throw DefinitionError(.id(LineError(code: .invalidAction, reason: .twoTargets)), at: place)
    }
    // The type first, so that what is wrong with it is told at its place.
    return try checkedID(try checkedID(type, at: place) + [mark] + target, at: members.offset(of: "target"))
  }

  /// An id that was held against the rules.
  static func checkedID(_ id: [UInt8], at offset: Int) throws(DefinitionError) -> [UInt8] {
    do throws(LineError) {
      try IdRules.checkAction(id)
      return id
    } catch {
      throw DefinitionError(.id(error), at: offset)
    }
  }

  private static func kind(_ members: MemberReader, _ source: Source) throws(DefinitionError) -> Kind {
    if source == .client, !members.has("kind") { return .dynamic }
    let allowed: [Kind] = source == .client ? [.dynamic] : Kind.allCases
    let text = try members.requiredText("kind")
    guard let kind = allowed.first(where: { $0.rawValue == text }) else {
      let words = allowed.map(\.rawValue).joined(separator: " and ")
      throw DefinitionError(.notAllowed("kind", allowed: words), at: members.offset(of: "kind"))
    }
    return kind
  }

  /// The text of no language, and the one that serves best.
  private static func localized(
    _ members: MemberReader, _ name: String, _ table: String, _ languages: Languages
  ) throws(DefinitionError) -> (plain: String?, best: String?) {
    let plain = try members.text(name)
    var options: [(name: String, value: String)] = []
    for member in try members.object(table)?.members ?? [] {
      let text = try MemberReader.text(member.node, table)
      if !text.isEmpty { options.append((member.name, text)) }
    }
    return (plain, languages.best(options) ?? plain)
  }

  private static func icon(_ members: MemberReader) throws(DefinitionError) -> Icon? {
    guard let node = try members.object("icon") else { return nil }
    let icon = try MemberReader(node, "icon")
    let given = iconMembers.filter { icon.has($0) }
    guard given.count == 1, let text = try icon.text(given[0]) else {
      throw DefinitionError(.notAllowed("icon", allowed: "one of symbol, type and file, with a text"), at: node.offset)
    }
    switch given[0] {
    case "symbol": return .symbol(text)
    case "type": return .type(text)
    default: return .file(text)
    }
  }
}

extension JSONNode {
  /// A warning for each member that is not one of those known.
  func unknownMembers(known: [String]) -> [DefinitionError] {
    (members ?? []).filter { member in !known.contains { $0.utf8.elementsEqual(member.name.utf8) } }
      .map { DefinitionError(.unknownMember($0.name, known: known), at: $0.node.offset) }
  }
}
