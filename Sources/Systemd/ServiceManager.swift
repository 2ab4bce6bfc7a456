private import CSystemd
private import Glibc
package import Posix

/// What the daemon tells systemd; the names are those of `sd_notify(3)`.
package enum Notice: Equatable, Sendable {
  case ready
  /// Settings are being read again; needs the moment it began, CLOCK_MONOTONIC in nanoseconds.
  case reloading(since: Int64)
  case stopping
  case watchdog
  /// One line in words.
  case status(String)
  /// A start or stop that needs so much longer, nanoseconds.
  case extendTimeout(Int64)

  /// The line that goes to the socket.
  var line: String {
    switch self {
    case .ready: "READY=1"
    case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since / 1000)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    case .status(let text): "STATUS=" + text.map { $0.isNewline ? " " : String($0) }.joined()
    case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(time / 1000)"
    }
  }
}

/// The service manager that started this process, if one did.
///
/// One socket is connected once and kept: libsystemd's `sd_notify` opens another for each message, which fails when
/// descriptors run out, and waits while the manager is busy, which would hold up the loop.
package final class ServiceManager {
  /// What became of a notice.
  package enum Delivery: Equatable, Sendable {
    /// Nobody asked to be told: not started by systemd.
    case noManager
    case delivered
    /// The manager has no room for messages now.
    case busy
    case failed(SystemError)
  }

  /// The most bytes that the name of a kept descriptor may have: long ones overflow the environment of the next start.
  package static let longestName = 6

  private let path: String?
  private var socket: FileDescriptor?

  /// A way to the manager that `NOTIFY_SOCKET` names.
  package init() {
    path = Process.environment("NOTIFY_SOCKET")
    socket = path.flatMap { try? Self.connect($0) }
  }

  /// Whether a manager wants to be told anything.
  package var isThere: Bool { path != nil }

  private static func connect(_ path: String) throws(SystemError) -> FileDescriptor {
    try UnixSocket.connect(.datagram, path: path, allowsAbstract: true)
  }

  /// Sends notices in one message; the protocol is that of `sd_notify(3)`.
  package func notify(_ notices: Notice...) -> Delivery {
    send(notices.map(\.line).joined(separator: "\n"), attaching: nil)
  }

  /// Hands over a copy of a descriptor, to be given back at the next start under `name`, 1 to 6 bytes.
  ///
  /// The manager is told not to watch the descriptor: it would drop it, and what is unread in it, when the peer closes.
  package func keep(_ descriptor: Int32, name: String) -> Delivery {
    precondition((1...Self.longestName).contains(name.utf8.count))
    return send("FDSTORE=1\nFDPOLL=0\nFDNAME=\(name)", attaching: descriptor)
  }

  /// Has the manager close its copies of descriptors under a name.
  package func forget(name: String) -> Delivery {
    send("FDSTOREREMOVE=1\nFDNAME=\(name)", attaching: nil)
  }

  private func send(_ message: String, attaching descriptor: Int32?) -> Delivery {
    guard let path else { return .noManager }
    if let delivery = sendOnce(message, attaching: descriptor) { return delivery }
    // The manager has made its socket anew, or was not there before.
    do { socket = try Self.connect(path) } catch { return .failed(failure(error.code)) }
    return sendOnce(message, attaching: descriptor) ?? .failed(failure(ECONNREFUSED))
  }

  private func failure(_ code: Int32) -> SystemError {
    SystemError("notify the service manager at", path ?? "", code: code)
  }

  /// Nil if nobody is at the other end.
  private func sendOnce(_ message: String, attaching descriptor: Int32?) -> Delivery? {
    guard let raw = socket?.raw else { return nil }
    do {
      return try UnixSocket.send(raw, message, attaching: descriptor) ? .delivered : .busy
    } catch {
      if error.isPeerGone { return nil }
      return .failed(failure(error.code))
    }
  }

  /// How often at least the watchdog wants a sign of life, nanoseconds; nil if it does not watch this process.
  ///
  /// The corresponding C function is `sd_watchdog_enabled`.
  package static func watchdogTimeout() throws(SystemError) -> Int64? {
    var microseconds: UInt64 = 0
    let result = unsafe sd_watchdog_enabled(0, &microseconds)
    if result < 0 { throw SystemError("read the watchdog's settings", code: -result) }
    return result == 0 ? nil : Int64(min(microseconds, UInt64(Int64.max / 1000))) * 1000
  }
}
