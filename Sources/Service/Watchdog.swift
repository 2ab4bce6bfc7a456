import Posix
import Systemd

/// Tells systemd that the daemon is alive, but only while every part that does work is moving.
///
/// It takes its turn among the sockets, so each sign of life also proves that the sockets get theirs.
final class Watchdog {
  private let log: Log
  private let manager: ServiceManager
  private let interval: Int64
  private let stuckPart: () -> String?
  private var timer: EventSource?

  /// - Parameters:
  ///   - timeout: after which systemd acts, nanoseconds. A sign is given twice as often.
  ///   - stuckPart: names a part that should be moving and is not; nil if all are well.
  init(
    timeout: Int64, manager: ServiceManager, loop: EventLoop, log: Log, stuckPart: @escaping () -> String?
  ) throws(SystemError) {
    self.log = log
    self.manager = manager
    self.stuckPart = stuckPart
    interval = timeout / 2
    timer = try loop.timer(accuracy: timeout / 20, priority: .normal) { [unowned self] in
      feed()
    }
    feed()
  }

  private func feed() {
    var next = interval
    defer { timer?.fire(after: next) }
    if let part = stuckPart() {
      log.limited(.error, kind: "watchdog", now: Clocks.boot(), "no sign of life for the watchdog: \(part) is stuck")
    } else {
      // What did not get through is tried again well before the manager's patience ends.
      if manager.notify(.watchdog) != .delivered { next = interval / 10 }
    }
  }
}
