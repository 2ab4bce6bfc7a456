import Foundation

/// A service manager's socket, as far as a test needs one: keeps every message that comes, and waits for some.
final class NotifySocket: @unchecked Sendable {
  let path: String
  private let condition = NSCondition()
  private var received: [String] = []
  private var isClosed = false
  private var isGone = false
  private static let farewell = "farewell"

  init(path: String) throws {
    self.path = path
    try open()
  }

  private func open() throws {
    let descriptor = try RawSocket.bound(SOCK_DGRAM, path)
    Thread { [self] in receive(from: descriptor) }.start()
  }

  /// Goes away, as a manager does that starts anew: nobody is at its socket any more, and that has no file.
  func goAway() throws {
    close()
    _ = try value(of: "the end of the service manager") { condition.withLock { isGone ? true : nil } }
    unlink(path)
  }

  /// Listens again.
  func comeBack() throws {
    condition.withLock { (isClosed, isGone) = (false, false) }
    try open()
  }

  private func receive(from descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      let message = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      if count < 0 || message == Self.farewell { break }
      condition.withLock {
        received.append(message)
        condition.broadcast()
      }
    }
    Foundation.close(descriptor)
    condition.withLock { isGone = true }
  }

  /// Ends the thread that receives.
  func close() {
    if condition.withLock({ (isClosed, isClosed = true).0 }) { return }
    if let sender = try? RawSocket.connected(SOCK_DGRAM, path) {
      _ = Self.farewell.withCString { send(sender, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      Foundation.close(sender)
    }
  }

  /// All messages so far, each with all its lines.
  var messages: [String] { condition.withLock { received } }

  /// How many messages there have been: a place to wait from.
  var mark: Int { condition.withLock { received.count } }

  /// Waits for a message that came after `mark`, and returns it with the mark behind it.
  @discardableResult
  func wait(
    for what: String, after mark: Int = 0, where matches: (String) -> Bool
  ) throws -> (message: String, mark: Int) {
    let end = Date(timeIntervalSinceNow: patience)
    return try condition.withLock {
      var next = mark
      while true {
        while next < received.count {
          next += 1
          if matches(received[next - 1]) { return (received[next - 1], next) }
        }
        guard condition.wait(until: end) else {
          throw Failure("the service manager waited in vain for \(what); it heard \(received.dropFirst(mark))")
        }
      }
    }
  }

  /// Waits for a message that has this line.
  @discardableResult
  func wait(forLine line: String, after mark: Int = 0) throws -> Int {
    try wait(for: line, after: mark) { $0.split(separator: "\n").contains(Substring(line)) }.mark
  }

  /// Waits for a STATUS= that contains all of these.
  @discardableResult
  func wait(forStatus parts: String..., after mark: Int = 0) throws -> String {
    try wait(for: "STATUS with \(parts)", after: mark) { message in
      message.hasPrefix("STATUS=") && parts.allSatisfy { message.contains($0) }
    }.message
  }
}
