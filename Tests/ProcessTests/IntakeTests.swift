import Foundation
import Testing

@Suite("Lines that come in")
struct IntakeTests {
  @Test("Plain and JSON lines count the same, over the stream and as datagrams", arguments: ["stream", "datagram"])
  func countsBothForms(kind: String) throws {
    try withDaemon { daemon in
      let address =
        kind == "stream" ? "UNIX-CONNECT:\(daemon.eventsPath)" : "UNIX-SENDTO:\(daemon.datagramPath)"
      let lines = """
        com.example.mail.compose
        com.example.mail.write#alice n=2 app=com.example.mail
        {"type":"com.example.mail.write","target":"alice","count":3}

        # a comment
          com.example.mail.compose   n=4\t
        """
      let (exit, _, errors) = try daemon.site.run(["socat", "-u", "-", address], input: Array(lines.utf8))
      #expect(exit == .status(0), "\(errors)")
      let snapshot = try daemon.snapshot(of: "com.example.mail") { $0.shortcuts.map(\.uses).reduce(0, +) == 10 }
      #expect(snapshot.app == "com.example.mail")
      #expect(snapshot.uses(of: "com.example.mail.compose") == 5)
      #expect(snapshot.uses(of: "com.example.mail.write#alice") == 5)
      let status = try daemon.status()
      #expect(status["accepted"] == 4)
      #expect(status["uses"] == 10)
      #expect(status.refusals == 0)
    }
  }

  @Test("A last line without a line end counts")
  func countsUnfinishedLines() throws {
    try withDaemon { daemon in
      let (exit, _, _) = try daemon.site.run(
        ["sh", "-c", "printf 'a.b' | socat -u - UNIX-CONNECT:\(daemon.eventsPath)"])
      #expect(exit == .status(0))
      #expect(try daemon.snapshot(of: "a").uses(of: "a.b") == 1)
    }
  }

  @Test("One byte a write makes no difference")
  func readsByteByByte() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      for byte in Array("a.b n=2\n{\"type\":\"a.b\"}\n".utf8) { try client.send([byte]) }
      #expect(try client.sync(7).reply == SyncReply(seq: 7, accepted: 2, duplicates: 0, refused: 0))
      #expect(try daemon.status()["uses"] == 3)
    }
  }

  @Test("CRLF ends a line, in one piece and in two")
  func readsCRLF() throws {
    try withDaemon { daemon in
      let client = try daemon.connect()
      try client.send(Array("a.b\r\na.b\r".utf8))
      try client.send(Array("\n\r\n{\"type\":\"a.b\"}\r\n".utf8))
      #expect(try client.sync().reply == SyncReply(seq: 1, accepted: 3, duplicates: 0, refused: 0))
      #expect(try daemon.snapshot(of: "a").uses(of: "a.b") == 3)
    }
  }

  @Test("A sync tells what has become of the lines before it on its connection")
  func syncs() throws {
    try withDaemon { daemon in
      try daemon.count("other.x\n")
      let client = try daemon.connect()
      #expect(try client.sync(1).reply == SyncReply(seq: 1, accepted: 0, duplicates: 0, refused: 0))
      try client.send("a.b id=1\na.b id=1\na.b n=5\n\n#\nbad n=0\n")
      #expect(try client.sync(2).reply == SyncReply(seq: 2, accepted: 2, duplicates: 1, refused: 1))
      try client.send("a.b\n{\"op\":\"sync\"}\n")
      #expect(try client.readLine()?.hasPrefix(#"{"sync":{"accepted":3,"duplicates":1,"refused":1,"#) == true)
    }
  }

  @Test("An event with an id counts once, from whatever connection and socket")
  func countsIDsOnce() throws {
    try withDaemon { daemon in
      try daemon.count("a.b n=2 id=first\n")
      #expect(try daemon.count("{\"type\":\"a.b\",\"id\":\"first\"}\n").duplicates == 1)
      try Client(daemon.datagramPath, datagram: true).send("a.c id=first\na.b id=second")
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 3 }
      let status = try daemon.status()
      #expect(status["duplicates"] == 2)
      #expect(status["uses"] == 3)
      #expect(status.actions == 1)
    }
  }

  @Test("A datagram holds one line or more, each for itself")
  func readsDatagrams() throws {
    try withDaemon { daemon in
      let client = try Client(daemon.datagramPath, datagram: true)
      try client.send("a.b")
      try client.send("a.b\n{\"type\":\"a.b\"}\r\na.b n=0\n\n# comment\na.b n=7")
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 10 }
      let status = try daemon.status()
      #expect(status["datagrams"] == 2)
      #expect(status["accepted"] == 4)
      #expect(status.refused["invalidCount"] == 1)
    }
  }

  @Test("A datagram over 64 KiB is refused as a whole, one of 64 KiB counts")
  func refusesLargeDatagrams() throws {
    try withDaemon { daemon in
      let client = try Client(daemon.datagramPath, datagram: true)
      try client.send(String(repeating: "a.b\n", count: 16_385))
      try client.send(String(repeating: "a.c\n", count: 16_384))
      try daemon.snapshot(of: "a") { $0.uses(of: "a.c") == 16_384 }
      let status = try daemon.status()
      #expect(status.actions == 1)
      #expect(status.refused["lineTooLong"] == 1)
      #expect(status["datagrams"] == 2)
    }
  }

  @Test("8 writers of 10,000 events each are counted exactly while snapshots and queries run")
  func countsUnderLoad() throws {
    try withDaemon { daemon in
      let (events, control) = (daemon.eventsPath, daemon.controlPath)
      let hasEnded = Flag()
      let queries = inThread {
        let client = try Client(control)
        var last = 0
        while !hasEnded.isSet {
          let accepted = try client.status()["accepted"]
          #expect(accepted >= last)
          last = accepted
        }
      }
      try inThreads(8) { writer in
        let client = try Client(events)
        for round in 0..<100 {
          try client.send((0..<100).map { "load.w\(writer).a\(($0 + round) % 10)\n" }.joined())
        }
        let reply = try client.sync().reply
        #expect(reply == SyncReply(seq: 1, accepted: 10_000, duplicates: 0, refused: 0))
      }
      hasEnded.set()
      try queries.join()
      let status = try daemon.status()
      #expect(status["accepted"] == 80_000)
      #expect(status["uses"] == 80_000)
      #expect(status.actions == 80)
      for writer in 0..<8 {
        try daemon.snapshot(of: "load.w\(writer)") { $0.shortcuts.map(\.uses) == [1000, 1000, 1000, 1000] }
      }
    }
  }

  @Test("A time later than now is now, one over ten years back is ten years back, and both are told")
  func clampsTimes() throws {
    try withDaemon { daemon in
      let now = Int(Date().timeIntervalSince1970)
      let year = 365 * 86_400
      try daemon.count("t.future t=\(now + 10 * year)\n")
      try daemon.count("t.milliseconds t=\(now)000\n")
      #expect(try daemon.status()["clamped"] == 2)
      try daemon.count("{\"type\":\"t.past\",\"time\":\(now - 11 * year)}\n")
      #expect(try daemon.status()["clamped"] == 3)
      try daemon.count("t.lastYear t=\(now - year)\nt.lastYear t=2020-02-29T12:00:00Z\n")
      #expect(try daemon.status()["clamped"] == 3)
      let snapshot = try daemon.snapshot(of: "t") { $0.shortcuts.count == 4 }
      for row in snapshot.shortcuts {
        #expect(row.score.isFinite && row.score >= 0 && row.score <= 1)
        let isNow = row.type == "t.future" || row.type == "t.milliseconds"
        #expect(isNow ? row.score > 0.99 : row.score < 1e-6)
      }
    }
  }
}

/// A yes or no that several threads see.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
