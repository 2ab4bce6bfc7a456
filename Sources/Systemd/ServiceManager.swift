private import CSystemd
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
package enum ServiceManager {
  /// What became of a notice.
  package enum Delivery: Equatable, Sendable {
    /// Nobody asked to be told: not started by systemd.
    case noManager
    case delivered
    case failed(SystemError)
  }

  /// Sends notices in one message. The corresponding C function is `sd_notify`.
  package static func notify(_ notices: Notice...) -> Delivery {
    let result = unsafe sd_notify(0, notices.map(\.line).joined(separator: "\n"))
    if result < 0 { return .failed(SystemError("notify the service manager", code: -result)) }
    return result == 0 ? .noManager : .delivered
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
