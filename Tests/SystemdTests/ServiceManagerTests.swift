import Foundation
import Posix
import Testing

@testable import Systemd

/// What reaches the service manager. Variables belong to the whole process: each test has a process of its own.
struct ServiceManagerTests {
  @Test(
    "each notice has its line as sd_notify(3) has it",
    arguments: [
      (Notice.ready, "READY=1"), (.stopping, "STOPPING=1"), (.watchdog, "WATCHDOG=1"),
      (.reloading(since: 1_234_567_899), "RELOADING=1\nMONOTONIC_USEC=1234567"),
      (.status("Counted 5 uses."), "STATUS=Counted 5 uses."),
      (.status("one\ntwo\r\nthree\u{2028}four"), "STATUS=one two three four"),
      (.extendTimeout(30_000_000_000), "EXTEND_TIMEOUT_USEC=30000000"),
    ])
  func line(notice: Notice, line: String) { #expect(notice.line == line) }

  @Test("notices of one call reach the manager in one message")
  func delivered() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      #expect(ServiceManager.notify(.ready, .status("in\nwords")) == .delivered)
      #expect(ServiceManager.notify(.reloading(since: 5_000_000)) == .delivered)
      #expect(ServiceManager.notify(.stopping) == .delivered)
      #expect(
        try manager.messages() == [
          "READY=1\nSTATUS=in words", "RELOADING=1\nMONOTONIC_USEC=5000", "STOPPING=1",
        ])
    }
  }

  @Test("without a manager nothing is sent, and a dead one is a failure")
  func outcomes() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      #expect(ServiceManager.notify(.ready) == .noManager)
      let manager = try Manager()
      #expect(ServiceManager.notify(.watchdog) == .delivered)
      manager.close()
      guard case .failed(let refused) = ServiceManager.notify(.ready) else { fatalError("a dead socket") }
      #expect(refused.code == ECONNREFUSED)
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      guard case .failed(let missing) = ServiceManager.notify(.ready) else { fatalError("no socket") }
      #expect(missing.isMissing)
      #expect(missing.description == "cannot notify the service manager: No such file or directory")
    }
  }

  @Test("the watchdog's time is that of the variables, if they are meant for this process")
  func watchdog() async {
    await #expect(processExitsWith: .success) {
      unsetenv("WATCHDOG_USEC")
      unsetenv("WATCHDOG_PID")
      let timeout = try ServiceManager.watchdogTimeout()
      #expect(timeout == nil)
      setenv("WATCHDOG_USEC", "30000000", 1)
      #expect(try ServiceManager.watchdogTimeout() == 30_000_000_000)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(try ServiceManager.watchdogTimeout() == 30_000_000_000)
      setenv("WATCHDOG_PID", "1", 1)
      #expect(try ServiceManager.watchdogTimeout() == nil)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      setenv("WATCHDOG_USEC", "18446744073709551614", 1)
      #expect(try ServiceManager.watchdogTimeout() ?? 0 > 9_223_372_036_000_000_000)
      setenv("WATCHDOG_USEC", "soon", 1)
      #expect(throws: SystemError.self) { try ServiceManager.watchdogTimeout() }
    }
  }
}

/// Stands in for the service manager of this process.
private final class Manager {
  private let folder: String
  private var socket: FileDescriptor?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "q\(UInt32.random(in: .min ... .max))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    socket = try UnixSocket.bind(.datagram, path: folder + "/notify", mode: 0o600)
    setenv("NOTIFY_SOCKET", folder + "/notify", 1)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Goes away, but its socket's file stays.
  func close() { socket = nil }

  func messages() throws -> [String] {
    var batch = DatagramBatch()
    let count = try batch.receive(from: socket?.raw ?? -1)
    return (0..<count).map { batch[$0].map { String(decoding: $0, as: UTF8.self) } ?? "" }
  }
}
