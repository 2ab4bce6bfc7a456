import Foundation
import Testing

@Suite("More actions than there may be")
struct PurgingTests {
  private static let settings = Site.slow + "[Ranking]\nMaxActions=20\n[Storage]\nCommitInterval=1h\n"

  /// Habits, and then so many actions that are used once.
  private static func lines(_ range: Range<Int>) -> String {
    "h.one n=500\nh.two n=400\n" + range.map { "x.\($0)\n" }.joined()
  }

  @Test("What is worth least goes, from memory, the state and the files; what went is bounded, also after a kill")
  func purges() throws {
    try withSite(settings: Self.settings) { site in
      var daemon = try site.start()
      #expect(try daemon.file(of: nil)["maxError"].number == 0)
      // A sync stores what there is: later purges find stored actions among those that go.
      _ = try daemon.count(Self.lines(0..<15))
      let early = try daemon.ask(#"{"op":"status"}"#)["status"]["ranking"]
      #expect(early["actions"].number == 17 && early["purges"].number == 0 && early["maxError"].number == 0)
      _ = try daemon.count(Self.lines(15..<100))
      // These are in the intake log alone.
      try daemon.send(Self.lines(100..<150), until: 156)
      let before = try daemon.ask(#"{"op":"status"}"#)["status"]
      daemon.child.signal(SIGKILL)
      _ = try daemon.child.wait()

      daemon = try site.start()
      let after = try daemon.ask(#"{"op":"status"}"#)["status"]
      #expect(after["counters"]["uses"].number == 2_850)
      #expect(after["counters"]["accepted"].number == 156)
      for status in [before, after] {
        let ranking = status["ranking"]
        let (known, purged) = (try #require(ranking["actions"].number), try #require(ranking["purged"].number))
        #expect(known <= 20 && known + purged == 152 && ranking["maxActions"].number == 20)
        let (error, purges) = (try #require(ranking["maxError"].number), try #require(ranking["purges"].number))
        // Each purge took actions that had been used once.
        #expect(error <= purges && error > purges * 0.99)
      }
      #expect(after["ranking"]["purged"] == before["ranking"]["purged"])
      #expect(try daemon.explain("h.one")["uses"].number == 1_500)
      #expect(try daemon.explain("x.149")["uses"].number == 1)
      #expect(try daemon.refusal(of: #"{"op":"explain","action":"x.3"}"#) == "unknownAction")
      #expect(try #require(daemon.file(of: nil)["maxError"].number) > 0)
      #expect(try daemon.stop() == .status(0))
      let count = try #require(after["ranking"]["actions"].number)
      #expect(try site.query("SELECT count(*) FROM actions") == "\(Int(count))")
      let orphans = "SELECT count(*) FROM hourly_uses WHERE action_number NOT IN (SELECT action_number FROM actions)"
      #expect(try site.query(orphans) == "0")
    }
  }

  @Test("A smaller number takes effect at a reload; what is pinned stays")
  func reload() throws {
    try withSite(settings: Site.slow) { site in
      let daemon = try site.start()
      _ = try daemon.count("p.in\n" + Self.lines(0..<50))
      _ = try daemon.ask(#"{"op":"pin","action":"p.in"}"#)
      try writeFile(site.config, Self.settings)
      try daemon.reload()
      let ranking = try daemon.ask(#"{"op":"status"}"#)["status"]["ranking"]
      #expect(ranking["actions"].number == 21 && ranking["purged"].number == 32)
      #expect(try daemon.explain("p.in")["uses"].number == 1)
      #expect(try daemon.refusal(of: #"{"op":"explain","action":"x.3"}"#) == "unknownAction")
      _ = try daemon.ask(#"{"op":"forget","all":true}"#)
      #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["ranking"]["maxError"].number == 0)
    }
  }
}
