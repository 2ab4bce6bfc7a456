import KeyFiles
import Wire

// A desktop entry, by the Desktop Entry Specification of freedesktop.org. What is read of it:
//
//     [Desktop Entry]           Type, Hidden, Name, Actions
//     [Desktop Action ACTION]   Name, Icon, Exec; for each ACTION in Actions

/// Reads a desktop entry.
struct DesktopEntry: ~Copyable {
  private static let main = "Desktop Entry"

  private let file: KeyFile
  private let languages: Languages
  private let groups: [[UInt8]: Group]
  private var warnings: [DefinitionError] = []

  /// Where a group and its keys stand. Names are bytes: two texts can be equal and differ in them.
  private struct Group {
    let offset: Int
    var keys: [[UInt8]: Int] = [:]
  }

  /// - Parameter app: the id of the app, from the file's name.
  /// - Throws: the first thing that is wrong.
  /// - Complexity: O(*n*) in the bytes.
  static func read(
    _ text: [UInt8], app: [UInt8], languages: Languages
  ) throws(DefinitionError) -> (outcome: FileOutcome, warnings: [DefinitionError]) {
    let app = try AppDefinition.checkedApp(app, at: nil)
    var entry = try DesktopEntry(text, languages: languages)
    let outcome = try entry.outcome(app)
    return (outcome, entry.warnings)
  }

  private init(_ text: [UInt8], languages: Languages) throws(DefinitionError) {
    do throws(KeyFileError) { file = try KeyFile(text) } catch {
      throw DefinitionError(.keyFile(error.fault), at: KeyFileLines(text[...]).offset(of: error.line))
    }
    self.languages = languages
    var groups: [[UInt8]: Group] = [:]
    var name: [UInt8] = []
    let lines = file.lines
    lines.forEach { line, item in
      let offset = lines.offset(of: line)
      switch item {
      case .section(let section):
        name = section
        if groups[name] == nil { groups[name] = Group(offset: offset) }
      case .key(let key): groups[name]?.keys[key] = offset
      }
    }
    self.groups = groups
  }

  private mutating func outcome(_ app: [UInt8]) throws(DefinitionError) -> FileOutcome {
    guard let main = groups[Array(Self.main.utf8)] else { throw DefinitionError(.noDesktopEntry, at: nil) }
    guard let type = file.string(section: Self.main, key: "Type") else {
      throw DefinitionError(.missing("Type"), at: main.offset)
    }
    if type != "Application" || file.string(section: Self.main, key: "Hidden") == "true" { return .hidden(app: app) }
    var actions = ActionList()
    let place = main.keys[Array("Actions".utf8)] ?? main.offset
    let names = (file.strings(section: Self.main, key: "Actions") ?? []).filter { !$0.isEmpty }
    // Held against the limits before any group is looked at: to look at one again and again takes for ever.
    if names.count > DefinitionLimits.actions {
      throw DefinitionError(.tooManyActions(limit: DefinitionLimits.actions), at: place)
    }
    if Set(names.map { Array($0.utf8) }).count < names.count { throw DefinitionError(.duplicateAction, at: place) }
    for name in names {
      let id = try ActionDefinition.checkedID(app + [UInt8(ascii: ".")] + name.utf8, at: place)
      if let action = try action(id, "Desktop Action \(name)", listedAt: place) {
        try actions.append(action, at: place)
      }
    }
    return .defined(
      AppDefinition(app: app, localizedName: try localized(Self.main, main, "Name"), actions: actions.actions))
  }

  private mutating func action(
    _ id: [UInt8], _ name: String, listedAt place: Int
  ) throws(DefinitionError) -> ActionDefinition? {
    guard let group = groups[Array(name.utf8)] else {
      warnings.append(DefinitionError(.actionWithoutGroup, at: place))
      return nil
    }
    guard let title = try localized(name, group, "Name") else {
      warnings.append(DefinitionError(.actionWithoutName, at: group.offset))
      return nil
    }
    var userInfo: [JSONObjectMember] = []
    if let command = file.string(section: name, key: "Exec") {
      userInfo = try MemberReader.userInfo(
        [JSONObjectMember("Exec", JSONNode(.string(command)))], "Exec", at: Self.offset(of: "Exec", in: group))
    }
    // A path is a file; anything else is the name of an icon of the theme.
    let icon = try localized(name, group, "Icon").map { $0.hasPrefix("/") ? Icon.file($0) : .symbol($0) }
    return ActionDefinition(id: id, kind: .dynamic, localizedTitle: title, icon: icon, userInfo: userInfo)
  }

  /// The value of a key in the language that serves best; none if it is empty.
  private func localized(_ name: String, _ group: Group, _ key: String) throws(DefinitionError) -> String? {
    let start = Array("\(key)[".utf8)
    let options = group.keys.keys.filter { $0.starts(with: start) && $0.last == UInt8(ascii: "]") }
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { (name: String(decoding: $0.dropFirst(start.count).dropLast(), as: UTF8.self), value: $0) }
    let key = languages.best(options).map { String(decoding: $0, as: UTF8.self) } ?? key
    guard let text = file.string(section: name, key: key), !text.isEmpty else { return nil }
    return try MemberReader.text(text, key, at: Self.offset(of: key, in: group))
  }

  private static func offset(of key: String, in group: Group) -> Int { group.keys[Array(key.utf8)] ?? group.offset }
}
