import Foundation
import Testing

@Suite("Lines that are refused")
struct RefusedLinesTests {
  @Test("An error comes back with its line and code, and only for lines that are wrong")
  func repliesToErrors() throws {
    try withDaemon { daemon in
      let lines = "a.b\n# comment\n\nbad n=0\na.b\n{\"type\":}\nx y=1"
      let (exit, output, _) = try daemon.site.run(
        ["socat", "-t5", "-", "UNIX-CONNECT:\(daemon.eventsPath)"], input: Array(lines.utf8))
      #expect(exit == .status(0))
      let errors = try ErrorMessage.all(output.split(separator: "\n").map(String.init))
      #expect(errors.map(\.line) == [4, 6, 7])
      #expect(errors.map(\.code) == ["invalidCount", "invalidJSON", "unknownField"])
      #expect(errors.allSatisfy { $0.message?.isEmpty == false })
      #expect(try daemon.status()["accepted"] == 2)
    }
  }

  @Test("Every code of a line goes back to its sender and is counted in status")
  func countsEachCode() throws {
    let cases = [
      ("invalidAction", "a\u{7}"), ("invalidApp", "a app="), ("invalidCount", "a n=x"),
      ("invalidTime", "a t=soon"), ("invalidId", "a id="), ("unknownField", "a colour=red"),
      ("invalidJSON", "{"), ("lineTooLong", String(repeating: "a", count: 5000)), ("notPermitted", #"{"op":"status"}"#),
      ("unknownOp", #"{"op":"reset"}"#), ("invalidArgument", #"{"op":"sync","seq":"1"}"#),
    ]
    try withDaemon { daemon in
      let client = try daemon.connect()
      for (number, (code, line)) in cases.enumerated() {
        try client.send(line + "\na.b\n")
        let reply = try #require(try client.readLine())
        let error = try decode(ErrorMessage.self, reply).error
        #expect(error.code == code)
        #expect(error.line == 2 * number + 1)
        #expect(try daemon.status().refused[code] == 1)
      }
      let status = try daemon.status()
      #expect(status.refusals == cases.count)
      #expect(status["accepted"] == cases.count)
    }
  }

  @Test("Bytes that are no id are refused, and the next line is read as if nothing had been")
  func refusesBrokenBytes() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      let broken: [[UInt8]] = [
        [0x10, 0xe4, 0xfd, 0xfd, 0x8b, 0x58], [0x61, 0xc3], [0x61, 0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x61, 0x00, 0x62],
        [0xff], [0xed, 0xa0, 0x80], Array("a\u{85}b".utf8), Array("a\u{2003}b".utf8), [0x61, 0x7f],
      ]
      for (round, bytes) in broken.enumerated() {
        try client.send(bytes + [0x0a] + Array("a.é\n".utf8))
        let error = try decode(ErrorMessage.self, try #require(try client.readLine())).error
        #expect(error.code == "invalidAction")
        #expect(error.line == 2 * round + 1)
      }
      let reply = try client.sync().reply
      #expect(reply == SyncReply(seq: 1, accepted: broken.count, duplicates: 0, refused: broken.count))
      try daemon.snapshot(of: "a") { $0.uses(of: "a.é") == broken.count }
      #expect(try daemon.status().actions == 1)
    }
  }

  @Test("A multibyte character that the end of the stream cuts is refused")
  func refusesACutCharacter() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      try client.send(Array("a.b\na.".utf8) + [0xc3])
      client.endSending()
      #expect(try ErrorMessage.all(client.readAll()).map(\.line) == [2])
      #expect(try daemon.status().refused["invalidAction"] == 1)
    }
  }

  @Test("Counts are whole numbers from 1 to 1,000,000, in both forms")
  func checksCounts() throws {
    let table = [
      ("0", false), ("-1", false), ("0.5", false), ("1", true), ("1000000", true), ("1000001", false),
      ("1e308", false), ("9223372036854775808", false), ("\"5\"", false), ("18446744073709551617", false),
    ]
    try withDaemon { daemon in
      for (count, isGood) in table {
        for line in ["c.x n=\(count)", "{\"type\":\"c.x\",\"count\":\(count)}"] {
          let reply = try daemon.count(line + "\n")
          #expect(reply.accepted == (isGood ? 1 : 0), "\(line)")
          #expect(reply.refused == (isGood ? 0 : 1), "\(line)")
        }
      }
      let status = try daemon.status()
      #expect(status["uses"] == 2 * 1_000_001)
      #expect(status.refused["invalidCount"] == 2 * 8)
      let row = try #require(try daemon.snapshot(of: "c") { $0.uses(of: "c.x") == 2_000_002 }.shortcuts.first)
      #expect(row.score > 1_999_000 && row.score < 2_000_100)
    }
  }

  @Test("A line over the limit is refused as a whole, and the connection lives on")
  func refusesLongLines() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      try client.send("a.good\n" + String(repeating: "a.b ", count: 20_480) + "\na.good\n")
      let (reply, errors) = try client.sync()
      #expect(reply == SyncReply(seq: 1, accepted: 2, duplicates: 0, refused: 1))
      #expect(try ErrorMessage.all(errors).map(\.code) == ["lineTooLong"])
      #expect(try ErrorMessage.all(errors).map(\.line) == [2])
      #expect(try daemon.status().actions == 1)
    }
  }

  @Test("Streams without a line end take up no memory")
  func boundsMemory() throws {
    let (clients, megabytes) = isLong ? (16, 64) : (4, 16)
    try withDaemon(settings: Site.quick + "[Storage]\nIntakeLogSize=4M\n") { daemon in
      let path = daemon.eventsPath
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      // The first megabyte brings in what is touched once.
      let warmUp = try daemon.connect()
      try warmUp.send(chunk + Array("\n".utf8))
      try warmUp.sync()
      let (before, allBefore) = (try daemon.residentMemory(), try daemon.memory("VmRSS"))
      let peak = try inThreadsWithPeak(clients, of: { try daemon.residentMemory() }) { _ in
        let client = try Client(path)
        for _ in 0..<megabytes { try client.send(chunk) }
        try client.send("\na.b\n")
        let reply = try client.sync().reply
        #expect(reply == SyncReply(seq: 1, accepted: 1, duplicates: 0, refused: 1))
      }
      #expect(peak - before < 4 << 20, "\(before) bytes grew to \(peak)")
      #expect(try daemon.memory("VmRSS") - allBefore < 8 << 20)
      #expect(try daemon.status().refused["lineTooLong"] == clients + 1)
    }
  }

  /// Runs threads, and tells the greatest value of `measure` while they ran.
  private func inThreadsWithPeak(
    _ count: Int, of measure: () throws -> Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws -> Int {
    let hasEnded = Flag()
    let threads = inThread {
      defer { hasEnded.set() }
      try inThreads(count, body)
    }
    var peak = 0
    while !hasEnded.isSet {
      peak = max(peak, try measure())
      Thread.sleep(forTimeInterval: 0.01)
    }
    try threads.join()
    return max(peak, try measure())
  }

  @Test("A flood of bad lines gets few replies and few log lines, and exact totals")
  func summarizesFloods() throws {
    let lines = isLong ? 1_000_000 : 100_000
    try withDaemon { daemon in
      let start = Date()
      let flood = try daemon.connect()
      for _ in 0..<lines / 1000 { try flood.send(String(repeating: "bad n=0\n", count: 1000)) }
      let (reply, before) = try flood.sync()
      flood.endSending()
      let errors = try ErrorMessage.all(before + flood.readAll())
      let seconds = Date().timeIntervalSince(start)
      #expect(reply == SyncReply(seq: 1, accepted: 0, duplicates: 0, refused: lines))
      let single = errors.filter { $0.code != nil }
      let summaries = errors.filter { $0.suppressed != nil }
      #expect(single.count <= 100 * (Int(seconds) + 1))
      #expect(Double(summaries.count) <= seconds + 1)
      #expect(single.count + summaries.compactMap(\.suppressed).reduce(0, +) == lines)
      #expect(summaries.compactMap { $0.codes?["invalidCount"] }.reduce(0, +) == lines - single.count)
      #expect(try daemon.status().refused["invalidCount"] == lines)
      #expect(try daemon.stop() == .status(0))
      let noise = daemon.child.errorLines.filter { $0.contains("invalidCount") }
      #expect((1...4).contains(noise.count), "\(daemon.child.errors)")
      #expect(daemon.child.errors.contains("\(lines - 1) more"))
    }
  }

  @Test("Nothing of a refused line gets into the log")
  func keepsLinesOutOfTheLog() throws {
    try withDaemon { daemon in
      try daemon.count("secret.word n=0\nsecret.word secretfield=1\n{\"type\":\"secret.word\",}\nsecret\u{7}word\n")
      #expect(try daemon.stop() == .status(0))
      #expect(!daemon.child.errors.contains("secret.word"))
      #expect(daemon.child.errors.contains("invalidCount"))
    }
  }

  @Test("A client that never reads loses replies, but no events, and holds up nobody")
  func servesClientsThatDoNotRead() throws {
    try withDaemon { daemon in
      let deaf = try daemon.connect()
      let deafControl = try Client(daemon.controlPath)
      let syncs = String(repeating: "a.b\n{\"op\":\"sync\",\"seq\":1}\nbad n=0\n", count: 100)
      let queries = String(repeating: "a.b\n{\"op\":\"status\"}\n", count: 100)
      for _ in 0..<100 { try deaf.send(syncs) }
      for _ in 0..<20 { try deafControl.send(queries) }
      // Somebody else is served meanwhile.
      try daemon.count("c.d\n")
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 12_000 }
      let status = try daemon.status()
      #expect(status["repliesDropped"] > 0)
      #expect(status.refused["invalidCount"] == 10_000)
      #expect(try daemon.residentMemory() < 64 << 20)
    }
  }

  @Test("A client that vanishes in mid-sentence harms nobody")
  func survivesVanishingClients() throws {
    try withDaemon { daemon in
      for round in 0..<50 {
        let client = try daemon.connect()
        // Replies are on their way to a client that is gone.
        try client.send(String(repeating: "bad n=0\n{\"op\":\"sync\"}\n", count: round) + "a.b")
        client.close()
      }
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 50 }
      try wait(for: "all connections to be closed") { try daemon.status()["connectionsClosed"] >= 50 }
    }
  }

  @Test("A status request is refused on the events sockets, a sync in a datagram as well")
  func keepsToPermissions() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      try client.send("{\"op\":\"status\"}\n")
      let (_, before) = try client.sync()
      #expect(try ErrorMessage.all(before).map(\.code) == ["notPermitted"])
      try Client(daemon.datagramPath, datagram: true).send("{\"op\":\"status\"}\n{\"op\":\"sync\"}\na.b")
      try daemon.snapshot(of: "a")
      #expect(try daemon.status().refused["notPermitted"] == 3)
      #expect(try daemon.status()["accepted"] == 1)
    }
  }
}
