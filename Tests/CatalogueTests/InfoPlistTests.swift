import Foundation
import Testing
import Wire

@testable import Catalogue

/// Apps by their Info.plist.
struct InfoPlistTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// An Info.plist with one shortcut item and other keys.
  static func plist(item: String, _ more: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a</string>\(more)
    <key>UIApplicationShortcutItems</key><array><dict>
    \(item)
    </dict></array></dict></plist>
    """
  }

  static func string(_ key: String, _ value: String) -> String {
    "<key>UIApplicationShortcutItem\(key)</key><string>\(value)</string>"
  }

  static let minimal = string("Type", "a.b") + string("Title", "T")

  @Test(
    "an Info.plist is an app with static actions, as XML, as binary and with CRLF",
    arguments: ["xml", "binary", "crlf", "utf16"])
  func sample(form: String) throws {
    let xml = try bytes(dataPath("com.example.notes.plist"))
    switch form {
    case "binary":
      let value = try PropertyListSerialization.propertyList(from: Data(xml), format: nil)
      try folder.write(
        Array(PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)), to: "n.plist")
    case "crlf":
      try folder.write(String(decoding: xml, as: UTF8.self).replacing("\n", with: "\r\n"), to: "n.plist")
    case "utf16":
      let units = "\u{FEFF}" + String(decoding: xml, as: UTF8.self)
      try folder.write(units.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, to: "n.plist")
    default: try folder.write(xml, to: "n.plist")
    }
    for name in ["de.lproj", "Base.lproj"] {
      try folder.write(try bytes(dataPath(name + "/InfoPlist.strings")), to: name + "/InfoPlist.strings")
    }
    let (definition, problems) = folder.read("n.plist", Languages(list: "de_AT:fr"))
    #expect(problems == [])
    func action(_ name: String, _ title: String, _ subtitle: String?, _ icon: Icon) -> ActionDefinition {
      ActionDefinition(
        id: Array("com.example.notes.\(name)".utf8), kind: .static, localizedTitle: title, localizedSubtitle: subtitle,
        icon: icon)
    }
    let actions = definition?.actions ?? []
    try #require(actions.count == 3)
    #expect(definition?.app == Array("com.example.notes".utf8))
    #expect(definition?.localizedName == "Notizen")
    #expect(actions[0].localizedTitle == "Neue \"Notiz\"")
    #expect(actions[0].localizedSubtitle == "In Ideas")
    #expect(actions[0].icon == .symbol("square.and.pencil"))
    #expect(actions[1] == action("scan", "Scan & Save", nil, .file("icons/scan")))
    #expect(actions[2] == action("search", "Suchen…", nil, .type("UIApplicationShortcutIconTypeSearch")))
    let members = actions[0].userInfo.sorted { $0.name < $1.name }
    #expect(members.map(\.name) == ["folder", "pinned", "since", "token", "weights"])
    #expect(members[0].node.integer == 3)
    #expect(members[1].node.bool == false)
    #expect(members[2].node.string == "2024-05-06T07:08:09Z")
    #expect(members[3].node.string == "AAECAw==")
    #expect(members[4].node.elements?.map(\.double) == [0.5, -2])
  }

  @Test("without the wanted language texts come from Base.lproj, then en.lproj, else they are what stands there")
  func fallbacks() throws {
    try folder.write(
      Self.plist(item: Self.minimal + Self.string("Subtitle", "S"), "<key>CFBundleName</key><string>N</string>"),
      to: "n.plist")
    func texts() -> [String?] {
      let definition = folder.read("n.plist", Languages(list: "fr")).definition
      let action = definition?.actions.first
      return [definition?.localizedName, action?.localizedTitle, action?.localizedSubtitle]
    }
    #expect(texts() == ["N", "T", "S"])
    try folder.write("T = English; S = \"\";", to: "en.lproj/InfoPlist.strings")
    #expect(texts() == ["N", "English", "S"])
    try folder.write("T = Basis; CFBundleName = Name;", to: "Base.lproj/InfoPlist.strings")
    #expect(texts() == ["Name", "Basis", "S"])
    try folder.write("S = Sous;", to: "FR.lproj/InfoPlist.strings")
    #expect(texts() == ["Name", "Basis", "Sous"])
    try folder.write("T = Titre; CFBundleDisplayName = Nom;", to: "FR.lproj/InfoPlist.strings")
    #expect(texts() == ["Nom", "Titre", "S"])
  }

  @Test("texts that cannot be read are a warning, and the file has its own")
  func badTexts() throws {
    try folder.write(Self.plist(item: Self.minimal), to: "n.plist")
    try folder.write("/* x */\n\"T\" = \"secret\"", to: "de.lproj/InfoPlist.strings")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/fr.lproj/InfoPlist.strings", withIntermediateDirectories: true)
    let (definition, problems) = folder.read("n.plist", Languages(list: "fr:de"))
    #expect(definition?.actions.first?.localizedTitle == "T")
    #expect(
      problems == [
        "warning: DIR/fr.lproj/InfoPlist.strings: a folder, not a regular file; not used",
        "warning: DIR/de.lproj/InfoPlist.strings:2:15: not a file of strings: it ends too early",
      ])
  }

  @Test("an Info.plist without shortcut items is an app without actions")
  func withoutItems() throws {
    let text = "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>"
    try folder.write(text, to: "n.plist")
    #expect(folder.read("n.plist").definition == AppDefinition(app: Array("a".utf8)))
    #expect(folder.read("n.plist").problems == [])
  }

  @Test(
    "a bad Info.plist is refused whole, with the place and what is wrong",
    arguments: [
      ("", " the file is empty"),
      ("{ CFBundleIdentifier = a; }", "1:1: not a property list: unexpected byte"),
      ("<plist><array/></plist>", "1:8: the property list is not an object"),
      ("<plist><dict/></plist>", "1:8: CFBundleIdentifier is missing"),
      (
        "<plist><dict>\n<key>CFBundleIdentifier</key><integer>1</integer></dict></plist>",
        "2:30: CFBundleIdentifier is not a string"
      ),
      (
        "<plist><dict>\n<key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string></dict></plist>",
        "2:30: CFBundleIdentifier holds a variable of the build; the Info.plist of the built app is needed"
      ),
      (
        plist(item: string("Title", "T")), "3:45: UIApplicationShortcutItemType is missing"
      ),
      (plist(item: string("Type", "T")), "3:45: UIApplicationShortcutItemTitle is missing"),
      (
        plist(item: minimal + "\n<key>UIApplicationShortcutItemSubtitle</key><true/>"),
        "5:45: UIApplicationShortcutItemSubtitle is not a string"
      ),
      (
        plist(item: minimal + "\n<key>UIApplicationShortcutItemUserInfo</key><string>x</string>"),
        "5:45: UIApplicationShortcutItemUserInfo is not an object"
      ),
      (
        plist(item: minimal + "</dict><dict>\n" + minimal),
        "4:\(minimal.utf8.count + 8): an action with this id was defined before"
      ),
      (
        plist(item: string("Type", "a b") + string("Title", "secret")),
        "4:41: the action holds white space; allowed is TYPE or TYPE#TARGET, 1 to 255 bytes of UTF-8 without white space"
          + " and control characters"
      ),
      (
        plist(
          item: (0...256).map { string("Type", "a\($0)") + string("Title", "T") }.joined(separator: "</dict>\n<dict>")),
        "260:1: over 256 actions"
      ),
    ])
  func refused(text: String, message: String) throws {
    try folder.write(text, to: "n.plist")
    let (definition, problems) = folder.read("n.plist")
    #expect(definition == nil)
    #expect(problems == ["DIR/n.plist:\(message)"])
  }
}
