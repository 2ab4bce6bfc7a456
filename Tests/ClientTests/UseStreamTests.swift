import QuickActionsClient
import Testing

struct UseStreamTests {
  @Test("many uses are counted exactly, and each that is refused is told with its line")
  func many() throws {
    try withDaemon { daemon in
      let stream = try UseStream(daemon.choice)
      var refused: [UInt64] = []
      stream.onRefusal = { refused.append($0.line ?? 0) }
      for number in 1...30_000 {
        if number % 10_000 == 0 { try stream.send(line: Array("a n=0\n".utf8)) }
        try stream.send(Use("com.example.a\(number % 7).use"))
      }
      let sync = try stream.sync()
      #expect(sync.accepted == 30_000)
      #expect(sync.refused == 3)
      #expect(sync.isDurable)
      #expect(refused == [10_000, 20_001, 30_002])
      #expect(stream.lineCount == 30_004)
      #expect(try daemon.status().counters["uses"] == 30_000)
    }
  }

  @Test("a use that is no valid one is refused before it is sent, and the stream goes on")
  func invalid() throws {
    try withDaemon { daemon in
      let stream = try UseStream(daemon.choice)
      #expect(throws: ClientError.self) { try stream.send(Use("a b")) }
      try stream.send(Use("a"))
      #expect(try stream.sync().accepted == 1)
    }
  }

  @Test("more than a hundred refusals in a second are told as a number")
  func untold() throws {
    try withDaemon { daemon in
      let stream = try UseStream(daemon.choice)
      var (told, untold) = (0, UInt64(0))
      stream.onRefusal = { _ in told += 1 }
      stream.onUntoldRefusals = { count, lines in
        untold += count
        #expect(lines.lowerBound >= 101)
      }
      for _ in 0..<300 { try stream.send(line: Array("a n=0\n".utf8)) }
      #expect(try stream.sync().refused == 300)
      try wait(for: "the summary") {
        try stream.takeReplies()
        return UInt64(told) + untold == 300
      }
      #expect(untold > 0)
    }
  }

  @Test("a daemon that has ended is told as a connection that was lost, one that never was as missing")
  func lost() throws {
    let daemon = try RealDaemon(Places())
    let stream = try UseStream(daemon.choice)
    daemon.stop()
    #expect(throws: ClientError.connectionLost) {
      try stream.send(Use("a"))
      _ = try stream.sync()
    }
    #expect(throws: ClientError.noDaemon(triedDirectories: [daemon.places.runtime])) {
      try UseStream(daemon.choice)
    }
  }

  @Test("a daemon that says nothing is waited for no longer than was allowed")
  func silent() throws {
    let daemon = try StandIn("events.sock") { _ in [] }
    defer { daemon.stop() }
    let stream = try UseStream(daemon.choice, timeout: .milliseconds(20))
    #expect(throws: ClientError.timedOut) { try stream.sync() }
    // An answer that comes late belongs to the sync that it names.
    #expect(throws: ClientError.timedOut) { try stream.sync() }
  }

  @Test("a daemon that reads nothing holds a stream up for as long as was allowed, and its memory stays bounded")
  func backPressure() throws {
    let daemon = try StandIn("events.sock", reads: false) { _ in [] }
    defer { daemon.stop() }
    let stream = try UseStream(daemon.choice, timeout: .milliseconds(20))
    #expect(throws: ClientError.timedOut) {
      for _ in 0..<100_000 { try stream.send(Use("com.example.mail.compose")) }
    }
  }

  @Test("a path that is too long for a socket is refused by name, not cut short")
  func longPath() {
    let folder = "/" + String(repeating: "a", count: 120)
    do {
      _ = try UseStream(.at(DaemonPlaces(runtimeDirectory: folder, stateDirectory: nil)))
      Issue.record("it was connected to")
    } catch {
      #expect(error.description.contains(folder))
    }
  }
}
