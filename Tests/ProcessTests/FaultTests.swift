import Foundation
import Testing

@Suite("Faults around the daemon")
struct FaultTests {
  @Test("Thousands of clients that come and go leave nothing behind")
  func leaksNothing() throws {
    try withDaemon { daemon in
      func crowd(_ rounds: Int) throws {
        let path = daemon.eventsPath
        try inThreads(4) { _ in
          for round in 0..<rounds {
            let client = try Client(path)
            try client.send("a.b\nbad n=0\n{\"op\":\"sync\"}\nunfinished" + String(repeating: "x", count: round % 3000))
            if round % 2 == 0 { _ = try client.readLine() }
          }
        }
      }
      func isQuiet() throws -> Bool {
        let status = try daemon.status()
        return status["connectionsAccepted"] - status["connectionsClosed"] <= 1
      }
      try crowd(200)
      try wait(for: "the first crowd to be gone") { try isQuiet() }
      let before = (descriptors: try daemon.openDescriptors(), memory: try daemon.residentMemory())
      try crowd(isLong ? 10_000 : 500)
      try wait(for: "the second crowd to be gone") { try isQuiet() }
      try wait(for: "its descriptors to be as before") { try daemon.openDescriptors() <= before.descriptors }
      let after = try daemon.residentMemory()
      #expect(after - before.memory < 4 << 20, "\(before.memory) bytes grew to \(after)")
      #expect(try daemon.count("a.b\n").accepted == 1)
    }
  }

  @Test("Actions that are equal but for their arrival come in the same order after every start")
  func ordersTiesAlike() throws {
    let time = Int(Date().timeIntervalSince1970) - 100
    var orders: Set<[String]> = []
    for _ in 0..<(isLong ? 100 : 20) {
      try withSite(settings: Site.slow) { site in
        let daemon = try site.start()
        try daemon.count(["d", "a", "f", "c", "e", "b"].map { "tie.\($0) t=\(time)\n" }.joined())
        #expect(try daemon.stop() == .status(0))
        orders.insert(try daemon.app("tie").shortcuts.map(\.type))
      }
    }
    #expect(orders == [["tie.b", "tie.e", "tie.c", "tie.f"]])
  }

  /// Starts the daemon so that file permissions hold for it, which root overrides.
  private static let obedient = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

  @Test("A state folder without permission to write is named at the start")
  func refusesForbiddenState() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.state, withIntermediateDirectories: false)
      chmod(site.state, 0o500)
      let (exit, _, errors) = try site.run(Self.obedient + site.command())
      #expect(exit == .status(73))
      #expect(errors.contains("\(site.state)/"))
      #expect(errors.contains("Permission denied"))
    }
  }

  @Test("A folder that is taken away while it runs is told, and used again once it is given back", .enabled(if: isRoot))
  func survivesForeignState() throws {
    try withDaemon(wrapper: Self.obedient) { daemon in
      let apps = daemon.site.state + "/snapshots/apps"
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      chmod(apps, 0o700)
      chown(apps, 65_534, 65_534)
      try daemon.count("a.b\n")
      try daemon.notify.wait(forStatus: "can't be written", apps, "Permission denied")
      #expect(try daemon.count("a.b\n").accepted == 1)
      chown(apps, 0, 0)
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 3 }
      try daemon.notify.wait(forStatus: "Counted 3 uses")
      #expect(daemon.child.errorLines.filter { $0.contains("can't be written") }.count == 1)
    }
  }

  @Test("A disk that hangs keeps nobody from being counted, and the watchdog is fed", .enabled(if: hasCompiler))
  func survivesAHangingDisk() throws {
    try withSite { site in
      let (source, library, hangs) = (site.path + "/slow.c", site.path + "/slow.so", site.path + "/hangs")
      try writeFile(
        source,
        """
        #define _GNU_SOURCE
        #include <sys/syscall.h>
        #include <unistd.h>
        int fsync(int fd) {
          while (access("\(hangs)", F_OK) == 0) usleep(10000);
          return syscall(SYS_fsync, fd);
        }
        """)
      let (exit, _, errors) = try site.run(["cc", "-shared", "-fPIC", "-o", library, source])
      #expect(exit == .status(0), "\(errors)")
      let daemon = try site.start(environment: ["LD_PRELOAD": library, "WATCHDOG_USEC": "200000"])
      try writeFile(hangs, "")
      try daemon.send("a.b\n", until: 1)
      try wait(for: "the disk to hang") { try daemon.status().diskBusyMilliseconds > 0 }
      // Five timeouts of the watchdog, and a client and a query in each.
      var mark = daemon.notify.mark
      for round in 0..<10 {
        mark = try daemon.notify.wait(forLine: "WATCHDOG=1", after: mark)
        try daemon.send("a.b\n", until: round + 2)
      }
      #expect(try daemon.status().diskBusyMilliseconds > 500)
      #expect(FileFacts(daemon.appPath("a")) == nil)
      try FileManager.default.removeItem(atPath: hangs)
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 11 }
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test("Whoever reads its messages may go away")
  func survivesAClosedLog() throws {
    try withSite { site in
      let log = site.path + "/log"
      guard mkfifo(log, 0o600) == 0 else { throw Failure.system("make a pipe") }
      let daemon = try site.start(
        wrapper: ["sh", "-c", "exec \"$0\" \"$@\" 2>\(log)"], waits: false)
      close(open(log, O_RDONLY | O_CLOEXEC))
      try daemon.waitUntilReady()
      for code in ["n=0", "t=x", "id=", "app=", "x=1", "n=1 n=1"] { try daemon.count("bad \(code)\n") }
      try daemon.count("a.b\n{\n")
      try daemon.snapshot(of: "a")
      #expect(try daemon.status().refusals == 7)
      daemon.child.signal(SIGTERM)
      #expect(try daemon.child.wait() == .status(0))
    }
  }
}
