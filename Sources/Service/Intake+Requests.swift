import Posix
import Systemd
import Wire

// Requests may look at every action, so that uses wait for them: each has a turn of its own, and after a long one as much
// time goes to everybody else before the next.
extension Intake {
  /// From so many nanoseconds on a turn of a connection to `control.sock` was a long one.
  private static let longTurn: Int64 = 1_000_000

  /// Reads from the next connection to `control.sock` that is ready.
  func readNextRequest() {
    if waitsForRoom || areRequestsPaused { return }
    if let number = requests.take(), let connection = connections[number] { _ = readRequest(connection) }
  }

  /// Reads one request, or uses up to the next request, from a connection to `control.sock`.
  ///
  /// - Returns: how many bytes came; nil at the end.
  func readRequest(_ connection: Connection) -> Int? {
    let start = Clocks.monotonic()
    let count = read(connection, atMost: requestShare(connection))
    let time = Clocks.monotonic() - start
    if time < Self.longTurn { return count }
    areRequestsPaused = true
    requests.setEnabled(false)
    requestTimer?.fire(after: time)
    return count
  }

  /// Goes on with requests.
  func resumeRequests() {
    areRequestsPaused = false
    if !waitsForRoom { requests.setEnabled(true) }
  }

  /// How many of the bytes that wait are for one turn.
  func requestShare(_ connection: Connection) -> Int {
    let most = Self.readShare(.control)
    return unsafe withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { buffer in
      let count = unsafe UnixSocket.peek(connection.raw, into: buffer)
      let waiting = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      return unsafe Self.requestShare(of: waiting, isContinued: connection.session.hasUnfinishedLine) ?? most
    }
  }

  /// How many bytes belong to one turn: the first line, if that is a request or may be the rest of one, or else all lines
  /// before the next request; nil if that is not to be seen.
  static func requestShare(of bytes: UnsafeRawBufferPointer, isContinued: Bool) -> Int? {
    let (lineEnd, brace) = (UInt8(ascii: "\n"), UInt8(ascii: "{"))
    guard var end = unsafe bytes.firstIndex(of: lineEnd) else { return nil }
    if unsafe isContinued || bytes[0] == brace { return end + 1 }
    while end + 1 < bytes.count, unsafe bytes[end + 1] != brace {
      guard let next = unsafe bytes[(end + 1)...].firstIndex(of: lineEnd) else { return nil }
      end = next
    }
    return end + 1
  }
}
