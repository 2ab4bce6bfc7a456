import Testing
import Wire

@testable import Catalogue

struct DesktopEntryTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func read(_ text: String, _ languages: Languages = .none) throws -> (
    definition: AppDefinition?, problems: [String]
  ) {
    try folder.write(text, to: "org.x.desktop")
    return folder.read("org.x.desktop", languages)
  }

  private static func command(_ text: String) -> [JSONObjectMember] {
    [JSONObjectMember("Exec", JSONNode(.string(text)))]
  }

  @Test("a desktop entry is an app with the actions that it lists")
  func sample() {
    let path = dataPath("org.example.editor.desktop")
    let (definition, problems) = Catalogue.read(file: path, languages: Languages(list: "sr_RS@latin:de"))
    #expect(problems == [])
    #expect(
      definition
        == AppDefinition(
          app: Array("org.example.editor".utf8), localizedName: "Texteditor",
          actions: [
            ActionDefinition(
              id: Array("org.example.editor.new-window".utf8), kind: .dynamic, localizedTitle: "Neues Fenster",
              icon: .symbol("window-new"), userInfo: Self.command("example-editor --new-window")),
            ActionDefinition(
              id: Array("org.example.editor.new-document".utf8), kind: .dynamic, localizedTitle: "Novi dokument",
              icon: .file("/usr/share/icons/example/document-new.svg"),
              userInfo: Self.command(#"example-editor --new-document "a b""#)),
          ]))
    #expect(Catalogue.read(file: path).definition?.actions[0].localizedTitle == "New Window")
  }

  @Test("escapes, CRLF and a byte order mark are read")
  func escapes() throws {
    let text = """
      \u{FEFF}[Desktop Entry]\r
      Type=Application\r
      Name=\\sX\\tY\r
      Actions=a\\;b;c\r
      \r
      [Desktop Action a;b]\r
      Name=N\r
      [Desktop Action c]\r
      Name=M\r
      Exec=a \\\\b\r
      """
    let (definition, problems) = try read(text)
    #expect(problems == [])
    #expect(definition?.localizedName == " X\tY")
    #expect(definition?.ids == ["org.x.a;b", "org.x.c"])
    #expect(definition?.actions[1].userInfo == Self.command(#"a \b"#))
  }

  @Test("an action without group or name is skipped with a warning, and groups that are not listed are ignored")
  func skipped() throws {
    let (definition, problems) = try read(
      """
      [Desktop Entry]
      Type=Application
      Actions=gone;nameless;good;

      [Desktop Action nameless]
      Name[de]=N
      Exec=x
      [Desktop Action good]
      Name=G
      [Desktop Action other]
      """)
    #expect(definition?.ids == ["org.x.good"])
    #expect(
      problems == [
        "warning: DIR/org.x.desktop:3:1: an action in Actions= has no group [Desktop Action …], skipped",
        "warning: DIR/org.x.desktop:5:1: an action without Name=, skipped",
      ])
  }

  @Test(
    "a list of actions is held against the limits before any group is looked at",
    arguments: [
      (String(repeating: "a;", count: 200_000), "3:1: over 256 actions"),
      ("a;b;a;", "3:1: an action with this id was defined before"),
    ])
  func longLists(list: String, message: String) throws {
    // To look at this group for each of them would take hours.
    let names = (0..<35_000).map { "Name[x\($0)]=N\n" }.joined()
    let (definition, problems) = try read(
      "[Desktop Entry]\nType=Application\nActions=\(list)\n[Desktop Action a]\n\(names)")
    #expect(definition == nil)
    #expect(problems == ["DIR/org.x.desktop:\(message)"])
  }

  @Test(
    "an app that is hidden or is none is not there, which is no problem",
    arguments: ["Type=Application\nHidden=true", "Type=Link", "Type=Directory"])
  func hidden(lines: String) throws {
    let (definition, problems) = try read("[Desktop Entry]\nName=x\n\(lines)\n")
    #expect(definition == nil)
    #expect(problems == [])
  }

  @Test("an app without actions is there, also if no menu shows it")
  func withoutActions() throws {
    let (definition, problems) = try read("[Desktop Entry]\nType=Application\nNoDisplay=true\nHidden=false\n")
    #expect(definition == AppDefinition(app: Array("org.x".utf8)))
    #expect(problems == [])
  }

  @Test(
    "a bad desktop entry is refused whole, with the place and what is wrong",
    arguments: [
      ("", " the file is empty"),
      ("[Other]\n", " there is no group [Desktop Entry]"),
      ("# x\n[Desktop Entry]\nName=x\n", "2:1: Type is missing"),
      ("[Desktop Entry]\nsecret\n", "2:1: neither [Section], Key=value nor # comment"),
      ("Name=x\n[Desktop Entry]\n", "1:1: a key before the first section"),
      ("[Desktop Entry]\nEncoding=latin1\n", "2:1: only UTF-8 is read"),
      ("[Desktop Entry]\nName=x\0\n", "2:7: contains a NUL byte"),
      (
        "[Desktop Entry]\nType=Application\nActions=a b;\n",
        "3:1: the action holds white space; allowed is TYPE or TYPE#TARGET, 1 to 255 bytes of UTF-8 without white space"
          + " and control characters"
      ),
      (
        "[Desktop Entry]\nType=Application\nActions=a;a;\n[Desktop Action a]\nName=A\n",
        "3:1: an action with this id was defined before"
      ),
      (
        "[Desktop Entry]\nType=Application\nName=\(String(repeating: "x", count: 1025))\n",
        "3:1: Name is over 1024 bytes"
      ),
      (
        "[Desktop Entry]\nType=Application\nActions=a;\n[Desktop Action a]\nName=A\nExec="
          + String(repeating: "x", count: 4096), "6:1: Exec is over 4096 bytes"
      ),
      (
        "[Desktop Entry]\nType=Application\nActions=\((0...256).map { "a\($0);" }.joined())\n"
          + (0...256).map { "[Desktop Action a\($0)]\nName=A\n" }.joined(), "3:1: over 256 actions"
      ),
    ])
  func refused(text: String, message: String) throws {
    let (definition, problems) = try read(text)
    #expect(definition == nil)
    #expect(problems == ["DIR/org.x.desktop:\(message)"])
  }

  @Test("a name that is no id is refused")
  func badName() throws {
    try folder.write("[Desktop Entry]\nType=Application\n", to: "a b.desktop")
    try folder.write("[Desktop Entry]\nType=Application\n", to: "\(String(repeating: "x", count: 247)).desktop")
    #expect(
      folder.load().problems == [
        "DIR/a b.desktop: the app holds white space; allowed are 1 to 255 bytes of UTF-8 without white space and control"
          + " characters"
      ])
  }
}
