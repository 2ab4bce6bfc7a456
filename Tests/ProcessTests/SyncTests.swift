import Foundation
import Testing

@Suite("Whether it is safe")
struct SyncTests {
  @Test("A thousand syncs of fifty clients share few commits, and each says that its uses are on the disk")
  func sharesCommits() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let path = daemon.eventsPath
      try inThreads(50) { index in
        let client = try Client(path)
        try client.send((0..<20).map { "a.c\(index)\n{\"op\":\"sync\",\"seq\":\($0)}\n" }.joined())
        for seq in 0..<20 {
          let line = try client.readLine() ?? ""
          let reply = try decode(SyncMessage.self, line).sync
          #expect(reply == SyncReply(seq: seq, accepted: seq + 1, duplicates: 0, refused: 0))
        }
      }
      let status = try daemon.status()
      #expect(status["syncs"] == 1000)
      #expect(status["commits"] <= 110, "\(status["commits"]) commits")
      print("1000 syncs of 50 clients were \(status["commits"]) commits")
    }
  }

  @Test("A client that closes its side still gets its answer, and the connection ends with it")
  func answersHalfClosed() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.connect()
      try client.send("a.b\n{\"op\":\"sync\"}\na.c")
      client.endSending()
      let lines = try client.readAll()
      #expect(
        try lines.map { try decode(SyncMessage.self, $0).sync } == [
          SyncReply(seq: nil, accepted: 1, duplicates: 0, refused: 0)
        ])
      #expect(try daemon.status()["accepted"] == 2)
    }
  }

  @Test(
    "Clients that ask and go away do not keep their places, whatever the disk does; one that waits does",
    .enabled(if: Tracer.isThere))
  func freesPlaces() throws {
    let limit = "[Intake]\nMaxConnectionsPerUser=8\n"
    try withDaemon(settings: Site.slow + limit) { daemon in
      let tracer = try Tracer(daemon, calls: "fsync,fdatasync", fault: "delay_enter=4000000")
      let waiting = try daemon.connect()
      try waiting.send("a.b\n{\"op\":\"sync\",\"seq\":9}\n")
      waiting.endSending()
      for place in 0..<12 {
        let client = try daemon.connect()
        try client.send("a.b\n{\"op\":\"sync\"}\n")
        client.close()
        try wait(for: "the client to be counted and gone") {
          let status = try daemon.status()
          return status["accepted"] == place + 2 && status.connections == 2
        }
      }
      #expect(try daemon.status().refusals == 0)
      let line = try waiting.readLine() ?? ""
      // A commit has several of these calls: it may have taken longer than five seconds.
      let reply = try decode(SyncMessage.self, line).sync
      #expect(reply.seq == 9 && reply.accepted == 1)
      #expect(try waiting.readLine() == nil)
      try tracer.detach()
    }
  }

  @Test(
    "A disk that hangs: a sync says so within about five seconds, and the loop goes on", .enabled(if: Tracer.isThere))
  func boundsTheWait() throws {
    try withDaemon(settings: Site.slow, environment: ["WATCHDOG_USEC": "2000000"]) { daemon in
      try daemon.count("a.b\n")
      let tracer = try Tracer(daemon, calls: "fsync,fdatasync", fault: "delay_enter=8000000")
      let path = daemon.eventsPath
      let start = Date()
      let waiting = inThread {
        let client = try Client(path)
        try client.send("a.b id=x\n")
        return try client.sync().reply
      }
      let mark = daemon.notify.mark
      var worst = 0.0
      var asked = 0
      // One that asks while the first waits has waited as long when it is answered.
      var second: RunningThread<SyncReply>?
      while Date().timeIntervalSince(start) < 4 {
        let before = Date()
        _ = try daemon.status()
        asked += 1
        worst = max(worst, Date().timeIntervalSince(before))
        if second == nil, before.timeIntervalSince(start) > 1 {
          second = inThread { try Client(path).sync().reply }
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
      let reply = try waiting.join()
      let took = Date().timeIntervalSince(start)
      #expect((4.9...7).contains(took), "\(took) s")
      #expect(!reply.durable && reply.accepted == 1)
      #expect(reply.reason?.contains("has not answered for 5 s") == true)
      let secondReply = try second?.join()
      #expect(secondReply?.durable == false)
      #expect((5.9...9).contains(Date().timeIntervalSince(start)))
      // A loop that waited for the disk would take what is left of the eight seconds; strace and other tests take some.
      #expect(worst < 3, "\(worst) s for one of \(asked) answers")
      #expect(daemon.notify.messages.dropFirst(mark).filter { $0 == "WATCHDOG=1" }.count >= 4)
      try tracer.detach()
      // What was not called safe is stored when the disk is back, and known by its id.
      let last = try daemon.count("a.b id=x\n")
      #expect(last.durable && last.duplicates == 1)
      print("with fsync delayed by 8 s a sync took \(took) s; the slowest of \(asked) answers of status \(worst) s")
    }
  }
}
