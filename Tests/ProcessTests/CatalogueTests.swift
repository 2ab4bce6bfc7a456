import Foundation
import Testing

@Suite("The catalogue")
struct CatalogueTests {
  private static let mail = """
    {"app": "com.example.mail", "localizedName": "Mail", "actions": [
      {"type": "com.example.mail.compose", "kind": "static", "localizedTitle": "New Message",
       "titles": {"de": "Neue Nachricht", "pt_BR": "Nova mensagem"}, "icon": {"symbol": "square.and.pencil"},
       "userInfo": {"folder": "drafts"}},
      {"type": "com.example.mail.archive", "kind": "dynamic", "localizedTitle": "Archive"}
    ]}
    """
  private static let mailList = ["com.example.mail.compose", "com.example.mail.archive"]
  private static let camera = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.camera</string>
      <key>UIApplicationShortcutItems</key><array><dict>
        <key>UIApplicationShortcutItemType</key><string>com.example.camera.selfie</string>
        <key>UIApplicationShortcutItemTitle</key><string>Take a Selfie</string>
      </dict></array>
    </dict></plist>
    """
  private static let browser = """
    [Desktop Entry]
    Type=Application
    Name=Browser
    Exec=browser
    Actions=new-window;

    [Desktop Action new-window]
    Name=New Window
    Name[de]=Neues Fenster
    Exec=browser --new
    """

  @Test("A file of each format is read at the start, and at SIGHUP what has come, changed or gone")
  func readsFiles() throws {
    try withSite { site in
      try site.declare("mail.json", Self.mail)
      try site.declare("com.example.browser.desktop", Self.browser)
      try site.declare("notes.txt", "not a file of the catalogue")
      let daemon = try site.start()
      let mail = try daemon.file(of: "com.example.mail")["shortcuts"]
      #expect(mail.elements.map(RunningDaemon.action) == Self.mailList)
      #expect(mail[0]["kind"] == "static" && mail[0]["localizedTitle"] == "New Message")
      #expect(mail[0]["icon"] == ["symbol": "square.and.pencil"] && mail[0]["userInfo"] == ["folder": "drafts"])
      #expect(mail[0]["uses"] == 0 && mail[0]["lastUsed"] == .null)
      let window = try daemon.explain("com.example.browser.new-window")
      #expect(window["defined"] == "catalogue" && window["localizedTitle"] == "New Window")
      #expect(try daemon.status()["reloads"] == 0)

      try site.declare("camera.plist", Self.camera)
      try site.declare("mail.json", Self.mail.replacingOccurrences(of: "New Message", with: "Write"))
      try FileManager.default.removeItem(atPath: site.catalogues[0] + "/com.example.browser.desktop")
      try daemon.reload()
      let rows = try daemon.snapshot(of: "com.example.camera").shortcuts
      #expect(rows.map(\.action) == ["com.example.camera.selfie"] && rows[0].localizedTitle == "Take a Selfie")
      try daemon.snapshot(of: "com.example.mail") { $0.shortcuts.first?.localizedTitle == "Write" }
      #expect(try daemon.refusal(of: #"{"op":"explain","action":"com.example.browser.new-window"}"#) == "unknownAction")
      #expect(!daemon.child.errors.contains("catalogue:"), "\(daemon.child.errors)")
    }
  }

  @Test("A bad file is logged with its place and the reason; what it said before stays, and other files count")
  func keepsFormerDefinitions() throws {
    try withSite { site in
      try site.declare("mail.json", Self.mail)
      let daemon = try site.start()
      try site.declare("mail.json", "{\"app\": \"com.example.mail\",\n \"limit\": 99}")
      try site.declare("camera.plist", Self.camera)
      try site.declare("worse.json", "{")
      try daemon.reload()
      let (path, errors) = (site.catalogues[0], daemon.child.errors)
      #expect(errors.contains("catalogue: \(path)/mail.json:2:11: limit has a value"), "\(errors)")
      #expect(errors.contains("catalogue: \(path)/worse.json:1:"), "\(errors)")
      #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["catalogueErrors"] == 2)
      #expect(try daemon.list("com.example.mail") == Self.mailList)
      #expect(try daemon.list("com.example.camera") == ["com.example.camera.selfie"])
      try site.declare("mail.json", Self.mail)
      try FileManager.default.removeItem(atPath: path + "/worse.json")
      try daemon.reload()
      #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["catalogueErrors"] == 0)
    }
  }

  @Test("A bad file at the start is logged, and nothing else is kept from starting")
  func startsWithABadFile() throws {
    try withSite { site in
      try site.declare("mail.json", Self.mail)
      try site.declare("bad.json", #"{"app": "com.example.bad", "actions": [{"kind": "static"}]}"#)
      let daemon = try site.start()
      let errors = daemon.child.errors
      #expect(errors.contains("\(site.catalogues[0])/bad.json:1:40: type is missing"), "\(errors)")
      #expect(try daemon.list("com.example.mail") == Self.mailList)
      #expect(FileFacts(daemon.appPath("com.example.bad")) == nil)
    }
  }

  @Test("What leaves the catalogue leaves the lists, and the files of an app that is gone are removed")
  func removesWhatIsGone() throws {
    try withSite { site in
      try site.declare("mail.json", Self.mail)
      try site.declare("camera.plist", Self.camera)
      var daemon = try site.start()
      // This one keeps its uses, and so stays as an action without a title.
      try daemon.count("com.example.mail.archive n=2\n")
      try daemon.snapshot(of: "com.example.mail") { $0.uses(of: "com.example.mail.archive") == 2 }
      try site.declare("mail.json", #"{"app": "com.example.mail"}"#)
      try FileManager.default.removeItem(atPath: site.catalogues[0] + "/camera.plist")
      try daemon.reload()
      try wait(for: "the files of the camera to go") {
        ["json", "tsv"].allSatisfy { FileFacts(daemon.appPath("com.example.camera", $0)) == nil }
      }
      let mail = try daemon.snapshot(of: "com.example.mail") { $0.shortcuts.count == 1 }
      #expect(mail.shortcuts[0].action == "com.example.mail.archive" && mail.shortcuts[0].localizedTitle == nil)

      // While it does not run as well.
      try site.declare("camera.plist", Self.camera)
      try daemon.reload()
      try daemon.snapshot(of: "com.example.camera")
      #expect(try daemon.stop() == .status(0))
      try FileManager.default.removeItem(atPath: site.catalogues[0] + "/camera.plist")
      daemon = try site.start()
      #expect(FileFacts(daemon.appPath("com.example.camera")) == nil)
      #expect(FileFacts(daemon.appPath("com.example.camera", "tsv")) == nil)
    }
  }

  @Test("A later folder wins, app by app, and the earlier one is back when it has gone")
  func prefersLaterFolders() throws {
    try withSite { site in
      try site.declare("mail.json", Self.mail)
      try site.declare("camera.plist", Self.camera)
      let own = #"{"type": "x.own", "kind": "static", "localizedTitle": "Own"}"#
      try site.declare("zz.json", #"{"app": "com.example.mail", "actions": [\#(own)]}"#, folder: 1)
      let daemon = try site.start()
      #expect(try daemon.list("com.example.mail") == ["x.own"])
      #expect(try daemon.list("com.example.camera") == ["com.example.camera.selfie"])
      try FileManager.default.removeItem(atPath: site.catalogues[1])
      try daemon.reload()
      #expect(try daemon.list("com.example.mail") == Self.mailList)
      // A desktop entry that hides an app hides what an earlier folder has.
      try site.declare("com.example.camera.desktop", "[Desktop Entry]\nType=Application\nHidden=true\n", folder: 1)
      try daemon.reload()
      try wait(for: "the camera to go") { FileFacts(daemon.appPath("com.example.camera")) == nil }
    }
  }

  @Test("An action moves with its history to the app that a reload gives it to, and back, but not from a named app")
  func movesActions() throws {
    try withSite(settings: Site.quick + "[Storage]\nCommitInterval=1h\n") { site in
      var daemon = try site.start()
      let moving = "com.example.mail.folder.open"
      #expect(try daemon.count("\(moving) n=3\n\(moving) n=5 app=com.example.mail.folder.own\n").durable)
      try daemon.send("\(moving) n=4\n", until: 3)
      try daemon.ask(#"{"op":"pin","action":"\#(moving)"}"#)
      for isDeclared in [true, false] {
        if isDeclared {
          try site.declare("mail.json", #"{"app": "com.example.mail"}"#)
        } else {
          try FileManager.default.removeItem(atPath: site.catalogues[0] + "/mail.json")
        }
        try daemon.reload()
        let (owner, other) =
          isDeclared
          ? ("com.example.mail", "com.example.mail.folder") : ("com.example.mail.folder", "com.example.mail")
        for round in 0..<3 {
          let explained = try daemon.explain(moving)
          #expect(explained["app"].string == owner && explained["uses"] == 7, "\(round): \(explained)")
          #expect(explained["pinnedSince"] != .null)
          #expect(try daemon.snapshot(of: owner).uses(of: moving) == 7)
          try wait(for: "the files of \(other) to go") { FileFacts(daemon.appPath(other)) == nil }
          #expect(try daemon.app("com.example.mail.folder.own").uses(of: moving) == 5)
          if round == 1 { #expect(try daemon.stop() == .status(0)) } else { daemon.child.kill() }
          daemon = try site.start()
        }
      }
    }
  }

  @Test(
    "The language of titles is that of the environment, unless the settings name one",
    arguments: [
      (["LANG": "de_DE.UTF-8"], "", "Neue Nachricht"), (["LANG": "C"], "", "New Message"),
      (["LANG": "fr_FR.UTF-8"], "", "New Message"), (["LANG": "de_DE", "LANGUAGE": "pt_BR:de"], "", "Nova mensagem"),
      (["LANG": "de_DE"], "[Catalogue]\nLanguage=pt_BR\n", "Nova mensagem"),
    ])
  func choosesLanguages(environment: [String: String], settings: String, title: String) throws {
    try withSite(settings: Site.quick + settings) { site in
      try site.declare("mail.json", Self.mail)
      let daemon = try site.start(environment: environment)
      #expect(try daemon.app("com.example.mail").shortcuts.first?.localizedTitle == title)
      // What is registered has languages, too, and another one is in force with a reload.
      try daemon.ask(
        #"{"op":"define","action":{"type":"b.b","localizedTitle":"Plain","titles":{"de":"Deutsch","sv":"Svenska"}}}"#)
      try writeFile(site.config, Site.quick + "[Catalogue]\nLanguage=sv:de\n")
      try daemon.reload()
      try daemon.snapshot(of: "com.example.mail") { $0.shortcuts.first?.localizedTitle == "Neue Nachricht" }
      #expect(try daemon.explain("b.b")["localizedTitle"] == "Svenska")
    }
  }

  @Test("Titles, targets and user info are in no line of the daemon's log, whatever is wrong with them")
  func logsNoTexts() throws {
    try withSite { site in
      let secret = "Zanzibar4711"
      let texts =
        #""localizedTitle": "\#(secret)", "localizedSubtitle": "\#(secret)", "userInfo": {"a": "\#(secret)"}"#
      try site.declare(
        "good.json",
        #"{"app": "g", "actions": [{"type": "g.a", "target": "\#(secret)", "kind": "static", \#(texts), "odd": "\#(secret)"}]}"#
      )
      for (place, text) in [
        #"{"app": "b", "actions": [{"type": "b.a \#(secret)", "kind": "static", \#(texts)}]}"#,
        #"{"app": "b", "actions": [{"type": "b.a", "kind": "\#(secret)", \#(texts)}]}"#,
        #"{"app": "b", "actions": [{"type": "b.a", "target": "x \#(secret)", "kind": "dynamic", \#(texts)}]}"#,
        #"{"app": "b", "localizedName": ["\#(secret)"], "limit": "\#(secret)"}"#,
        #"{"app": "b", "localizedName": "\#(secret)" "\#(secret)"}"#,
        #"{"app": "b", "halfLife": "\#(secret)"}"#,
      ].enumerated() { try site.declare("bad\(place).json", text) }
      try site.declare("bad.plist", Self.camera.replacingOccurrences(of: "</string>", with: secret))
      try site.declare("bad.desktop", "[Desktop Entry]\n\(secret)\n")
      let daemon = try site.start()
      let client = try daemon.control()
      for line in [
        "g.a#\(secret)", "g.a#\(secret) n=0", "g.a#\(secret) n=\(secret)", "{\"type\":\"\(secret)",
        #"{"op":"pin","action":"g.a# \#(secret)"}"#, #"{"op":"explain","action":"never#\#(secret)"}"#,
        #"{"op":"define","action":{"type":"b.a","target":"\#(secret)",\#(texts),"enabled":"\#(secret)"}}"#,
        #"{"op":"define","action":{"type":"b.a","target":"\#(secret)",\#(texts)}}"#,
        #"{"op":"define","action":{"type":"g.a","target":"\#(secret)",\#(texts)}}"#,
        #"{"op":"forget","action":"g.a#\#(secret)"}"#, #"{"op":"block","action":"g.a#\#(secret)"}"#,
      ] { try client.send(line + "\n") }
      let replies = try client.sync().before
      #expect(replies.count == 10, "\(replies)")
      try daemon.reload()
      #expect(try daemon.stop() == .status(0))
      let log = daemon.child.errors + daemon.notify.messages.joined(separator: "\n")
      #expect(log.components(separatedBy: "bad").count > 8, "\(log)")
      #expect(!log.contains(secret), "\(log)")
    }
  }
}
