import Foundation
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
  private func change(_ client: Client) throws -> JSON {
    let line = try client.readJSON()
    guard line.members.keys.first == "change" else { throw Failure("not a change: \(line)") }
    return line["change"]
  }

  /// Uses and then a round, of which this waits until it is published.
  private func publish(_ daemon: RunningDaemon, _ lines: String) throws {
    let client = try daemon.control()
    let before = try daemon.status()
    let reply = try client.ask(lines + #"{"op":"recompute"}"#)
    let generation = try #require(reply["recompute"]["generation"].number)
    #expect(generation >= Double(before.generation))
    try wait(for: "the round") { try daemon.status()["snapshotsWritten"] > before["snapshotsWritten"] }
  }

  @Test("A subscriber hears of each list that changes in more than scores, with what entered, left and moved")
  func tellsChanges() throws {
    try withDaemon(settings: Site.slow + "[Ranking]\nLimit=2\n") { daemon in
      try publish(daemon, "a.x n=5\na.y n=3\nb.b n=9\n")
      let app = try daemon.control()
      #expect(try app.ask(#"{"op":"subscribe","app":"a","seq":1}"#) == ["subscribe": ["seq": 1, "app": "a"]])
      let all = try daemon.control()
      #expect(try all.ask(#"{"op":"subscribe"}"#) == ["subscribe": ["app": .null]])
      #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["subscribers"] == 2)

      // Scores alone are no change; the next line is about the next round.
      try publish(daemon, "a.x\n")
      try publish(daemon, "a.y n=10\n")
      let moved = try change(app)
      #expect(moved["app"] == "a" && moved["entered"] == [] && moved["left"] == [] && moved["missed"] == 0)
      #expect(Set(moved["moved"].elements.compactMap(\.string)) == ["a.x", "a.y"])
      #expect(moved["shortcuts"].elements.map(RunningDaemon.action) == ["a.y", "a.x"])
      #expect(moved["shortcuts"].elements.map { $0["uses"] } == [13, 6])
      #expect(try moved["generation"].number == Double(daemon.app("a").generation))
      let both = try [change(all), change(all)]
      #expect(Set(both.map(\.["app"].description)) == ["null", "\"a\""])
      let top = try #require(both.first { $0["app"] == .null })
      #expect(top["entered"] == ["a.y"] && top["left"] == ["a.x"] && top["shortcuts"][0]["app"] == "a")

      try publish(daemon, "a.z n=50\n")
      let entered = try change(app)
      #expect(entered["entered"] == ["a.z"] && entered["left"] == ["a.x"])
      try daemon.ask(#"{"op":"define","action":{"type":"a.y","localizedTitle":"Ypsilon"}}"#)
      try publish(daemon, "")
      let titled = try change(app)
      #expect(titled["entered"] == [] && titled["shortcuts"][1]["localizedTitle"] == "Ypsilon")

      // Another app is none of its business, and what is forgotten leaves.
      try publish(daemon, "b.c n=20\n")
      try daemon.ask(#"{"op":"forget","action":"a.z"}"#)
      let left = try change(app)
      #expect(left["app"] == "a" && left["left"] == ["a.z"] && left["entered"] == ["a.x"])
      // A second subscription takes the place of the first.
      #expect(try app.ask(#"{"op":"subscribe","app":"b"}"#)["subscribe"]["app"] == "b")
      try publish(daemon, "a.new n=100\nb.new n=100\n")
      let other = try change(app)
      #expect(other["app"] == "b" && other["entered"] == ["b.new"])
      // It goes on taking requests and uses.
      #expect(try app.ask("c.c\n" + #"{"op":"explain","action":"c.c"}"#)["explain"]["uses"] == 1)
      app.close()
      all.close()
      try wait(for: "the subscribers to be gone") { try daemon.ask(#"{"op":"status"}"#)["status"]["subscribers"] == 0 }
    }
  }

  @Test("The list of an app that goes is told as empty")
  func tellsOfWhatIsGone() throws {
    try withSite(settings: Site.slow) { site in
      let action = #"{"type": "a.b", "kind": "static", "localizedTitle": "B"}"#
      try site.declare("a.json", #"{"app": "a", "actions": [\#(action)]}"#)
      let daemon = try site.start()
      let client = try daemon.control()
      try client.ask(#"{"op":"subscribe","app":"a"}"#)
      try FileManager.default.removeItem(atPath: site.catalogues[0] + "/a.json")
      try daemon.reload()
      let gone = try change(client)
      #expect(gone["shortcuts"] == [] && gone["left"] == ["a.b"])
    }
  }

  @Test("Who does not read costs nobody anything, and hears how much was missed", .timeLimit(.minutes(1)))
  func dropsForWhoDoesNotRead() throws {
    try withDaemon(settings: Site.slow + "[Ranking]\nLimit=20\n") { daemon in
      let lazy = try daemon.control()
      try lazy.ask(#"{"op":"subscribe"}"#)
      // Some 4 MB of lines, of which a socket and a queue hold a part: each round all of each list is new.
      let apps = (0..<100).map { "app\($0)" }
      let long = String(repeating: "l", count: 230)
      for round in 0..<4 {
        let before = try daemon.status()["snapshotsWritten"]
        let lines = apps.flatMap { app in
          (0..<20).map { "\(long)\(round).\($0) app=\(app) n=\(round + 1)\n" }
        }
        try publish(daemon, lines.joined())
        // That over all apps is new as well.
        try wait(for: "all lists") { try daemon.status()["snapshotsWritten"] > before + apps.count }
      }
      let dropped = try daemon.status()["changesDropped"]
      #expect(dropped > 0)
      #expect(try daemon.count("b.b\n").durable)
      // Now it reads. What comes next says what was missed before it.
      var (seen, missed, last) = (0, 0, false)
      try daemon.ask(#"{"op":"pin","action":"last.one"}"#)
      let status = try daemon.status()
      try wait(for: "what was lost to be told") {
        while !last, let line = try readWaiting(lazy) {
          seen += 1
          missed += Int(line["change"]["missed"].number ?? 0)
          last = line["change"]["app"] == "last"
        }
        if !last { try daemon.ask(#"{"op":"recompute"}"#) }
        return last
      }
      #expect(missed >= dropped && status["changesDropped"] == dropped)
      #expect(seen + missed >= 4 * apps.count, "\(seen) and \(missed)")
    }
  }

  /// The next line, if one has come.
  private func readWaiting(_ client: Client) throws -> JSON? {
    try client.hasInput ? client.readJSON() : nil
  }

  @Test("With kill -9 its connection ends, and the next daemon serves on without it", .timeLimit(.minutes(1)))
  func endsWithTheDaemon() throws {
    try withSite(settings: Site.quick) { site in
      var daemon = try site.start()
      let client = try daemon.control()
      try client.ask(#"{"op":"subscribe","app":"a"}"#)
      try daemon.count("a.b\n")
      #expect(try change(client)["entered"] == ["a.b"])
      daemon.child.kill()
      let end = try? client.readLine()
      #expect(end == .some(nil) || end == nil)
      daemon = try site.start()
      #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["subscribers"] == 0)
      let next = try daemon.control()
      try next.ask(#"{"op":"subscribe","app":"a"}"#)
      try daemon.count("a.c n=5\n")
      #expect(try change(next)["entered"] == ["a.c"])
    }
  }
}
