import Foundation
import Testing

@Suite("Limits")
struct LimitTests {
  @Test("Connections over MaxConnections wait, and are served when one closes")
  func queuesConnections() throws {
    try withDaemon(settings: Site.quick + "[Intake]\nMaxConnections=2\n") { daemon in
      let (first, second) = (try daemon.connect(), try daemon.connect())
      try first.sync()
      try second.sync()
      let third = try daemon.connect()
      try third.send("waiting.x\n")
      // The others and the control socket are served several times over before anything is done for the third.
      for _ in 0..<5 {
        try first.send("a.b\n")
        try first.sync()
        try second.sync()
        #expect(try daemon.status()["accepted"] == first.sync().reply.accepted)
      }
      first.close()
      #expect(try third.sync(3).reply == SyncReply(seq: 3, accepted: 1, duplicates: 0, refused: 0))
      try second.sync()
    }
  }

  @Test("A user over MaxConnectionsPerUser is told so and turned away, the others go on")
  func turnsAway() throws {
    try withDaemon(settings: Site.quick + "[Intake]\nMaxConnectionsPerUser=2\n") { daemon in
      let (first, second) = (try daemon.connect(), try daemon.connect())
      try first.sync()
      try second.sync()
      for round in 1...3 {
        let third = try daemon.connect()
        let errors = try ErrorMessage.all(third.readAll())
        #expect(errors.map(\.code) == ["tooManyConnections"])
        #expect(errors.first?.line == nil)
        #expect(try daemon.status().refused["tooManyConnections"] == round)
      }
      try first.send("a.b\n")
      #expect(try first.sync().reply.accepted == 1)
      second.close()
      for _ in 1...20 {
        // The place of what was closed before is free.
        let next = try daemon.connect()
        try next.sync()
        next.close()
      }
      #expect(try daemon.status().refused["tooManyConnections"] == 3)
    }
  }

  @Test("A user over the quota does not shut out another one", .enabled(if: isRoot))
  func keepsQuotasApart() throws {
    try withDaemon(settings: Site.quick + "[Intake]\nMaxConnectionsPerUser=1\n") { daemon in
      for path in [daemon.site.path, daemon.site.runtime] { chmod(path, 0o711) }
      chmod(daemon.eventsPath, 0o666)
      let mine = try daemon.connect()
      try mine.sync()
      #expect(try ErrorMessage.all(daemon.connect().readAll()).map(\.code) == ["tooManyConnections"])
      let (exit, output, errors) = try daemon.site.run(
        ["setpriv", "--reuid=65534", "--clear-groups", "socat", "-t5", "-", "UNIX-CONNECT:\(daemon.eventsPath)"],
        input: Array("a.b\n{\"op\":\"sync\",\"seq\":9}\n".utf8))
      #expect(exit == .status(0), "\(errors)")
      #expect(try decode(SyncMessage.self, output).sync.accepted == 1)
    }
  }

  @Test("With 24 descriptors and 100 clients it stays alive and idle, writes snapshots, and serves all in the end")
  func survivesFewDescriptors() throws {
    try withDaemon(wrapper: ["prlimit", "--nofile=24:24"]) { daemon in
      let atRest = try daemon.openDescriptors()
      var clients: [Client] = []
      for _ in 0..<100 {
        let client = try daemon.connect()
        try client.send("crowd.x\n")
        clients.append(client)
      }
      try daemon.snapshot(of: "crowd")
      let busyShare = try shareOfCPU(daemon, rounds: isLong ? 80 : 8)
      #expect(busyShare < 0.3, "it used up \(busyShare) of a core while 100 clients waited")
      #expect(try daemon.status().connections > 0)
      #expect(try daemon.openDescriptors() <= 24)

      clients = []
      try daemon.snapshot(of: "crowd") { $0.uses(of: "crowd.x") == 100 }
      try daemon.count("crowd.x\n")
      try wait(for: "its descriptors to be as before") { try daemon.openDescriptors() <= atRest }
    }
  }

  @Test("A stop with few descriptors counts what waits in the backlog as well, and writes snapshots")
  func stopsWithFewDescriptors() throws {
    try withDaemon(settings: Site.slow, wrapper: ["prlimit", "--nofile=40:40"]) { daemon in
      var clients: [Client] = []
      for _ in 0..<100 {
        let client = try daemon.connect()
        try client.send("crowd.x\n")
        clients.append(client)
      }
      #expect(try daemon.stop() == .status(0))
      #expect(try daemon.app("crowd").uses(of: "crowd.x") == 100)
      clients = []
    }
  }

  @Test("Descriptors that run out while it works stop it only for as long")
  func survivesExhaustion() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      let site = daemon.site
      // No descriptor is left beyond those that are open: neither for clients nor for files.
      #expect(try site.run(["prlimit", "--pid=\(daemon.child.pid)", "--nofile=5:1024"]).exit == .status(0))
      let client = try daemon.connect()
      try client.send("a.b\n")
      try Client(daemon.datagramPath, datagram: true).send("a.b\n")
      try wait(for: "a failure for want of descriptors") { daemon.child.errors.contains("snapshots can't be written") }
      let before = (cpu: try daemon.cpuTime(), time: Date())
      Thread.sleep(forTimeInterval: isLong ? 5 : 0.5)
      let share = (try daemon.cpuTime() - before.cpu) / Date().timeIntervalSince(before.time)
      #expect(share < 0.3, "it used up \(share) of a core without descriptors")

      #expect(try site.run(["prlimit", "--pid=\(daemon.child.pid)", "--nofile=1024:1024"]).exit == .status(0))
      #expect(try client.sync().reply.accepted == 1)
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 3 }
      try daemon.notify.wait(for: "a STATUS without failures") {
        $0.hasPrefix("STATUS=Counted 3 uses") && $0.hasSuffix("apps.")
      }
      let status = try daemon.status()
      #expect(status["acceptPauses"] > 0)
      #expect(status.snapshotError == nil)
      #expect(daemon.child.errorLines.filter { $0.contains("accept") }.count == 1)
    }
  }

  /// The share of one core that the daemon uses while it publishes some rounds of snapshots.
  private func shareOfCPU(_ daemon: RunningDaemon, rounds: Int) throws -> Double {
    let before = (cpu: try daemon.cpuTime(), time: Date())
    for round in 1...rounds {
      try Client(daemon.datagramPath, datagram: true).send("measure.x\n")
      try daemon.snapshot(of: "measure") { $0.uses(of: "measure.x") == round }
    }
    return (try daemon.cpuTime() - before.cpu) / Date().timeIntervalSince(before.time)
  }
}
