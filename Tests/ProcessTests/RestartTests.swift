import Foundation
import Testing

@Suite("From one start to the next")
struct RestartTests {
  /// Nothing is stored by itself, so that a kill finds everything in the intake log.
  static let unstored = Site.slow + "[Storage]\nCommitInterval=1h\n"

  /// Whether two lists say the same but for what scores have lost meanwhile.
  private func expectSame(_ one: Snapshot, _ other: Snapshot) {
    #expect(one.shortcuts.map(\.action) == other.shortcuts.map(\.action))
    #expect(one.shortcuts.map(\.uses) == other.shortcuts.map(\.uses))
    #expect(one.shortcuts.map(\.lastUsed) == other.shortcuts.map(\.lastUsed))
    #expect(one.shortcuts.map(\.kind) == other.shortcuts.map(\.kind))
    for (before, after) in zip(one.shortcuts, other.shortcuts) {
      // Seven days are the half-life: a minute costs less than this.
      #expect(after.score <= before.score * 1.000_01 && after.score > before.score * 0.999)
    }
  }

  @Test("Uses, scores, order, ids and generations go on", arguments: [SIGTERM, SIGKILL])
  func keepsEverything(signal: Int32) throws {
    try withSite(settings: Site.quick) { site in
      let now = Int(Date().timeIntervalSince1970)
      var generations: [Int] = []
      var before: (top: Snapshot, app: Snapshot)?
      for round in 0..<3 {
        let daemon = try site.start()
        if let before {
          expectSame(before.top, try daemon.top())
          expectSame(before.app, try daemon.app("a"))
        }
        generations.append(try daemon.top().generation)
        let lines = """
          a.x n=5 t=\(now - 86_400) id=x
          a.y n=3 id=y
          a.z n=4 t=\(now - 3600)
          a.new\(round) n=20 id=round\(round)
          b.y n=2 id=y

          """
        let reply = try daemon.count(lines)
        #expect(
          reply == SyncReply(seq: 1, accepted: round == 0 ? 4 : 2, duplicates: round == 0 ? 1 : 3, refused: 0))
        let status = try daemon.status()
        #expect(status["accepted"] == 4 + 2 * round)
        #expect(status["uses"] == 32 + 24 * round)
        #expect(status["duplicates"] == 1 + 3 * round)
        let app = try daemon.snapshot(of: "a") { $0.uses(of: "a.new\(round)") == 20 }
        generations.append(app.generation)
        daemon.child.signal(SIGUSR1)
        #expect(try daemon.stop(signal) == (signal == SIGKILL ? .signal(signal) : .status(0)))
        before = (try daemon.top(), try daemon.app("a"))
      }
      #expect(generations == generations.sorted() && Set(generations).count >= 4, "\(generations)")
    }
  }

  @Test("A changed half-life goes on from the scores there were, also for actions that nobody used since")
  func changesHalfLife() throws {
    try withSite(settings: Site.quick) { site in
      let now = Int(Date().timeIntervalSince1970)
      var daemon = try site.start()
      try daemon.count("a.old n=8 t=\(now - 7 * 86_400)\na.new n=3\n")
      try daemon.snapshot(of: "a")
      try writeFile(site.config, Site.quick + "[Ranking]\nHalfLife=1h\n")
      let mark = daemon.notify.mark
      daemon.child.signal(SIGHUP)
      try daemon.notify.wait(forLine: "READY=1", after: mark)
      try daemon.count("b.b\n")
      #expect(try daemon.stop() == .status(0))
      daemon = try site.start()
      #expect(try daemon.app("a").shortcuts.map { $0.score.rounded() } == [4, 3])
      #expect(try daemon.stop() == .status(0))
      // This time nobody is there to see the change.
      try writeFile(site.config, Site.quick)
      daemon = try site.start()
      #expect(try daemon.app("a").shortcuts.map { $0.score.rounded() } == [4, 3])
      #expect(try daemon.stop(SIGKILL) == .signal(SIGKILL))
      daemon = try site.start()
      #expect(try daemon.app("a").shortcuts.map { $0.score.rounded() } == [4, 3])
    }
  }

  @Test("After kill -9 all that was read is counted, once, though nothing of it was stored", arguments: 1...3)
  func survivesAKill(round: Int) throws {
    try withSite(settings: Self.unstored) { site in
      let daemon = try site.start()
      let (events, datagrams) = (daemon.eventsPath, daemon.datagramPath)
      let clients = try (0..<4).map { _ in try Client(events) }
      try inThreads(5) { index in
        if index == 4 {
          let client = try Client(datagrams, datagram: true)
          for place in 0..<200 { try client.send("a.d\nb.d\(place % 7) id=d\(place)") }
        } else {
          for place in 0..<500 {
            // In the end half a line, of which nobody knows whether it is one. It comes with what is waited for.
            let half = place == 499 ? "a.half n=1" : ""
            try clients[index].send("a.s\(index) n=2\nb.s\(place % 5) id=\(index)-\(place)\nbad n=0\n" + half)
          }
        }
      }
      let lines = 4 * 1000 + 400
      try wait(for: "all lines to be counted") {
        let status = try daemon.status()
        return status["accepted"] == lines && status.refused["invalidCount"] == 2000
      }
      #expect(try daemon.status()["commits"] <= 1)
      #expect(FileFacts(site.runtime + "/intake.log")?.isRegular == true)
      daemon.child.kill()

      for start in 0..<2 {
        let next = try site.start()
        let status = try next.status()
        #expect(status["accepted"] == lines)
        #expect(status["uses"] == lines + 2000)
        #expect(status["datagrams"] == 200)
        #expect(status.refused["invalidCount"] == 2000)
        // The four, and those that asked for the status, as far as their end had not been read yet.
        #expect(status["connectionsLost"] >= 4)
        let ended = status["connectionsClosed"] + status["connectionsLost"]
        #expect(status["connectionsAccepted"] == ended + status.connections)
        #expect(status["unfinishedAtStop"] == 4)
        #expect(next.child.errors.contains("did not end cleanly") == (start == 0))
        let app = try next.snapshot(of: "a")
        #expect(app.uses(of: "a.s0") == 1000 && app.uses(of: "a.half") == nil)
        // Their connections have broken, and what they send again is known.
        if start == 0 {
          #expect(throws: Failure.self) { for _ in 0..<2 { try clients[0].send("a.half n=1\n") } }
          #expect(try next.count("b.s0 id=0-0\nb.d0 id=d0\n").duplicates == 2)
        }
        #expect(try next.stop() == .status(0))
        #expect(FileFacts(site.runtime + "/intake.log") == nil)
      }
    }
  }

  @Test("Kill -9 at any moment under load: what a sync called durable is there, and no line twice")
  func keepsItsWord() throws {
    try withSite(settings: Site.quick) { site in
      var promised = 0
      var sent = 0
      for round in 0..<(isLong ? 100 : 6) {
        let daemon = try site.start()
        let status = try daemon.status()
        #expect((promised...sent).contains(status["accepted"]), "promised \(promised), sent \(sent)")
        promised = status["accepted"]
        sent = promised
        let events = daemon.eventsPath
        let sender = inThread {
          let client = try Client(events)
          var (sent, safe) = (0, 0)
          while true {
            let lines = (0..<50).map { "a.\($0 % 7) id=\(round)-\(sent + $0)\n" }.joined()
            guard (try? client.send(lines)) != nil else { return (sent + 50, safe) }
            sent += 50
            guard let reply = try? client.sync().reply else { return (sent, safe) }
            #expect(reply.durable && reply.accepted == sent && reply.duplicates == 0)
            safe = reply.accepted
          }
        }
        let started = status["syncs"]
        let wanted = started + Int.random(in: 3...40)
        try wait(for: "some syncs") { try daemon.status()["syncs"] >= wanted }
        daemon.child.kill()
        let (all, safe) = try sender.join()
        sent += all
        promised += safe
      }
    }
  }

  @Test("An id that was sent again in each life of the daemon counts once")
  func countsOnce() throws {
    try withSite(settings: Site.slow) { site in
      for round in 0..<4 {
        let daemon = try site.start()
        let reply = try daemon.count("a.b id=one\n{\"type\":\"a.b\",\"id\":\"two\"}\n")
        #expect(reply.accepted == (round == 0 ? 2 : 0) && reply.durable)
        #expect(try daemon.status()["uses"] == 2)
        if round % 2 == 0 { daemon.child.kill() } else { #expect(try daemon.stop() == .status(0)) }
      }
    }
  }

  @Test("Connections that are open at a stop are closed and not lost, and their unfinished lines are told once")
  func closesConnections() throws {
    try withSite(settings: Site.slow) { site in
      var daemon = try site.start()
      let clients = try (0..<50).map { _ in try daemon.connect() }
      for (index, client) in clients.enumerated() {
        try client.send("a.b\n" + String(repeating: "x", count: index * 90 + 1))
      }
      try wait(for: "their whole lines") { try daemon.status()["accepted"] == 50 }
      #expect(try daemon.stop() == .status(0))
      for _ in 0..<2 {
        daemon = try site.start()
        let status = try daemon.status()
        #expect(status["accepted"] == 50)
        #expect(status["unfinishedAtStop"] == 50)
        #expect(status["connectionsLost"] == 0)
        #expect(status["connectionsAccepted"] - status["connectionsClosed"] == 1)
        #expect(status.refusals == 0)
        #expect(try daemon.stop() == .status(0))
      }
    }
  }

  @Test("Without an intake log everything works, and what a sync called durable survives a kill")
  func worksWithoutALog() throws {
    try withSite(settings: Site.slow + "[Storage]\nIntakeLogSize=0\nCommitInterval=1h\n") { site in
      var daemon = try site.start()
      #expect(FileFacts(site.runtime + "/intake.log") == nil)
      #expect(try daemon.count("a.b n=3 id=x\n").durable)
      try daemon.send("a.c\n", until: 2)
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == 3)
      #expect(try daemon.count("a.b n=3 id=x\na.c\n").duplicates == 1)
      #expect(try daemon.stop() == .status(0))
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == 4)
    }
  }
}
