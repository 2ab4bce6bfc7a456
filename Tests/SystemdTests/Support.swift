import Foundation
import Posix
import Systemd

/// Two ends of a pair of stream sockets that do not block.
final class SocketPair {
  let first: FileDescriptor
  let second: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    if socketpair(AF_UNIX, type, 0, &ends) != 0 { throw SystemError("make a pair of sockets", code: errno) }
    first = FileDescriptor(owning: ends[0])
    second = FileDescriptor(owning: ends[1])
  }

  /// Makes the second end readable.
  func write(_ bytes: [UInt8] = [1]) { _ = try? bytes.withUnsafeBytes { try UnixSocket.send(first.raw, $0) } }

  /// Takes all that waits at the second end.
  func read() -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let received = try? buffer.withUnsafeMutableBytes { try UnixSocket.receive(second.raw, into: $0) }
    if case .bytes(let count)? = received { return count }
    return 0
  }
}

/// Keeps an event source in a place that can be emptied from within a handler.
final class Slot {
  var source: EventSource?
}

/// Ends a loop that does not come to its end by itself, so that a test fails and does not hang.
func limit(_ loop: EventLoop, seconds: Int64 = 20) throws -> EventSource {
  let timer = try loop.timer(accuracy: 1_000_000) { loop.exit() }
  timer.fire(after: seconds * 1_000_000_000)
  return timer
}

/// Ends the life of a source here, and not before.
func drop(_ source: consuming EventSource) {}
