import Foundation
import KeyFiles
import Testing
import Wire

@testable import Catalogue

/// The JSON form of a catalogue's file.
struct JSONDefinitionTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Actions in a file of an app `a`, each text in place of one action.
  static func file(_ actions: String...) -> String {
    #"{"app": "a", "actions": ["# + actions.joined(separator: ", ") + "]}"
  }

  static func action(_ members: String) -> String { file(#"{"type": "a.b", "kind": "dynamic", "# + members + "}") }

  static func filled(_ count: Int) -> String { String(repeating: "x", count: count) }

  /// What is refused, whether the schema can say so, and the message behind the file's name.
  static let bad: [(text: String, isInSchema: Bool, message: String)] = [
    ("[]", true, "1:1: not one JSON object: unexpected byte"),
    ("", false, " the file is empty"),
    ("{", false, "1:2: not one JSON object: it ends too early"),
    ("{\"app\": \"a\"}\n}", false, "2:1: not one JSON object: more follows its closing brace"),
    ("{\n  \"é\": \"é\", \"app\": x}", false, "2:20: not one JSON object: unexpected byte"),
    (#"{"app": "a", "app": "b"}"#, false, "1:15: not one JSON object: a member's name comes a second time"),
    ("{\"app\": \"a\0\"}", false, "1:11: contains a NUL byte"),
    ("{}", true, "1:1: app is missing"),
    (#"{"app": null}"#, true, "1:1: app is missing"),
    (#"{"app": 1}"#, true, "1:9: app is not a string"),
    (
      #"{"app": ""}"#, true,
      "1:9: the app is empty; allowed are 1 to 255 bytes of UTF-8 without white space and control characters"
    ),
    (
      #"{"app": "a b"}"#, true,
      "1:9: the app holds white space; allowed are 1 to 255 bytes of UTF-8 without white space and control characters"
    ),
    (
      #"{"app": "\#(filled(256))"}"#, true,
      "1:9: the app is over 255 bytes; allowed are 1 to 255 bytes of UTF-8 without white space and control characters"
    ),
    (#"{"app": "a", "localizedName": []}"#, true, "1:31: localizedName is not a string"),
    (#"{"app": "a", "localizedName": "\#(filled(1025))"}"#, true, "1:31: localizedName is over 1024 bytes"),
    (#"{"app": "a", "localizedName": "x\u0000"}"#, true, "1:31: localizedName holds a NUL"),
    (#"{"app": "a", "halfLife": 14}"#, true, "1:26: halfLife is not a string"),
    (#"{"app": "a", "halfLife": "soon"}"#, true, "1:26: halfLife: not a duration; allowed are 1s to 100y"),
    (#"{"app": "a", "halfLife": "500ms"}"#, false, "1:26: halfLife: out of range; allowed are 1s to 100y"),
    (#"{"app": "a", "halfLife": "101y"}"#, false, "1:26: halfLife: out of range; allowed are 1s to 100y"),
    (
      #"{"app": "a", "limit": 0}"#, true,
      "1:23: limit has a value that is not allowed; allowed are whole numbers from 1 to 20"
    ),
    (
      #"{"app": "a", "limit": 21}"#, true,
      "1:23: limit has a value that is not allowed; allowed are whole numbers from 1 to 20"
    ),
    (
      #"{"app": "a", "limit": 2.5}"#, true,
      "1:23: limit has a value that is not allowed; allowed are whole numbers from 1 to 20"
    ),
    (
      #"{"app": "a", "limit": "4"}"#, true,
      "1:23: limit has a value that is not allowed; allowed are whole numbers from 1 to 20"
    ),
    (#"{"app": "a", "actions": {}}"#, true, "1:25: actions is not an array"),
    (file("1"), true, "1:26: an action is not an object"),
    (file(#"{"kind": "dynamic"}"#), true, "1:26: type is missing"),
    (
      file(##"{"type": "#x", "kind": "dynamic"}"##), true,
      "1:35: the action has no type before its #; allowed is TYPE or TYPE#TARGET, 1 to 255 bytes of UTF-8 without white"
        + " space and control characters"
    ),
    (
      file(#"{"type": "a\nb", "kind": "dynamic"}"#), true,
      "1:35: the action holds white space; allowed is TYPE or TYPE#TARGET, 1 to 255 bytes of UTF-8 without white"
        + " space and control characters"
    ),
    (
      file(#"{"type": "a", "target": "b c", "kind": "dynamic"}"#), true,
      "1:50: the action holds white space; allowed is TYPE or TYPE#TARGET, 1 to 255 bytes of UTF-8 without white"
        + " space and control characters"
    ),
    (
      file(#"{"type": "a#b", "target": "c", "kind": "dynamic"}"#), true,
      "1:35: the action has a target in its type and another as a member; allowed is TYPE or TYPE#TARGET, 1 to 255"
        + " bytes of UTF-8 without white space and control characters"
    ),
    (file(#"{"type": "a"}"#), true, "1:26: kind is missing"),
    (
      file(#"{"type": "a", "kind": "fixed"}"#), true,
      "1:48: kind has a value that is not allowed; allowed are static and dynamic"
    ),
    (file(#"{"type": "a", "kind": "static"}"#), true, "1:26: localizedTitle is missing"),
    (file(#"{"type": "a", "kind": "static", "localizedTitle": ""}"#), true, "1:76: localizedTitle is missing"),
    (
      file(#"{"type": "a", "kind": "static", "titles": {"de": "x"}}"#), true, "1:26: localizedTitle is missing"
    ),
    (action(#""localizedTitle": 1"#), true, "1:79: localizedTitle is not a string"),
    (action(#""titles": {"de": 1}"#), true, "1:78: titles is not a string"),
    (action(#""subtitles": {"de": "\#(filled(1025))"}"#), true, "1:81: subtitles is over 1024 bytes"),
    (action(#""titles": []"#), true, "1:71: titles is not an object"),
    (
      action(#""icon": {}"#), true,
      "1:69: icon has a value that is not allowed; allowed are one of symbol, type and file, with a text"
    ),
    (
      action(#""icon": {"symbol": "a", "file": "b"}"#), true,
      "1:69: icon has a value that is not allowed; allowed are one of symbol, type and file, with a text"
    ),
    (action(#""icon": {"symbol": 1}"#), true, "1:80: symbol is not a string"),
    (action(#""icon": "pencil""#), true, "1:69: icon is not an object"),
    (action(#""userInfo": []"#), true, "1:73: userInfo is not an object"),
    (action(#""userInfo": {"a": "\#(filled(4096))"}"#), false, "1:73: userInfo is over 4096 bytes"),
    (action(#""enabled": 1"#), true, "1:72: enabled is not true or false"),
    (
      file(#"{"type": "a", "kind": "dynamic"}"#, #"{"type": "a", "kind": "dynamic"}"#), false,
      "1:60: an action with this id was defined before"
    ),
    (
      file(#"{"type": "a#b", "kind": "dynamic"}"#, #"{"type": "a", "target": "b", "kind": "dynamic"}"#), false,
      "1:62: an action with this id was defined before"
    ),
    (
      #"{"app": "a", "actions": ["# + (0...256).map { #"{"type":"a\#($0)","kind":"dynamic"}"# }.joined(separator: ",\n")
        + "]}", true, "257:1: over 256 actions"
    ),
  ]

  @Test("a bad file is refused whole, with the place and what is wrong", arguments: bad)
  func refused(text: String, isInSchema: Bool, message: String) throws {
    try folder.write(text, to: "x.json")
    let (definition, problems) = folder.read("x.json")
    #expect(definition == nil)
    #expect(problems == ["DIR/x.json:\(message)"])
  }

  @Test("everything that a file can say is read")
  func everything() throws {
    try folder.write(
      """
      {
        "$schema": "https://example.com/catalogue.schema.json",
        "app": "com.example.mail", "localizedName": "Mail", "halfLife": "1h 30min", "limit": 20,
        "actions": [
          {"type": "com.example.mail.new", "kind": "static", "localizedTitle": "New", "localizedSubtitle": "Sub",
           "titles": {"de": "Neu", "fr": ""}, "subtitles": {"de-AT": "Unter"}, "icon": {"symbol": "pencil"},
           "userInfo": {"a": [1, 2.50, null, {"b": true}]}, "enabled": false},
          {"type": "com.example.mail.write", "target": "älice", "kind": "dynamic", "icon": {"type": "T"}},
          {"type": "com.example.mail.write#bob", "kind": "dynamic", "icon": {"file": "/a.png"}, "localizedTitle": null}
        ]
      }
      """, to: "x.json")
    let (definition, problems) = folder.read("x.json", Languages(list: "fr:de_AT"))
    #expect(problems == [])
    let one = JSONNode(.number(JSONNumber(1)))
    let half = try #require(try JSONNode.object(Array(#"{"x": 2.50}"#.utf8))["x"])
    let userInfo = JSONNode(
      .array([one, half, JSONNode(.null), JSONNode(.object([JSONObjectMember("b", JSONNode(.bool(true)))]))]))
    #expect(
      definition
        == AppDefinition(
          app: Array("com.example.mail".utf8), localizedName: "Mail", halfLife: 90 * DurationText.minute, limit: 20,
          actions: [
            ActionDefinition(
              id: Array("com.example.mail.new".utf8), kind: .static, localizedTitle: "Neu", localizedSubtitle: "Unter",
              icon: .symbol("pencil"), userInfo: [JSONObjectMember("a", userInfo)], isEnabled: false),
            ActionDefinition(id: Array("com.example.mail.write#älice".utf8), kind: .dynamic, icon: .type("T")),
            ActionDefinition(id: Array("com.example.mail.write#bob".utf8), kind: .dynamic, icon: .file("/a.png")),
          ]))
    #expect(definition?.actions[1].type == Array("com.example.mail.write".utf8))
    #expect(definition?.actions[1].target == Array("älice".utf8))
    #expect(definition?.actions[0].target == nil)
    #expect(folder.read("x.json").definition?.actions[0].localizedTitle == "New")
    #expect(folder.read("x.json").definition?.actions[0].localizedSubtitle == "Sub")
  }

  @Test("a byte order mark and CRLF are accepted, and change no place")
  func markAndLineEnds() throws {
    try folder.write("\u{FEFF}{\r\n\"app\": \"a\",\r\n\"x\": 1}\r\n", to: "x.json")
    let (definition, problems) = folder.read("x.json")
    #expect(definition?.ids == [])
    #expect(problems.count == 1 && problems[0].hasPrefix("warning: DIR/x.json:3:6: unknown member \"x\""))
  }

  @Test("an unknown member is a warning with its place, and changes nothing")
  func unknownMembers() throws {
    try folder.write(
      """
      {"app": "a", "App": 1, "actions": [
        {"type": "b", "kind": "dynamic", "title": "secret", "icon": {"symbol": "s", "size": 3}, "userInfo": {"x": 1}}]}
      """, to: "x.json")
    let (definition, problems) = folder.read("x.json")
    #expect(definition?.ids == ["b"])
    #expect(
      problems == [
        "warning: DIR/x.json:1:21: unknown member \"App\", ignored; there are app, localizedName, halfLife, limit,"
          + " actions, $schema",
        "warning: DIR/x.json:2:45: unknown member \"title\", ignored; there are type, target, kind, localizedTitle,"
          + " localizedSubtitle, titles, subtitles, icon, userInfo, enabled",
        "warning: DIR/x.json:2:87: unknown member \"size\", ignored; there are symbol, type, file",
      ])
  }

  @Test("a flood of warnings is cut and counted")
  func manyWarnings() throws {
    try folder.write(#"{"app": "a""# + (0..<300).map { #", "x\#($0)": 1"# }.joined() + "}", to: "x.json")
    let problems = folder.read("x.json").problems
    #expect(problems.count == 101)
    #expect(problems.last == "warning: DIR/x.json: 200 further warnings left out")
  }

  @Test("bytes that are not UTF-8 are refused at their place")
  func notUTF8() throws {
    try folder.write(Array("{\"app\":\n \"é".utf8) + [0xFF] + Array("\"}".utf8), to: "x.json")
    #expect(folder.read("x.json").problems == ["DIR/x.json:2:4: not UTF-8"])
    try folder.write([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], to: "x.json")
    #expect(folder.read("x.json").problems == ["DIR/x.json:1:1: not UTF-8"])
  }

  @Test("values within each other beyond all measure are refused")
  func deep() throws {
    try folder.write(#"{"app": "# + String(repeating: "[", count: 500_000), to: "x.json")
    #expect(
      folder.read("x.json").problems == ["DIR/x.json:1:136: not one JSON object: nested over 128 levels deep"])
  }

  @Test("limits are reached and not passed")
  func limits() throws {
    let actions = (0..<256).map { #"{"type": "a\#($0)", "kind": "dynamic"}"# }.joined(separator: ",")
    try folder.write(#"{"app": "\#(Self.filled(255))", "actions": [\#(actions)]}"#, to: "x.json")
    #expect(folder.read("x.json").definition?.actions.count == 256)
    let info = #"{"a":"\#(Self.filled(4088))"}"#
    #expect(info.utf8.count == 4096)
    try folder.write(Self.action(#""userInfo": \#(info), "localizedTitle": "\#(Self.filled(1024))""#), to: "x.json")
    #expect(folder.read("x.json").problems == [])
  }

  @Test("a client describes dynamic actions with a title")
  func client() throws {
    func read(_ text: String) throws(DefinitionError) -> ActionDefinition {
      do {
        return try ActionDefinition(
          json: JSONNode.object(Array(text.utf8)), languages: Languages(list: "de"), source: .client)
      } catch let error as DefinitionError {
        throw error
      } catch {
        throw DefinitionError(.empty, at: nil)
      }
    }
    let action = try read(
      #"{"op": "define", "type": "a", "target": "b", "localizedTitle": "T", "titles": {"DE": "D"}}"#)
    #expect(action == ActionDefinition(id: Array("a#b".utf8), kind: .dynamic, localizedTitle: "D"))
    #expect(try read(#"{"type": "a", "kind": "dynamic", "localizedTitle": "T"}"#).kind == .dynamic)
    let kind = #expect(throws: DefinitionError.self) {
      try read(#"{"type": "a", "kind": "static", "localizedTitle": "T"}"#)
    }
    #expect(kind?.message == "kind has a value that is not allowed; allowed are dynamic")
    #expect(kind?.offset == 22)
    let title = #expect(throws: DefinitionError.self) { try read(#"{"type": "a"}"#) }
    #expect(title?.reason == .missing("localizedTitle"))
  }

  @Test("what is written for a snapshot's row reads back the same")
  func rows() throws {
    for name in ["com.example.mail", "com.example.camera", "com.example.kiosk"] {
      let definition = try #require(
        Catalogue.read(file: repositoryPath("etc/catalogue.d/\(name).json")).definition)
      for action in definition.actions {
        var json = JSONWriter()
        json.object {
          $0.member("type", utf8: action.id)
          $0.member("kind", action.kind.rawValue)
          $0.member("enabled", action.isEnabled)
          action.json(to: &$0)
        }
        let read = try ActionDefinition(
          json: JSONNode.object(json.bytes), languages: .none, source: .catalogue)
        #expect(read == action)
      }
    }
    var json = JSONWriter()
    json.object { ActionDefinition(id: [0x61], kind: .dynamic).json(to: &$0) }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"localizedTitle":null,"localizedSubtitle":null,"icon":null,"userInfo":{}}"#)
  }
}
