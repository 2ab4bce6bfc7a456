import Glibc
import Posix

/// `redis --socket PATH --ids N --apps N --events N [--seed N] [--streams N] [--size N] [--window N]`: increments the
/// members of the sorted set `q`, pipelined, and reads and checks each reply.
///
/// `size` is how many bytes a write takes; 0: one write an event. At most `window` events are not answered at a time.
func sendToRedis(_ options: Options) throws {
  let workload = try Workload(options)
  let streams = try options.number("streams", default: 1)
  let size = try options.number("size", default: 262_144)
  let window = try options.number("window", default: 8192)
  let short = try options.number("short", default: 0) * workload.size(.redis)
  let path = try options.text("socket")
  let eventSize = workload.size(.redis)

  let parts = (0..<streams).map {
    Stream(bytes: workload.bytes(.redis, stream: $0, of: streams).dropLast($0 == 0 ? short : 0))
  }
  for part in parts { part.socket = try Socket.connect(.stream, to: path) }
  let seconds = try timeStreams(streams) { number in
    let part = parts[number]
    guard let socket = part.socket.take() else { return }
    try unsafe part.bytes.withUnsafeBytes { bytes in
      var conversation = Conversation(eventSize: eventSize, window: window, size: size == 0 ? eventSize : size)
      try unsafe conversation.run(socket, bytes)
    }
  }
  report([("events", "\(workload.order.count)"), ("seconds", "\(seconds)")])
}

/// Requests that go one way while replies come the other way.
private struct Conversation {
  let eventSize: Int
  let window: Int
  let size: Int
  private var replies = Replies()
  private var buffer = [UInt8](repeating: 0, count: 262_144)

  init(eventSize: Int, window: Int, size: Int) {
    (self.eventSize, self.window, self.size) = (eventSize, window, size)
  }

  mutating func run(_ socket: borrowing FileDescriptor, _ bytes: UnsafeRawBufferPointer) throws {
    let events = bytes.count / eventSize
    var sent = 0
    while replies.count < events {
      let end = min(bytes.count, (replies.count + window) * eventSize)
      var entry = pollfd(fd: socket.raw, events: Int16(POLLIN) | (sent < end ? Int16(POLLOUT) : 0), revents: 0)
      try Socket.check("wait", unsafe poll(&entry, 1, -1))
      if entry.revents & Int16(POLLOUT) != 0 {
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent..<min(sent + size, end)])
        sent += try unsafe UnixSocket.send(socket.raw, part)
      }
      if entry.revents & ~Int16(POLLOUT) != 0 {
        guard case .bytes(let count) = try UnixSocket.receive(socket.raw, into: &buffer) else {
          throw LoadFailure("Redis has closed the connection")
        }
        try replies.take(buffer[..<count])
      }
    }
  }
}

/// Counts replies of the form `$1\r\n5\r\n`, and knows none but those.
private struct Replies {
  private(set) var count = 0
  /// Whether the next line is the second of a reply.
  private var isInside = false
  private var isAtStart = true

  mutating func take(_ bytes: ArraySlice<UInt8>) throws {
    for byte in bytes {
      if isAtStart {
        guard isInside ? (0x30...0x39).contains(byte) : byte == UInt8(ascii: "$") else {
          throw LoadFailure("Redis answers: " + String(decoding: bytes.prefix(200), as: UTF8.self))
        }
        isAtStart = false
      } else if byte == UInt8(ascii: "\n") {
        if isInside { count += 1 }
        isInside.toggle()
        isAtStart = true
      }
    }
  }
}
