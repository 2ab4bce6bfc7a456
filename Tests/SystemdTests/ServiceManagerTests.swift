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
      let stand = try StandIn()
      let manager = ServiceManager()
      #expect(manager.isThere)
      #expect(manager.notify(.ready, .status("in\nwords")) == .delivered)
      #expect(manager.notify(.reloading(since: 5_000_000)) == .delivered)
      #expect(manager.notify(.stopping) == .delivered)
      #expect(
        try stand.messages() == [
          "READY=1\nSTATUS=in words", "RELOADING=1\nMONOTONIC_USEC=5000", "STOPPING=1",
        ])
    }
  }

  @Test("without a manager nothing is sent, and a dead one is a failure")
  func outcomes() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      let none = ServiceManager()
      #expect(!none.isThere)
      #expect(none.notify(.ready) == .noManager)
      #expect(none.keep(0, name: "a") == .noManager && none.forget(name: "a") == .noManager)
      let stand = try StandIn()
      let manager = ServiceManager()
      #expect(manager.notify(.watchdog) == .delivered)
      stand.close()
      guard case .failed(let refused) = manager.notify(.ready) else { fatalError("a dead socket") }
      #expect(refused.code == ECONNREFUSED)
      guard case .failed = manager.keep(0, name: "a") else { fatalError("a dead socket") }
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      let nowhere = ServiceManager()
      #expect(nowhere.isThere)
      guard case .failed(let missing) = nowhere.notify(.ready) else { fatalError("no socket") }
      #expect(missing.isMissing)
      #expect(missing.description == "cannot notify the service manager at /nowhere/notify: No such file or directory")
    }
  }

  @Test("a manager that comes back hears the next notice, also one that was not there at first")
  func returning() async {
    await #expect(processExitsWith: .success) {
      let stand = try StandIn()
      stand.close()
      let manager = ServiceManager()
      guard case .failed = manager.notify(.ready) else { fatalError("a dead socket") }
      for notice in [Notice.ready, .watchdog, .stopping] {
        try stand.open()
        #expect(manager.notify(notice) == .delivered)
        #expect(try stand.messages() == [notice.line])
        stand.close()
        guard case .failed = manager.notify(notice) else { fatalError("a dead socket") }
      }
    }
  }

  @Test("a busy manager is told of as busy, at once, and hears what comes once it has room")
  func busy() async {
    await #expect(processExitsWith: .success) {
      let stand = try StandIn()
      let manager = ServiceManager()
      let pair = try SocketPair()
      var sent = 0
      while manager.notify(.watchdog) == .delivered, sent < 100_000 { sent += 1 }
      #expect(sent > 0 && sent < 100_000)
      #expect(manager.notify(.ready) == .busy)
      #expect(manager.keep(pair.second.raw, name: "Ez") == .busy)
      #expect(manager.forget(name: "Ez") == .busy)
      var read = 0
      while case let messages = try stand.messages(), !messages.isEmpty { read += messages.count }
      #expect(read == sent)
      #expect(manager.keep(pair.second.raw, name: "Ez") == .delivered)
      #expect(try stand.messages() == ["FDSTORE=1\nFDPOLL=0\nFDNAME=Ez"])
    }
  }

  @Test("a descriptor goes with the message that has it kept, and the manager does not watch it")
  func keeps() async {
    await #expect(processExitsWith: .success) {
      let stand = try StandIn()
      let manager = ServiceManager()
      let pair = try SocketPair()
      #expect(manager.keep(pair.second.raw, name: "E1") == .delivered)
      let (message, descriptor) = try stand.messageWithDescriptor()
      #expect(message == "FDSTORE=1\nFDPOLL=0\nFDNAME=E1")
      let copy = FileDescriptor(owning: try #require(descriptor))
      pair.write([7, 8])
      var buffer = [UInt8](repeating: 0, count: 8)
      let received = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(copy.raw, into: $0) }
      #expect(received == .bytes(2))
      #expect(manager.forget(name: "E1") == .delivered)
      let (last, none) = try stand.messageWithDescriptor()
      #expect(last == "FDSTOREREMOVE=1\nFDNAME=E1")
      #expect(none == nil)
    }
  }

  @Test("a manager is reached by a name in the abstract namespace too")
  func abstract() async {
    await #expect(processExitsWith: .success) {
      let name = "quickactions-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
      let socket = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
      let length = socklen_t((MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0) + 1 + name.utf8.count)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.raw, $0, length) }
      }
      #expect(result == 0)
      setenv("NOTIFY_SOCKET", "@" + name, 1)
      let manager = ServiceManager()
      #expect(manager.notify(.ready) == .delivered)
      #expect(manager.forget(name: "C1") == .delivered)
      var batch = DatagramBatch()
      let count = try batch.receive(from: socket.raw)
      let messages = (0..<count).map { batch[$0].map { String(decoding: $0, as: UTF8.self) } }
      #expect(messages == ["READY=1", "FDSTOREREMOVE=1\nFDNAME=C1"])
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
private final class StandIn {
  private let folder: String
  private var socket: FileDescriptor?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "q\(UInt32.random(in: .min ... .max))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try open()
    setenv("NOTIFY_SOCKET", folder + "/notify", 1)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Begins to listen, in the place of a socket that nobody listens at any more.
  func open() throws {
    unlink(folder + "/notify")
    socket = try UnixSocket.bind(.datagram, path: folder + "/notify", mode: 0o600)
  }

  /// Goes away, but its socket's file stays.
  func close() { socket = nil }

  func messages() throws -> [String] {
    var batch = DatagramBatch()
    let count = try batch.receive(from: socket?.raw ?? -1)
    return (0..<count).map { batch[$0].map { String(decoding: $0, as: UTF8.self) } ?? "" }
  }

  /// The next message, and the descriptor that came with it.
  func messageWithDescriptor() throws -> (String, Int32?) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // A control message is its length (8 bytes), its level and type (4 each), and the descriptor.
    var control = [UInt8](repeating: 0, count: 64)
    var header = msghdr()
    let count = bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
          header.msg_iov = vector
          header.msg_iovlen = 1
          header.msg_control = control.baseAddress
          header.msg_controllen = control.count
          return recvmsg(socket?.raw ?? -1, &header, Int32(MSG_DONTWAIT))
        }
      }
    }
    if count < 0 { throw SystemError("receive", code: errno) }
    let descriptor = control.withUnsafeBytes { $0.load(fromByteOffset: 16, as: Int32.self) }
    return (String(decoding: bytes[..<count], as: UTF8.self), header.msg_controllen >= 20 ? descriptor : nil)
  }
}
