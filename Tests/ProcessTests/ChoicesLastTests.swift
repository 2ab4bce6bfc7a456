import Foundation
import Testing

@Suite("What is registered and chosen")
struct ChoicesLastTests {
  /// All kinds of it.
  private static let requests = """
    {"op":"define","app":"a","actions":[{"type":"a.one","localizedTitle":"One","userInfo":{"k":[1,"ä",null]}},{"type":"a.two","target":"t","localizedTitle":"Two","icon":{"file":"/i.png"}}]}
    {"op":"define","action":{"type":"a.off","localizedTitle":"Off","enabled":false}}
    {"op":"pin","action":"a.never"}
    {"op":"pin","action":"a.two#t"}
    {"op":"block","action":"a.blocked"}
    {"op":"block","app":"gone"}
    {"op":"disable","action":"a.disabled"}
    {"op":"enable","action":"a.off"}
    {"op":"define","action":{"type":"b.x","localizedTitle":"X"}}
    {"op":"undefine","action":"b.x"}
    {"op":"pin","action":"b.y"}
    {"op":"unpin","action":"b.y"}
    {"op":"block","action":"b.z"}
    {"op":"unblock","action":"b.z"}

    """
  private static let uses = "a.one n=4\na.off n=3\na.disabled n=2\nb.x n=9\nb.z n=8\n"

  private func choose(_ daemon: RunningDaemon) throws {
    let client = try daemon.control()
    try client.send(Self.requests)
    for _ in 0..<14 {
      let reply = try client.readJSON()
      #expect(reply["error"] == .null, "\(reply)")
    }
    try client.send(Self.uses + #"{"op":"status"}"# + "\n")
    _ = try client.readJSON()
  }

  private func expectAll(_ daemon: RunningDaemon, _ comment: String) throws {
    let list = try daemon.ask(#"{"op":"top","app":"a","limit":20}"#)["top"]["shortcuts"]
    #expect(list.elements.map(RunningDaemon.action) == ["a.never", "a.two#t", "a.one", "a.off"], "\(comment)")
    #expect(list[1]["icon"] == ["file": "/i.png"] && list[1]["localizedTitle"] == "Two", "\(comment)")
    #expect(list[2]["userInfo"] == ["k": [1, "ä", .null]] && list[2]["uses"] == 4, "\(comment)")
    #expect(try daemon.explain("a.blocked")["absent"] == "blocked", "\(comment)")
    #expect(try daemon.explain("a.disabled")["absent"] == "disabled", "\(comment)")
    #expect(try daemon.explain("b.x")["defined"] == .null && daemon.explain("b.x")["uses"] == 9, "\(comment)")
    #expect(try daemon.list("b") == ["b.x", "b.z"], "\(comment)")
    #expect(try daemon.count("gone.x\na.blocked\n").blocked == 2, "\(comment)")
    #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["registeredActions"] == 3, "\(comment)")
    let published = try daemon.snapshot(of: "a") { $0.shortcuts.count == 4 }
    #expect(published.shortcuts.map(\.action) == list.elements.map(RunningDaemon.action), "\(comment)")
  }

  @Test("It survives stops, and kills before and after a commit", arguments: ["stop", "stored", "logged"])
  func survives(end: String) throws {
    try withSite(settings: "[Snapshot]\nInterval=100ms\n[Storage]\nCommitInterval=1h\n") { site in
      var daemon = try site.start()
      try choose(daemon)
      if end == "stored" { #expect(try daemon.count("").durable) }
      for round in 0..<3 {
        if end == "stop" { #expect(try daemon.stop() == .status(0)) } else { daemon.child.kill() }
        daemon = try site.start()
        #expect(!daemon.child.errors.contains("error:"), "\(daemon.child.errors)")
        try expectAll(daemon, "\(end) \(round)")
      }
    }
  }

  @Test(
    "It survives the loss of the state, by the backup",
    arguments: StateFaultTests.Damage.allCases.filter { $0 != .folder })
  func survivesDamage(kind: StateFaultTests.Damage) throws {
    try withSite(settings: Site.quick) { site in
      var daemon = try site.start()
      try choose(daemon)
      #expect(try daemon.stop() == .status(0))
      try FileManager.default.removeItem(atPath: site.state + "/state.db.backup")
      daemon = try site.start()
      try wait(for: "a backup") { FileFacts(site.state + "/state.db.backup") != nil }
      #expect(try daemon.stop() == .status(0))
      try StateFaultTests().damage(site.state + "/state.db", kind)
      for round in 0..<2 {
        daemon = try site.start()
        // Bits may be flipped where nothing is.
        let mayBeWhole = kind == .flipped && round == 0
        #expect(daemon.child.errors.contains("error:") == (round == 0) || mayBeWhole, "\(daemon.child.errors)")
        try expectAll(daemon, "\(kind) \(round)")
        daemon.child.kill()
      }
    }
  }

  @Test(
    "It survives that the state is removed while the daemon runs, or its main file before a start",
    arguments: [true, false])
  func survivesRemoval(isRunning: Bool) throws {
    try withSite(settings: Site.quick + "[Storage]\nCommitInterval=100ms\n") { site in
      var daemon = try site.start()
      try choose(daemon)
      #expect(try daemon.count("").durable)
      if !isRunning {
        #expect(try daemon.stop() == .status(0))
        try FileManager.default.removeItem(atPath: site.state + "/state.db.backup")
        daemon = try site.start()
        try wait(for: "a backup") { FileFacts(site.state + "/state.db.backup") != nil }
        #expect(try daemon.stop() == .status(0))
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: site.state)
      where name.hasPrefix("state.db") && (isRunning || name != "state.db.backup") {
        try FileManager.default.removeItem(atPath: "\(site.state)/\(name)")
      }
      if isRunning {
        // Whether a commit before this one has noticed it already is a matter of time.
        try daemon.count("c.c\n")
        try wait(for: "the state to be stored again") { try daemon.status().storageError == nil }
        #expect(try daemon.count("c.d\n").durable)
        daemon.child.kill()
      }
      daemon = try site.start()
      try expectAll(daemon, isRunning ? "running" : "stopped")
    }
  }

  @Test("The files of the state are the owner's alone, and snapshots nobody else's business either")
  func keepsFilesPrivate() throws {
    try withSite(settings: Site.quick) { site in
      let daemon = try site.start(wrapper: ["sh", "-c", #"umask 0; exec "$@""#, "sh"])
      try choose(daemon)
      try daemon.snapshot(of: "a") { $0.shortcuts.count == 4 }
      try wait(for: "a backup") { FileFacts(site.state + "/state.db.backup") != nil }
      #expect(try daemon.askDurably(#"{"op":"forget","action":"b.x"}"#)["forget"]["uses"] == 9)
      for folder in [site.state, site.runtime] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(names.count >= 3)
        for name in names {
          let facts = try #require(FileFacts("\(folder)/\(name)"))
          let isSnapshot = name.hasPrefix("snapshots")
          let allowed: UInt32 = facts.isFolder ? (isSnapshot ? 0o750 : 0o700) : isSnapshot ? 0o640 : 0o600
          #expect(facts.mode == allowed, "\(name) has \(String(facts.mode, radix: 8))")
        }
      }
    }
  }
}
