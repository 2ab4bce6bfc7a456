import Foundation
import Testing

@Suite("Reload by SIGHUP")
struct ReloadTests {
  @Test("A new limit takes effect, and the service manager is told when and for how long")
  func reloads() throws {
    try withDaemon { daemon in
      try daemon.count("a.b n=3\na.c n=2\na.d\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.count == 3 }
      let (before, mark) = (monotonicMicroseconds(), daemon.notify.mark)
      try writeFile(daemon.site.config, Site.quick + "[Ranking]\nLimit=2\n")
      daemon.child.signal(SIGHUP)
      let (message, started) = try daemon.notify.wait(for: "RELOADING=1", after: mark) { $0.contains("RELOADING=1") }
      let lines = message.split(separator: "\n")
      #expect(lines.contains("RELOADING=1"))
      let since = lines.compactMap { $0.wholeMatch(of: /MONOTONIC_USEC=(\d+)/)?.1 }.compactMap { Int($0) }
      let time = try #require(since.first, "RELOADING=1 without MONOTONIC_USEC in one message")
      try daemon.notify.wait(forLine: "READY=1", after: started)
      #expect((before...monotonicMicroseconds()).contains(time))
      let snapshot = try daemon.snapshot(of: "a") { $0.limit == 2 }
      #expect(snapshot.shortcuts.map(\.type) == ["a.b", "a.c"])
      #expect(try daemon.status()["reloads"] == 1)
    }
  }

  @Test("A larger limit brings back what was below the old one")
  func raisesTheLimit() throws {
    try withDaemon(settings: Site.quick + "[Ranking]\nLimit=1\n") { daemon in
      try daemon.count("a.b n=3\na.c n=2\na.d\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.map(\.type) == ["a.b"] }
      try reload(daemon, Site.quick + "[Ranking]\nLimit=20\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.map(\.type) == ["a.b", "a.c", "a.d"] }
    }
  }

  @Test("Settings that are wrong change nothing; STATUS and status say why until they are right again")
  func keepsOldSettings() throws {
    try withDaemon(settings: Site.quick + "[Ranking]\nLimit=2\n") { daemon in
      try daemon.count("a.b n=3\na.c n=2\na.d\n")
      let mark = try reload(daemon, Site.quick + "[Ranking]\nLimit=many\n")
      let reason = "\(daemon.site.config):4: [Ranking] Limit=many"
      #expect(try daemon.notify.wait(forStatus: "old settings", after: mark).contains(reason))
      var status = try daemon.status()
      #expect(status.settingsError?.contains(reason) == true)
      #expect(status["reloadsRefused"] == 1)
      #expect(daemon.child.errors.contains(reason))
      try daemon.count("a.b\n")
      #expect(try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 4 }.limit == 2)

      try FileManager.default.removeItem(atPath: daemon.site.config)
      try reload(daemon)
      #expect(try daemon.status()["reloadsRefused"] == 2)

      let fixed = try reload(daemon, Site.quick + "[Ranking]\nLimit=3\n")
      try daemon.notify.wait(for: "a STATUS without the reason", after: fixed) {
        $0.hasPrefix("STATUS=") && !$0.contains("old settings")
      }
      status = try daemon.status()
      #expect(status.settingsError == nil)
      #expect(try daemon.snapshot(of: "a") { $0.limit == 3 }.shortcuts.count == 3)
    }
  }

  @Test("Reloads at once and under load, also of wrong settings, each end with READY=1 and lose nothing")
  func reloadsUnderLoad() throws {
    try withDaemon { daemon in
      let events = daemon.eventsPath
      let writers = inThread {
        try inThreads(4) { _ in
          let client = try Client(events)
          for _ in 0..<100 { try client.send(String(repeating: "a.b\n", count: 100)) }
          #expect(try client.sync().reply.accepted == 10_000)
        }
      }
      var mark = daemon.notify.mark
      for round in 0..<10 {
        try writeFile(daemon.site.config, round % 2 == 0 ? "[Ranking]\nLimit=none\n" : Site.quick)
        daemon.child.signal(SIGHUP)
        daemon.child.signal(SIGHUP)
        mark = try daemon.notify.wait(for: "RELOADING=1", after: mark) { $0.contains("RELOADING=1") }.mark
        mark = try daemon.notify.wait(forLine: "READY=1", after: mark)
      }
      try writers.join()
      // The second signal of a pair may have come during the first one's reload or after it.
      try wait(for: "as many READY=1 as RELOADING=1") {
        let lines = daemon.notify.messages.flatMap { $0.split(separator: "\n") }
        return lines.count { $0 == "READY=1" } == lines.count { $0 == "RELOADING=1" } + 1
      }
      let status = try daemon.status()
      #expect(status["accepted"] == 40_000)
      #expect(status["reloads"] + status["reloadsRefused"] >= 10)
      #expect(daemon.child.isRunning)
    }
  }

  @Test("Limits of lines and connections change for connections that are open")
  func changesIntake() throws {
    try withDaemon(settings: Site.quick + "[Intake]\nMaxConnections=1\nMaxLineBytes=256\n") { daemon in
      let first = try daemon.connect()
      let long = "a.b id=x" + String(repeating: " ", count: 400) + "\n"
      try first.send(long)
      #expect(try first.sync().reply.refused == 1)
      let second = try daemon.connect()
      try second.send("a.c\n")
      try reload(daemon, Site.quick + "[Intake]\nMaxConnections=2\n")
      #expect(try second.sync().reply.accepted == 1)
      try first.send(long)
      #expect(try first.sync().reply == SyncReply(seq: 1, accepted: 1, duplicates: 0, refused: 1))
    }
  }

  @Test("A new mode is given to files and folders that are there")
  func changesModes() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      #expect(FileFacts(daemon.appPath("a"))?.mode == 0o640)
      try reload(daemon, Site.quick + "Mode=0644\n")
      let files = [daemon.topPath(), daemon.topPath("tsv"), daemon.appPath("a"), daemon.appPath("a", "tsv")]
      try wait(for: "the new mode") { files.allSatisfy { FileFacts($0)?.mode == 0o644 } }
      #expect(FileFacts(daemon.site.state + "/snapshots/apps")?.mode == 0o755)
      #expect(FileFacts(daemon.site.state + "/snapshots")?.mode == 0o755)
    }
  }

  @Test("A shorter interval holds from now on")
  func changesTheInterval() throws {
    try withDaemon(settings: Site.slow) { daemon in
      try daemon.count("a.b\n")
      try reload(daemon, Site.quick)
      try daemon.snapshot(of: "a")
    }
  }

  @Test("A new half-life starts from the scores of the moment")
  func changesTheHalfLife() throws {
    try withDaemon { daemon in
      try daemon.count("a.b n=1000\n")
      let before = try daemon.snapshot(of: "a").shortcuts[0].score
      try reload(daemon, Site.quick + "[Ranking]\nHalfLife=1y\n")
      try daemon.count("a.c\n")
      let after = try daemon.snapshot(of: "a") { $0.shortcuts.count == 2 }.shortcuts[0].score
      #expect(abs(after - before) < 1)
      try reload(daemon, Site.quick + "[Ranking]\nHalfLife=1s\n")
      let faded = try daemon.snapshot(of: "a") { $0.shortcuts[0].score < 500 }.shortcuts[0].score
      #expect(faded > 10)
    }
  }

  /// Writes the settings, if there are new ones, and returns the notify socket's mark after the reload.
  @discardableResult
  private func reload(_ daemon: RunningDaemon, _ settings: String? = nil) throws -> Int {
    if let settings { try writeFile(daemon.site.config, settings) }
    let mark = daemon.notify.mark
    daemon.child.signal(SIGHUP)
    try daemon.notify.wait(forLine: "READY=1", after: mark)
    return mark
  }

  private func monotonicMicroseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }
}
