import Foundation
import Testing

@Suite("Pausing and Record=no")
struct RecordingTests {
  private static let word = "Xylophon7Q3"
  private static let small = Site.slow + "[Storage]\nIntakeLogSize=4M\n"
  private static let off = "[Privacy]\nRecord=no\n"

  /// That uses count as not recorded, and leave nothing in any file.
  private func expectNothingRecorded(_ daemon: RunningDaemon, _ comment: String) throws {
    let before = try daemon.status()["notRecorded"]
    let lines = "a.\(Self.word) n=5 id=\(Self.word)\n" + #"{"type":"\#(Self.word).b","target":"\#(Self.word)"}"# + "\n"
    let reply = try daemon.count(lines + "bad n=0\n")
    #expect(
      reply.accepted == 0 && reply.duplicates == 0 && reply.notRecorded == 2 && reply.refused == 1 && reply.durable,
      "\(comment): \(reply)")
    let datagrams = try Client(daemon.datagramPath, datagram: true)
    try datagrams.send("a.\(Self.word)\na.\(Self.word)")
    try wait(for: "the datagram") { try daemon.status()["notRecorded"] == before + 4 }
    try daemon.askDurably(#"{"op":"recompute"}"#)
    #expect(try daemon.site.filesHolding(Self.word) == [], "\(comment)")
    #expect(try daemon.ask(#"{"op":"status"}"#)["status"]["recording"] == false, "\(comment)")
  }

  @Test("A pause lasts until it is over, across stops and kills, and nothing of what comes meanwhile is in any file")
  func pauses() throws {
    try withSite(settings: Self.small) { site in
      var daemon = try site.start()
      try daemon.count("a.b n=2\n")
      try daemon.ask(#"{"op":"pause"}"#)
      for round in 0..<3 {
        try expectNothingRecorded(daemon, "\(round)")
        if round == 1 { #expect(try daemon.stop() == .status(0)) } else { daemon.child.kill() }
        daemon = try site.start()
      }
      let status = try daemon.ask(#"{"op":"status"}"#)["status"]
      #expect(status["recording"] == false && status["pausedUntil"] == .null)
      #expect(try daemon.ask(#"{"op":"resume"}"#)["resume"]["changed"] == true)
      // The id of a use that was not recorded is as new.
      #expect(try daemon.count("a.b id=\(Self.word)\n").accepted == 1)
      #expect(try daemon.explain("a.b")["uses"] == 3)
    }
  }

  @Test("A pause that was only logged, and its end, are in force after a kill")
  func survivesAKill() throws {
    try withSite(settings: RestartTests.unstored) { site in
      var daemon = try site.start()
      let client = try daemon.control()
      try client.send("a.b\n{\"op\":\"pause\"}\na.b n=10\n")
      #expect(try client.readJSON()["pause"] != .null)
      try wait(for: "the last use") { try daemon.status()["notRecorded"] == 1 }
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["notRecorded"] == 1 && daemon.explain("a.b")["uses"] == 1)
      let next = try daemon.control()
      try next.send("a.b n=100\n{\"op\":\"resume\"}\na.b n=1000\n")
      #expect(try next.readJSON()["resume"]["changed"] == true)
      try wait(for: "the last use") { try daemon.explain("a.b")["uses"] == 1001 }
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.explain("a.b")["uses"] == 1001)
      #expect(try daemon.count("a.b\n").accepted == 1)
    }
  }

  @Test("A pause for a time ends by itself; a longer one takes its place, and goes on after a restart")
  func pausesForATime() throws {
    try withSite(settings: Self.small) { site in
      var daemon = try site.start()
      try daemon.ask(#"{"op":"pause","for":"1h"}"#)
      try expectNothingRecorded(daemon, "for an hour")
      #expect(try daemon.stop() == .status(0))
      daemon = try site.start()
      let until = try daemon.ask(#"{"op":"status"}"#)["status"]["pausedUntil"].string ?? ""
      let rest = try #require(ISO8601DateFormatter().date(from: until)).timeIntervalSinceNow
      #expect((3400...3600).contains(rest))
      try daemon.ask(#"{"op":"pause","for":"1ms"}"#)
      try wait(for: "the pause to end") { try daemon.ask(#"{"op":"status"}"#)["status"]["recording"] == true }
      #expect(try daemon.count("a.b\n").accepted == 1)
    }
  }

  @Test("Record=no is in force from the start or a reload on; only the settings end it")
  func obeysTheSettings() throws {
    try withSite(settings: Self.small + Self.off) { site in
      var daemon = try site.start()
      try expectNothingRecorded(daemon, "at the start")
      #expect(try daemon.refusal(of: #"{"op":"resume"}"#) == "invalidArgument")
      daemon.child.kill()
      daemon = try site.start()
      try expectNothingRecorded(daemon, "after a kill")
      try writeFile(site.config, Self.small)
      try daemon.reload()
      #expect(try daemon.count("a.b n=3\n").accepted == 1)
      try writeFile(site.config, Self.small + Self.off)
      try daemon.reload()
      try expectNothingRecorded(daemon, "after a reload")
      // What is chosen and defined is no use.
      try daemon.askDurably(#"{"op":"pin","action":"a.pinned"}"#)
      #expect(try daemon.list("a") == ["a.pinned", "a.b"])
      // A pause beside it outlasts it.
      try daemon.ask(#"{"op":"pause"}"#)
      try writeFile(site.config, Self.small)
      try daemon.reload()
      try expectNothingRecorded(daemon, "by the pause alone")
      #expect(try daemon.ask(#"{"op":"resume"}"#)["resume"]["changed"] == true)
    }
  }

  @Test("After a kill each use counts or not by the settings that were in force when it came")
  func replaysByTheSettings() throws {
    try withSite(settings: RestartTests.unstored) { site in
      var daemon = try site.start()
      try daemon.send("a.b\n", until: 1)
      try writeFile(site.config, RestartTests.unstored + Self.off)
      try daemon.reload()
      let client = try daemon.connect()
      try client.send("a.b n=10\n")
      try wait(for: "the use") { try daemon.status()["notRecorded"] == 1 }
      daemon.child.kill()
      try writeFile(site.config, RestartTests.unstored)
      daemon = try site.start()
      #expect(try daemon.explain("a.b")["uses"] == 1 && daemon.status()["notRecorded"] == 1)
      #expect(try daemon.count("a.b n=100\n").accepted == 1)
    }
  }
}
