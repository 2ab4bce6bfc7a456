import Foundation
import Testing

@Suite("A stop under load")
struct StopTests {
  @Test("What was sent and synced before is counted, nothing is made up, and the end is 0")
  func stopsUnderLoad() throws {
    try withDaemon(settings: Site.quick + "[Ranking]\nLimit=20\n") { daemon in
      let (events, hasSynced) = (daemon.eventsPath, Tallies(4))
      let writers = inThread {
        try inThreads(4) { writer in
          let client = try Client(events)
          let lines = (0..<5).map { "stop.w\(writer).a\($0)\n" }.joined()
          for _ in 0..<200 { try client.send(lines) }
          #expect(try client.sync().reply.accepted == 1000)
          hasSynced.add(1000, to: writer)
          // Until the daemon closes the connection. A line that was sent in part counts in no tally.
          while (try? client.send(lines)) != nil { hasSynced.add(5, to: writer) }
        }
      }
      try wait(for: "everybody's first thousand") { hasSynced.all.allSatisfy { $0 >= 1000 } }
      daemon.child.signal(SIGTERM)
      #expect(try daemon.child.wait() == .status(0))
      try writers.join()
      for (writer, sent) in hasSynced.all.enumerated() {
        let rows = try daemon.app("stop.w\(writer)").shortcuts
        #expect(Set(rows.map(\.type)) == Set((0..<5).map { "stop.w\(writer).a\($0)" }))
        let counted = rows.map(\.uses).reduce(0, +)
        // The last send may have got through in part before it failed.
        #expect((1000...sent + 5).contains(counted), "sent \(sent), counted \(counted)")
      }
      let apps = try FileManager.default.contentsOfDirectory(atPath: daemon.site.state + "/snapshots/apps")
      #expect(Set(apps) == Set((0..<4).flatMap { ["stop.w\($0).json", "stop.w\($0).tsv"] }))
    }
  }

  @Test("All that arrived before the stop is counted, also what nobody has accepted yet")
  func countsWhatHasArrived() throws {
    try withDaemon(settings: Site.slow) { daemon in
      // While it stands still everything piles up in the kernel.
      daemon.child.signal(SIGSTOP)
      try wait(for: "the process to stand still") { try daemon.processState() == "T" }
      var clients: [Client] = []
      for index in 0..<20 {
        let client = try daemon.connect()
        try client.send(String(repeating: "a.b\n", count: 1000) + "a.c")
        if index % 2 == 0 { client.endSending() }
        clients.append(client)
      }
      let datagrams = try Client(daemon.datagramPath, datagram: true)
      for _ in 0..<5 { try datagrams.send("a.d\na.d") }
      daemon.child.signal(SIGTERM)
      daemon.child.signal(SIGCONT)
      #expect(try daemon.child.wait() == .status(0))
      let snapshot = try daemon.app("a")
      #expect(snapshot.uses(of: "a.b") == 20_000)
      // A line whose end may still come is not one, as long as the connection is open.
      #expect(snapshot.uses(of: "a.c") == 10)
      #expect(snapshot.uses(of: "a.d") == 10)
    }
  }

  @Test("Several signals to stop are one stop")
  func stopsOnce() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\n")
      for signal in [SIGTERM, SIGINT, SIGTERM, SIGHUP, SIGUSR1] { daemon.child.signal(signal) }
      #expect(try daemon.child.wait() == .status(0))
      #expect(daemon.notify.messages.filter { $0.contains("STOPPING=1") }.count == 1)
      #expect(try daemon.app("a").uses(of: "a.b") == 1)
    }
  }

  @Test("A stop while snapshots can't be written is told, and ends with 0")
  func stopsWithoutSnapshots() throws {
    try withDaemon { daemon in
      let apps = daemon.site.state + "/snapshots/apps"
      try FileManager.default.removeItem(atPath: apps)
      try writeFile(apps, "in the way")
      try daemon.count("a.b\n")
      #expect(try daemon.stop() == .status(0))
      #expect(daemon.child.errors.contains("can't be written"))
    }
  }
}

/// Numbers that several threads add to, each its own.
final class Tallies: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Int]
  init(_ count: Int) { values = Array(repeating: 0, count: count) }
  var all: [Int] { lock.withLock { values } }
  func add(_ number: Int, to index: Int) { lock.withLock { values[index] += number } }
}
