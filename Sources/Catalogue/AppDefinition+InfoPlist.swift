import KeyFiles
import Wire

// The Info.plist of an app:
//
//     CFBundleIdentifier                           the app
//     CFBundleDisplayName, CFBundleName            what a person calls it
//     UIApplicationShortcutItems                   its static actions, each a dictionary of
//       UIApplicationShortcutItemType                the type of the action
//       UIApplicationShortcutItemTitle               its title, or a key for it
//       UIApplicationShortcutItemSubtitle            its subtitle, or a key for it
//       UIApplicationShortcutItemIconSymbolName      its icon; the first of the three that is there counts
//       UIApplicationShortcutItemIconFile
//       UIApplicationShortcutItemIconType
//       UIApplicationShortcutItemUserInfo            its user info

extension AppDefinition {
  private static let item = "UIApplicationShortcutItem"

  /// Reads a file's text, with the texts of languages beside it.
  ///
  /// - Throws: the first thing that is wrong.
  static func read(infoPlist text: SourceText, texts: inout LocalizedStrings) throws(DefinitionError) -> AppDefinition {
    let members = try MemberReader(try PropertyList.read(text), "the property list")
    let identifier = try literal(members, "CFBundleIdentifier")
    let app = try checkedApp(Array(identifier.utf8), at: members.offset(of: "CFBundleIdentifier"))
    var actions = ActionList()
    for element in try members.elements(item + "s") {
      try actions.append(try action(try MemberReader(element, "a shortcut item"), &texts), at: element.offset)
    }
    var name = try name(members, "CFBundleDisplayName", &texts)
    if name == nil { name = try self.name(members, "CFBundleName", &texts) }
    return AppDefinition(app: app, localizedName: name, actions: actions.actions)
  }

  private static func action(
    _ members: MemberReader, _ texts: inout LocalizedStrings
  ) throws(DefinitionError) -> ActionDefinition {
    let type = try literal(members, item + "Type")
    let id = try ActionDefinition.checkedID(Array(type.utf8), at: members.offset(of: item + "Type"))
    guard let title = try localized(members, item + "Title", &texts) else {
      throw DefinitionError(.missing(item + "Title"), at: members.offset(of: item + "Title"))
    }
    return ActionDefinition(
      id: id, kind: .static, localizedTitle: title,
      localizedSubtitle: try localized(members, item + "Subtitle", &texts), icon: try icon(members),
      userInfo: try members.userInfo(item + "UserInfo"))
  }

  /// A text that has to be there, without variables.
  private static func literal(_ members: MemberReader, _ name: String) throws(DefinitionError) -> String {
    let text = try members.requiredText(name)
    if text.contains("$(") || text.contains("${") {
      throw DefinitionError(.buildVariable(name), at: members.offset(of: name))
    }
    return text
  }

  /// A text that may be the key of one.
  private static func localized(
    _ members: MemberReader, _ name: String, _ texts: inout LocalizedStrings
  ) throws(DefinitionError) -> String? {
    guard let key = try members.text(name) else { return nil }
    guard let text = texts.text(key) else { return key }
    return try MemberReader.text(text, name, at: members.offset(of: name))
  }

  /// A name that the texts have under its own key, or that the property list has.
  private static func name(
    _ members: MemberReader, _ name: String, _ texts: inout LocalizedStrings
  ) throws(DefinitionError) -> String? {
    let plain = try members.text(name)
    guard let text = texts.text(name) else { return plain }
    return try MemberReader.text(text, name, at: members.offset(of: name))
  }

  private static func icon(_ members: MemberReader) throws(DefinitionError) -> Icon? {
    if let name = try members.text(item + "IconSymbolName") { return .symbol(name) }
    if let name = try members.text(item + "IconFile") { return .file(name) }
    return try members.text(item + "IconType").map(Icon.type)
  }
}
