import Foundation
import Testing

@Suite("A flood of new actions", .serialized)
struct FloodTests {
  private static let many = Site.slow + "[Ranking]\nMaxActions=1000000\n[Storage]\nCommitInterval=1h\n"
  /// Any commit that says nothing else stores what has come in.
  private static let small = Site.slow + "[Storage]\nLargeCommit=1\nCommitInterval=1h\n"

  private func stored(_ site: Site) throws -> String {
    try site.query("SELECT count(*), sum(uses) FROM actions") + "; "
      + site.query("SELECT sum(uses) FROM hourly_uses") + "; "
      + site.query("SELECT count(*) FROM pending_input")
  }

  @Test(
    "Is on the disk at a sync, before it has rows, and counts once after a kill",
    arguments: [(losesLog: false, ids: 100_000), (true, 100_000)])
  func survives(losesLog: Bool, ids: Int) throws {
    try withSite(settings: Self.many) { site in
      let daemon = try site.start()
      let lines = (0..<ids).map { "com.example.app\($0 % 100).a\($0) n=2 id=\($0)\n" }
      let client = try daemon.connect()
      for start in stride(from: 0, to: ids, by: 5000) { try client.send(lines[start..<start + 5000].joined()) }
      let reply = try client.sync().reply
      #expect(reply.durable && reply.accepted == ids)
      // Nobody is told of what comes behind.
      if !losesLog { try client.send("com.example.last n=5\n") }
      if !losesLog { try wait(for: "the last use") { try daemon.status()["accepted"] == ids + 1 } }
      daemon.child.kill()
      #expect(try site.query("SELECT count(*) > 0 FROM pending_input") == "1")
      if losesLog { try FileManager.default.removeItem(atPath: site.runtime) }

      let expected = losesLog ? (ids, 2 * ids) : (ids + 1, 2 * ids + 5)
      for _ in 0..<2 {
        let next = try site.start()
        let status = try next.status()
        #expect((status["accepted"], status["uses"]) == expected)
        next.child.kill()
        #expect(try stored(site) == "\(expected.0)|\(expected.1); \(expected.1); 0")
        if losesLog { try FileManager.default.removeItem(atPath: site.runtime) }
      }
      // The ids are known as well.
      let last = try site.start()
      #expect(try last.count(lines[..<500].joined()).duplicates == 500)
      #expect(try last.stop() == .status(0))
      #expect(try stored(site) == "\(expected.0)|\(expected.1); \(expected.1); 0")
    }
  }

  /// How many actions are known, and how often and how many were purged.
  private func purges(of daemon: RunningDaemon) throws -> [Double?] {
    let ranking = try daemon.ask(#"{"op":"status"}"#)["status"]["ranking"]
    return ["actions", "purges", "purged"].map { ranking[$0].number }
  }

  @Test("Drops what is purged for it from the state, though only what has come in says so", arguments: [false, true])
  func purges(losesLog: Bool) throws {
    try withSite(settings: Self.small + "[Ranking]\nMaxActions=1000\n") { site in
      let first = try site.start()
      try first.count((0..<800).map { "com.example.old.a\($0)\n" }.joined())
      #expect(try first.stop() == .status(0))
      let daemon = try site.start()
      // Those that were used again stay.
      try daemon.count((0..<2000).map { "com.example.new.a\($0)\ncom.example.old.a\($0 % 100)\n" }.joined())
      #expect(try site.query("SELECT count(*) > 0 FROM pending_input") == "1")
      let known = try purges(of: daemon)
      daemon.child.kill()
      if losesLog { try FileManager.default.removeItem(atPath: site.runtime) }
      let next = try site.start()
      #expect(try next.status()["uses"] == 4_800)
      #expect(try purges(of: next) == known && known[0].map { $0 <= 1_000 } == true)
      #expect(known.allSatisfy { $0 ?? 0 > 0 })
      #expect(try next.stop() == .status(0))
      #expect(try site.query("SELECT count(*) FROM actions WHERE app = 'com.example.old'") == "100")
      #expect(
        try site.query(
          "SELECT (SELECT sum(uses) FROM actions) = (SELECT sum(uses) FROM hourly_uses), "
            + "(SELECT count(*) FROM hourly_uses WHERE action_number NOT IN (SELECT action_number FROM actions))")
          == "1|0")
    }
  }

  @Test("Leaves nothing of what is forgotten, though it was stored as it came")
  func forgets() throws {
    try withSite(settings: Self.small) { site in
      let daemon = try site.start()
      let word = "Xylophon7Q3"
      try daemon.count(
        (0..<2000).map { "com.example.secret.\(word) id=\(word)-\($0)\ncom.example.mail.a\($0)\n" }.joined())
      #expect(try site.filesHolding(word).contains { $0.hasPrefix("state/state.db") })
      #expect(try site.query("SELECT count(*) > 0 FROM pending_input") == "1")
      let client = try daemon.control()
      #expect(try client.ask(#"{"op":"forget","action":"com.example.secret.\#(word)"}"#)["error"] == .null)
      #expect(try client.sync().reply.durable)
      #expect(try site.filesHolding(word) == [])
      daemon.child.kill()
      let next = try site.start()
      #expect(try next.stop() == .status(0))
      #expect(try site.query("SELECT count(*), sum(uses) FROM actions") == "2000|2000")
    }
  }

  @Test("Keeps no line that was refused, blocked or not recorded")
  func keepsNothingElse() throws {
    try withSite(settings: Self.small) { site in
      let daemon = try site.start()
      let client = try daemon.control()
      #expect(try client.ask(#"{"op":"block","action":"a.blocked"}"#)["error"] == .null)
      #expect(try client.sync().reply.durable)
      for line in ["a.b n=Xylophon7Q3", "a.blocked id=Xylophon7Q3"] {
        try daemon.count((0..<100).map { "com.example.mail.a\($0)\n" }.joined() + line + "\n")
        #expect(try site.query("SELECT count(*) FROM pending_input") == "0")
        #expect(try site.filesHolding("Xylophon7Q3").filter { $0.hasPrefix("state/") } == [])
      }
      try daemon.count((0..<100).map { "com.example.mail.b\($0)\n" }.joined())
      #expect(try site.query("SELECT count(*) FROM pending_input") == "1")
    }
  }
}
