import Foundation
import Testing

@Suite("Export, and what is imported")
struct ExportTests {
  /// All lines of an export, page by page.
  private func export(_ daemon: RunningDaemon) throws -> [String] {
    let client = try daemon.control()
    var lines: [String] = []
    var after: String?
    repeat {
      try client.send(#"{"op":"export"\#(after.map { #","after":"\#($0)""# } ?? "")}"# + "\n")
      let text = try #require(try client.readLine())
      #expect(text.utf8.count <= 48 * 1024)
      let page = try decode(JSON.self, text)["export"]
      lines += page["lines"].elements.compactMap(\.string)
      after = page["next"].string
    } while after != nil
    return lines
  }

  @Test("Fed to a daemon without a state it gives the same uses, definitions, pins, blocks and history")
  func roundTrips() throws {
    try withSite(settings: Site.slow) { site in
      let daemon = try site.start()
      let hour = Int(Date().timeIntervalSince1970) / 3600
      let client = try daemon.control()
      try client.send(
        #"""
        {"op":"define","app":"a","actions":[{"type":"a.z","localizedTitle":"Z","titles":{"de":"Zett"}},{"type":"a.y","target":"t#2","localizedTitle":"Y","userInfo":{"q":"\"\\"}}]}
        {"op":"define","app":"b","action":{"type":"a.y","localizedTitle":"Y of b","enabled":false}}
        {"op":"pin","action":"a.late"}
        {"op":"pin","action":"a.x0"}
        {"op":"pin","action":"q","app":"b"}
        {"op":"block","action":"a.blocked"}
        {"op":"block","app":"blocked"}
        {"op":"disable","action":"a.x1"}
        {"op":"enable","action":"a.y","app":"b"}

        """#)
      for _ in 0..<9 { #expect(try client.readJSON()["error"] == .null) }
      var uses = "a.once\nä.\u{1F600} n=3\nx app=we-are\"quoted\\ n=2\na.many n=1000000\na.many n=1000000\na.many n=7\n"
      for place in 0..<300 {
        uses += "a.x\(place % 40) n=\(1 + place % 5) t=\((hour - 1 - place) * 3600 + 60 * (place % 60))\n"
      }
      // These have left the hourly history, or never were in it.
      let longAgo = (hour - 24 * 600) * 3600
      uses += "old.gone n=3 t=\(longAgo + 7)\nold.gone t=\(longAgo + 9000)\nold.still n=4 t=\(longAgo)\nold.still n=2\n"
      #expect(try daemon.count(uses).accepted == 310)
      let exported = try export(daemon)
      #expect(exported.count > 300)

      let other = try site.start(
        command: site.command(runtime: site.path + "/run2", state: site.path + "/state2"))
      let feed = try Client(site.path + "/run2/control.sock")
      let sender = inThread { try feed.send(exported.map { $0 + "\n" }.joined()) }
      let requests = exported.count { $0.hasPrefix(#"{"op""#) }
      for _ in 0..<requests {
        let reply = try feed.readJSON()
        #expect(reply["error"] == .null, "\(reply)")
      }
      try sender.join()
      let sync = try feed.sync().reply
      #expect(sync.refused == 0 && sync.durable && sync.accepted == exported.count - requests, "\(sync)")

      /// What is stored, by names; times of a single use within its second.
      func stored(_ path: String) throws -> [String] {
        try [
          "SELECT app, action, uses, last_used, first_used FROM readable_actions ORDER BY app, action",
          "SELECT hour, app, action, uses FROM readable_hourly_uses ORDER BY hour, app, action",
          "SELECT app, action, definition FROM registered_actions ORDER BY app, position",
          """
          SELECT app, action, pinned IS NULL, blocked IS NULL, disabled IS NULL, enabled IS NULL FROM readable_choices
          ORDER BY app, pin_position, action
          """,
        ].map { sql in
          let (exit, output, errors) = try site.run(["sqlite3", "-readonly", path, sql])
          if exit != .status(0) { throw Failure(errors) }
          return output
        }
      }
      let (before, after) = (try stored(site.state + "/state.db"), try stored(site.path + "/state2/state.db"))
      for (one, two) in zip(before, after) {
        #expect(one == two)
        #expect(!one.isEmpty)
      }
      func lists(_ path: String) throws -> [[JSON]] {
        let client = try Client(path)
        return try ["a", "b", "blocked", "we-are\\\"quoted\\\\"].map { app in
          try client.ask(#"{"op":"top","app":"\#(app)","limit":50}"#)["top"]["shortcuts"].elements.map {
            ["action": .string(RunningDaemon.action($0)), "title": $0["localizedTitle"], "uses": $0["uses"]]
          }
        }
      }
      // Scores differ by what an hour makes, and the order of the others with them.
      let (old, new) = (try lists(daemon.controlPath), try lists(site.path + "/run2/control.sock"))
      #expect(old.map { Set($0.map(\.description)) } == new.map { Set($0.map(\.description)) })
      for list in [old[0], new[0]] { #expect(list.prefix(2).map { $0["action"] } == ["a.late", "a.x0"]) }
      #expect(try other.stop() == .status(0))
    }
  }

  @Test("An id that begins with import: counts once, however much later and across restarts, until all is forgotten")
  func remembersImports() throws {
    try withSite(settings: Site.slow + "[Storage]\nRememberIds=1s\n") { site in
      var daemon = try site.start()
      let lines = (0..<100).map { "a.b id=import:\($0)\n" }.joined()
      #expect(try daemon.count(lines + "a.b id=other\n").accepted == 101)
      for round in 0..<3 {
        if round == 1 { daemon.child.kill() } else { #expect(try daemon.stop() == .status(0)) }
        daemon = try site.start()
        #expect(try daemon.count(lines).duplicates == 100, "\(round)")
      }
      // The other one is forgotten by age.
      try wait(for: "an id to be forgotten") { try daemon.count("a.c id=other\n").accepted == 1 }
      #expect(try daemon.count(lines).duplicates == 100)
      try daemon.askDurably(#"{"op":"forget","app":"a"}"#)
      #expect(try daemon.count(lines).duplicates == 100)
      try daemon.askDurably(#"{"op":"forget","all":true}"#)
      #expect(try daemon.count(lines).accepted == 100)
      #expect(try daemon.explain("a.b")["uses"] == 100)
    }
  }
}
