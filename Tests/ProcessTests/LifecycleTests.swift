import Foundation
import Testing

@Suite("From start to stop")
struct LifecycleTests {
  @Test("READY=1 comes once the first snapshot is there, then a line on what it does")
  func startsUp() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let top = try daemon.top()
      #expect(top.format == "quickactions-snapshot/1")
      #expect(top.limit == 4)
      #expect(top.shortcuts.isEmpty)
      #expect(FileFacts(daemon.topPath("tsv"))?.isRegular == true)
      try daemon.notify.wait(forStatus: "Counted 0 uses of 0 actions in 0 apps")
      #expect(try daemon.status().pid == daemon.child.pid)
    }
  }

  @Test("A stop counts what has arrived, writes it, removes the sockets and ends with 0", arguments: [SIGTERM, SIGINT])
  func stops(signal: Int32) throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.connect()
      try client.sync()
      try client.send("com.example.mail.compose\ncom.example.mail.compose\n")
      #expect(try daemon.stop(signal) == .status(0))
      try daemon.notify.wait(for: "STOPPING=1") { $0.contains("STOPPING=1") }
      #expect(try daemon.app("com.example.mail").uses(of: "com.example.mail.compose") == 2)
      #expect(try files(in: daemon.site.runtime) == ["quickactionsd.lock"])
    }
  }

  @Test("SIGUSR1 writes the snapshots now")
  func writesOnRequest() throws {
    try withDaemon(settings: Site.slow) { daemon in
      try daemon.count("a.b n=3\n")
      #expect(FileFacts(daemon.appPath("a")) == nil)
      daemon.child.signal(SIGUSR1)
      #expect(try daemon.snapshot(of: "a").uses(of: "a.b") == 3)
      try daemon.notify.wait(forStatus: "Counted 3 uses of 1 actions in 1 apps")
    }
  }

  @Test("SIGUSR1 brings back snapshots that were deleted, also where nothing has changed since")
  func writesDeletedOnRequest() throws {
    try withDaemon(settings: Site.slow) { daemon in
      try daemon.count("a.b n=3\n")
      daemon.child.signal(SIGUSR1)
      try daemon.snapshot(of: "a")
      try FileManager.default.removeItem(atPath: daemon.site.state + "/snapshots")
      daemon.child.signal(SIGUSR1)
      #expect(try daemon.snapshot(of: "a").uses(of: "a.b") == 3)
    }
  }

  @Test("It works without a service manager")
  func worksAlone() throws {
    try withSite { site in
      let daemon = try site.start(notifies: false)
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test("Only its user may connect, whatever the umask", arguments: ["000", "077"])
  func socketsArePrivate(umask: String) throws {
    try withDaemon(wrapper: ["sh", "-c", "umask \(umask); exec \"$0\" \"$@\""]) { daemon in
      for path in [daemon.eventsPath, daemon.datagramPath, daemon.controlPath] {
        #expect(FileFacts(path)?.mode == 0o600)
      }
    }
  }

  @Test("Restarts leave no stray files")
  func restartsCleanly() throws {
    try withSite(settings: Site.slow) { site in
      for _ in 0..<3 {
        let daemon = try site.start()
        try daemon.count("a.b\nc.d\n")
        #expect(try daemon.stop() == .status(0))
        #expect(try files(in: site.runtime) == ["quickactionsd.lock"])
        #expect(try files(in: site.state + "/snapshots") == ["apps", "top.json", "top.tsv"])
        #expect(try files(in: site.state + "/snapshots/apps") == ["a.json", "a.tsv", "c.json", "c.tsv"])
        #expect(try files(in: site.state) == ["quickactionsd.lock", "snapshots", "state.db", "state.db.backup"])
      }
    }
  }

  @Test("A start removes temporary files that a crash left behind")
  func removesLeftovers() throws {
    try withSite(settings: Site.slow) { site in
      let apps = site.state + "/snapshots/apps"
      try FileManager.default.createDirectory(atPath: apps, withIntermediateDirectories: true)
      for name in ["/snapshots/.top.json.tmp", "/snapshots/apps/.a.json.tmp", "/snapshots/apps/.a.tsv.tmp"] {
        try writeFile(site.state + name, "{\"format\":")
      }
      let daemon = try site.start()
      #expect(try files(in: site.state + "/snapshots") == ["apps", "top.json", "top.tsv"])
      #expect(try files(in: apps).filter { $0.hasSuffix(".tmp") } == [])
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test("A second instance in the same folders ends with 69, and the first goes on")
  func refusesASecondInstance() throws {
    try withDaemon { daemon in
      let second = try daemon.site.run(daemon.site.command())
      #expect(second.exit == .status(69))
      #expect(second.errors.contains("another instance"))
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      #expect(daemon.child.isRunning)
    }
  }

  @Test("A second instance that shares one of the folders ends with 69, and the first goes on")
  func refusesASecondInstanceInOneFolder() throws {
    try withDaemon { daemon in
      let site = daemon.site
      for command in [site.command(runtime: site.path + "/run2"), site.command(state: site.path + "/state2")] {
        #expect(try site.run(command).exit == .status(69))
      }
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
    }
  }

  @Test("After kill -9 the sockets left behind are replaced")
  func startsAfterAKill() throws {
    try withSite { site in
      let first = try site.start()
      try first.count("a.b\n")
      #expect(try first.stop(SIGKILL) == .signal(SIGKILL))
      #expect(FileFacts(first.eventsPath) != nil)
      let second = try site.start()
      try second.count("c.d\n")
      try second.snapshot(of: "c")
      #expect(try second.stop() == .status(0))
    }
  }

  private func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
