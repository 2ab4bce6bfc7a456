import Posix
import Systemd

/// Which connections have something to read, or room for replies that wait.
///
/// To the event loop all of them are one source. With a source each, the loop would ask the kernel for all that are
/// ready before it lets the first one have its turn: ten thousand clients that end at once took it seconds.
final class ReadyConnections {
  private let set: ReadySet
  private var source: EventSource?
  /// Those that were taken from the set last, and the next of them to have its turn.
  private var taken = [UInt64](repeating: 0, count: ReadySet.capacity)
  private var (next, count) = (0, 0)

  /// Called when a connection is ready.
  var onReady: () -> Void = {}

  init(loop: EventLoop) throws(SystemError) {
    set = try ReadySet()
    source = try loop.watch(set.raw) { [unowned self] _ in onReady() }
  }

  deinit { source = nil }

  /// Takes the number of the next connection that is, or was a moment ago, ready. They take turns.
  func take() -> UInt64? {
    if next == count {
      next = 0
      // Only a fault of our own can make this fail.
      do { count = try set.take(into: &taken) } catch { preconditionFailure(error.description) }
      if count == 0 { return nil }
    }
    next += 1
    return taken[next - 1]
  }

  /// Begins to look at a connection.
  func add(_ raw: Int32, _ number: UInt64, alsoWritable: Bool) throws(SystemError) {
    try set.add(raw, key: number, alsoWritable: alsoWritable)
  }

  /// Looks for room for replies from now on, or no more.
  func change(_ raw: Int32, _ number: UInt64, alsoWritable: Bool) {
    try? set.change(raw, key: number, alsoWritable: alsoWritable)
  }

  /// Looks at a connection no more.
  func remove(_ raw: Int32) { try? set.remove(raw) }

  /// Lets all connections wait, or no more.
  func setEnabled(_ isEnabled: Bool) { source?.setEnabled(isEnabled) }
}
