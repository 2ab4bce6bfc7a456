import Posix

/// Replies that a client has not taken yet, bounded: what does not fit is lost, whole replies at a time.
struct ReplyQueue {
  /// The most that waits for a client that does not read, beyond what the kernel holds: 64 KiB, and 2 MiB at the
  /// control socket, where a reply may be a long list.
  private let capacity: Int

  private var bytes: [UInt8] = []
  private(set) var isBroken = false

  init(for access: Access) {
    switch access {
    case .events: capacity = 65_536
    case .control: capacity = 2 << 20
    }
  }

  var isEmpty: Bool { bytes.isEmpty }
  /// Whether there is any room, so that a reply is worth making.
  var hasRoom: Bool { !isBroken && bytes.count < capacity }

  /// Adds one reply, a whole line; false if there was no room.
  ///
  /// - Parameter bound: how much may wait at most, if that is less than what the queue holds.
  mutating func append(_ reply: [UInt8], bound: Int = .max) -> Bool {
    guard !isBroken, bytes.count + reply.count <= min(capacity, bound) else { return false }
    bytes += reply
    return true
  }

  /// Sends what the client's socket takes now. After an error nothing more is kept: nobody reads there.
  mutating func flush(to descriptor: Int32) {
    do throws(SystemError) {
      while !bytes.isEmpty {
        let sent = try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
          try unsafe UnixSocket.send(descriptor, UnsafeRawBufferPointer(bytes))
        }
        if sent == 0 { return }
        bytes.removeFirst(sent)
      }
    } catch {
      // Out of memory passes; anything else means that the client is gone.
      if error.isExhaustion { return }
      isBroken = true
      bytes = []
    }
  }
}
