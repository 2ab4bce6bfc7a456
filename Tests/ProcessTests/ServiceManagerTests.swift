import Foundation
import Testing

@Suite("Under a service manager")
struct ServiceManagerTests {
  @Test(
    "Signs of life come more often than the watchdog asks for, none while the process stands still, and again after")
  func feedsTheWatchdog() throws {
    try withDaemon(environment: ["WATCHDOG_USEC": "200000"]) { daemon in
      var mark = 0
      let start = Date()
      for _ in 0..<6 { mark = try daemon.notify.wait(forLine: "WATCHDOG=1", after: mark) }
      #expect(Date().timeIntervalSince(start) < 6 * 0.2)

      daemon.child.signal(SIGSTOP)
      try wait(for: "the process to stand still") { try daemon.processState() == "T" }
      let still = daemon.notify.mark
      // The absence of something can only be seen over a time: three timeouts.
      Thread.sleep(forTimeInterval: 0.6)
      #expect(daemon.notify.mark == still)
      daemon.child.signal(SIGCONT)
      for _ in 0..<3 { mark = try daemon.notify.wait(forLine: "WATCHDOG=1", after: max(mark, still)) }
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
    }
  }

  @Test("Signs of life keep coming under load")
  func feedsTheWatchdogUnderLoad() throws {
    try withDaemon(environment: ["WATCHDOG_USEC": "3000000"]) { daemon in
      let (events, hasEnded) = (daemon.eventsPath, Flag())
      let writers = inThread {
        try inThreads(4) { index in
          let client = try Client(events)
          let lines = (0..<500).map { "load.w\(index).a\($0) n=0\nload.w\(index).a\($0)\n" }.joined()
          while !hasEnded.isSet { try client.send(lines) }
        }
      }
      var mark = daemon.notify.mark
      for _ in 0..<(isLong ? 20 : 2) { mark = try daemon.notify.wait(forLine: "WATCHDOG=1", after: mark) }
      hasEnded.set()
      try writers.join()
    }
  }

  @Test("Without WATCHDOG_USEC there are no signs of life")
  func asksForNoWatchdog() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      #expect(try daemon.stop() == .status(0))
      #expect(!daemon.notify.messages.contains { $0.contains("WATCHDOG") })
    }
  }

  @Test("A service manager that can't be reached for a while hears the latest STATUS afterwards")
  func repeatsTheStatus() throws {
    try withDaemon { daemon in
      try daemon.notify.wait(forStatus: "Counted 0 uses")
      try daemon.notify.goAway()
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      try wait(for: "a word on it") { daemon.child.errors.contains("cannot notify") }
      try daemon.notify.comeBack()
      try daemon.notify.wait(forStatus: "Counted 1 uses")
      #expect(daemon.child.errorLines.filter { $0.contains("cannot notify") }.count == 1)
    }
  }

  @Test("A READY=1 that did not get through comes later")
  func repeatsReady() throws {
    try withDaemon { daemon in
      try daemon.notify.goAway()
      let mark = daemon.notify.mark
      daemon.child.signal(SIGHUP)
      try wait(for: "the reload") { try daemon.status()["reloads"] == 1 }
      try daemon.notify.comeBack()
      try daemon.notify.wait(forLine: "READY=1", after: mark)
    }
  }

  // MARK: Sockets that are passed in

  @Test("A stream that is passed in as events is used and left in place; the others are made")
  func takesAStream() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.runtime, withIntermediateDirectories: false)
      let path = site.runtime + "/events.sock"
      let daemon = try activate(site, ["-l", path, "--fdname=events"], first: path)
      try daemon.count("a.c\n")
      let snapshot = try daemon.snapshot(of: "a") { $0.shortcuts.count == 2 }
      #expect(snapshot.uses(of: "a.first") == 1)
      try Client(daemon.datagramPath, datagram: true).send("a.d")
      try daemon.snapshot(of: "a") { $0.uses(of: "a.d") == 1 }
      #expect(try daemon.stop() == .status(0))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: site.runtime).sorted()
          == ["events.sock", "quickactionsd.lock"])
    }
  }

  @Test("Sockets that are passed in are told apart by their names")
  func takesNamedStreams() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.runtime, withIntermediateDirectories: false)
      // Their paths are not the daemon's own, so that only the passed ones can answer there.
      let (events, control) = (site.path + "/e", site.path + "/c")
      let daemon = try activate(
        site, ["-l", events, "-l", control, "--fdname=events:control"], first: events, control: control)
      let client = try Client(events)
      try client.send("{\"op\":\"status\"}\na.b\n")
      let (reply, errors) = try client.sync()
      #expect(reply.accepted == 1)
      #expect(try ErrorMessage.all(errors).map(\.code) == ["notPermitted"])
      #expect(try Client(control).status()["accepted"] == 2)
      #expect(FileFacts(daemon.eventsPath) == nil)
      #expect(FileFacts(daemon.controlPath) == nil)
      #expect(FileFacts(daemon.datagramPath) != nil)
      #expect(try daemon.stop() == .status(0))
      #expect(FileFacts(events) != nil && FileFacts(control) != nil)
    }
  }

  @Test("A datagram socket that is passed in as events is used, with what has waited in it")
  func takesADatagramSocket() throws {
    try withSite { site in
      let path = site.path + "/d"
      let daemon = try activate(site, ["-d", "-l", path, "--fdname=events"], first: path, isDatagram: true)
      try daemon.snapshot(of: "a") { $0.uses(of: "a.first") == 1 }
      try Client(path, datagram: true).send("a.b")
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 1 }
      #expect(FileFacts(daemon.datagramPath) == nil)
      #expect(FileFacts(daemon.eventsPath) != nil)
    }
  }

  @Test("A socket with an unknown name is a warning, and the daemon makes its own", arguments: ["weather", "control"])
  func refusesUnknownSockets(name: String) throws {
    try withSite { site in
      let path = site.path + "/x"
      let isDatagram = name == "control"
      let daemon = try activate(
        site, (isDatagram ? ["-d"] : []) + ["-l", path, "--fdname=\(name)"], first: path, isDatagram: isDatagram)
      #expect(daemon.child.errorLines.filter { $0.contains("'\(name)'") && $0.contains("warning") }.count == 1)
      for own in [daemon.eventsPath, daemon.datagramPath, daemon.controlPath] { #expect(FileFacts(own) != nil) }
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
    }
  }

  @Test("What comes in while the daemon is not there waits for the next one", arguments: [1, 3])
  func waitsInTheBacklog(clients: Int) throws {
    try withSite { site in
      let path = site.path + "/e"
      let listener = try RawSocket.bound(SOCK_STREAM, path)
      defer { close(listener) }
      // Whoever connects before the start, and is gone again by then, is counted as well.
      for _ in 0..<clients { try Client(path).send("a.b\na.b") }
      let daemon = try site.start(
        command: ["sh", "-c", "LISTEN_FDS=1 LISTEN_FDNAMES=events LISTEN_PID=$$ exec \"$0\" \"$@\""] + site.command(),
        passing: [listener])
      try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 2 * clients }
    }
  }

  /// Starts the daemon by a first line on a socket that `systemd-socket-activate` listens on.
  private func activate(
    _ site: Site, _ arguments: [String], first path: String, control: String? = nil, isDatagram: Bool = false
  ) throws -> RunningDaemon {
    let daemon = try site.start(
      wrapper: ["systemd-socket-activate", "-E", "NOTIFY_SOCKET"] + arguments, waits: false)
    try wait(for: "the socket \(path): \(daemon.child.errors)") {
      FileFacts(path) != nil && (control.map { FileFacts($0) != nil } ?? true)
        && (isDatagram || (try? Client(path)) != nil)
    }
    try Client(path, datagram: isDatagram).send("a.first\n")
    try daemon.waitUntilReady()
    return daemon
  }
}
