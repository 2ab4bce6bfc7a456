import Posix
import Systemd

/// Which connections the service manager keeps, so that they outlive a crash of the daemon.
///
/// Nothing here waits for the manager: what it has no room for is tried again a little later.
final class ConnectionStore {
  private static let retryDelay: Int64 = 20_000_000

  private let limit: Int
  private let manager: ServiceManager
  private var kept: Set<UInt64> = []
  private var waitingAdditions: [UInt64: (descriptor: Int32, name: ConnectionName)] = [:]
  private var waitingRemovals: [ConnectionName] = []
  private var timer: EventSource?

  /// - Parameter limit: how many connections are kept at most.
  init(limit: Int, manager: ServiceManager, loop: EventLoop) throws(SystemError) {
    self.limit = manager.isThere ? limit : 0
    self.manager = manager
    timer = try loop.timer(accuracy: Self.retryDelay / 2) { [unowned self] in retry() }
  }

  /// How many connections the manager keeps, or will.
  var count: Int { kept.count }

  /// Takes note that the manager has kept a connection across a crash.
  func noteKept(_ number: UInt64) { kept.insert(number) }

  /// Has a connection kept, if there is room for it. Its descriptor must stay open until ``forget(_:)``.
  func keep(_ descriptor: Int32, _ name: ConnectionName) {
    guard kept.count < limit, kept.insert(name.number).inserted else { return }
    waitingAdditions[name.number] = (descriptor, name)
    retry()
  }

  /// Has a connection forgotten, before its descriptor is closed.
  func forget(_ name: ConnectionName) {
    guard kept.remove(name.number) != nil else { return }
    if waitingAdditions.removeValue(forKey: name.number) != nil { return }
    waitingRemovals.append(name)
    retry()
  }

  private func retry() {
    // Removals first, as numbers can come again.
    while let name = waitingRemovals.first {
      if manager.forget(name: name.text) == .busy { return wait() }
      waitingRemovals.removeFirst()
    }
    // A manager that refuses, or is gone, keeps nothing: then connections may break at a crash, and all else goes on.
    for (number, addition) in waitingAdditions {
      if manager.keep(addition.descriptor, name: addition.name.text) == .busy { return wait() }
      waitingAdditions[number] = nil
    }
  }

  private func wait() { timer?.fire(after: Self.retryDelay) }
}
