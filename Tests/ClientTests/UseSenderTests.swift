import Foundation
import QuickActionsClient
import Testing

struct UseSenderTests {
  @Test("uses from many threads are counted, each once")
  func threads() throws {
    try withDaemon { daemon in
      let sender = UseSender(daemon.choice)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        // The kernel keeps few datagrams; who wants every use counted takes a stream.
        for _ in 0..<50 { while (try? sender.record("com.example.t\(thread).use")) == .full {} }
      }
      try wait(for: "400 uses") { try daemon.status().counters["uses"] == 400 }
      #expect(try ControlConnection(daemon.choice).status().counters["duplicates"] == 0)
    }
  }

  @Test("count, time, app and id go along")
  func fields() throws {
    try withDaemon { daemon in
      let sender = UseSender(daemon.choice)
      let use = Use("write#é", count: 3, time: UnixTime("2026-11-30T12:00:00Z"), app: "com.example.mail", id: "7")
      #expect(try sender.record(use) == .sent)
      #expect(try sender.record(use) == .sent)
      try wait(for: "the second one") { try daemon.status().counters["duplicates"] == 1 }
      try wait(for: "the list") { try Snapshot.read(of: "com.example.mail", in: daemon.places.state) != nil }
      let list = try Snapshot.read(of: "com.example.mail", daemon.choice)
      let row = try #require(list?.shortcuts.first)
      #expect(row.action == "write#é")
      #expect(row.uses == 3)
      #expect(row.lastUsed == UnixTime(seconds: 1_796_040_000))
      #expect(sender.dropped == 0)
    }
  }

  @Test("without a daemon uses are dropped and counted, and the next daemon is found")
  func restart() throws {
    let places = try Places()
    let choice = DaemonChoice.at(DaemonPlaces(runtimeDirectory: places.runtime, stateDirectory: places.state))
    let sender = UseSender(choice)
    #expect(try sender.record("a.b") == .noDaemon)
    #expect(sender.dropped == 1)
    let daemon = try RealDaemon(places)
    #expect(try sender.record("a.b") == .sent)
    daemon.stop()
    #expect(try sender.record("a.b") == .noDaemon)
    try daemon.start()
    #expect(try sender.record("a.b") == .sent)
    #expect(sender.dropped == 2)
    // The daemon's counters go on where they were.
    try wait(for: "both uses") { try daemon.status().counters["uses"] == 2 }
  }

  @Test("a daemon that takes nothing holds up nobody")
  func full() throws {
    let folder = try Folder()
    let places = DaemonPlaces(runtimeDirectory: folder.path, stateDirectory: nil)
    // Bound, and never read.
    let socket = try Datagrams(at: folder.path + "/events.dgram")
    defer { socket.close() }
    let sender = UseSender(.at(places))
    var sent = 0
    while try sender.record("a.b") == .sent { sent += 1 }
    #expect(sent > 0)
    #expect(sender.dropped == 1)
  }

  @Test(
    "what the daemon would refuse is refused here, with its words",
    arguments: [
      (Use(""), "invalidAction"), (Use("#a"), "invalidAction"), (Use("a b"), "invalidAction"),
      (Use("a\nb"), "invalidAction"), (Use("a", count: 0), "invalidCount"), (Use("a", count: -1), "invalidCount"),
      (Use("a", count: 1_000_001), "invalidCount"), (Use("a", app: "b c"), "invalidApp"),
      (Use("a", id: String(repeating: "x", count: 65)), "invalidId"),
      (Use(ActionID(String(repeating: "x", count: 256))), "invalidAction"),
    ])
  func invalid(use: Use, code: String) {
    do {
      try UseSender(.system).record(use)
      Issue.record("it was taken")
    } catch {
      guard case .refused(let refusal) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(refusal.code == code)
      #expect(refusal.line == nil)
    }
  }
}
