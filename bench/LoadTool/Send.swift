import Posix

/// `send --socket PATH --form plain|json --ids N --apps N --events N [--seed N] [--streams N] [--size N] [--repeat N]
/// [--sync 1] [--short N]`: sends lines and waits until the reader has closed, which it does when it has read all.
///
/// `size` is how many bytes a write takes; 0: one write an event. `sync` asks at the end of each stream until everything
/// is durable. `short` leaves out so many events at the end and says nothing of it, to see that somebody notices.
func sendLines(_ options: Options) throws {
  let workload = try Workload(options)
  guard let form = Workload.Form(rawValue: try options.text("form")) else { throw LoadFailure("no such form") }
  let streams = try options.number("streams", default: 1)
  let size = try options.number("size", default: 262_144)
  let repeats = try options.number("repeat", default: 1)
  let asksToSync = try options.number("sync", default: 0) != 0
  let short = try options.number("short", default: 0) * workload.size(form)
  let path = try options.text("socket")

  let parts = (0..<streams).map { Stream(bytes: workload.bytes(form, stream: $0, of: streams)) }
  for part in parts { part.socket = try Socket.connect(.stream, to: path) }
  let seconds = try timeStreams(streams) { number in
    let part = parts[number]
    guard let socket = part.socket.take() else { return }
    for turn in 1...repeats {
      let isShort = number == 0 && turn == repeats
      try Socket.sendAll(
        socket, part.bytes.dropLast(isShort ? short : 0), size: size == 0 ? workload.size(form) : size)
    }
    if asksToSync { try sync(socket) }
    try Socket.finish(socket)
    var reply = [UInt8](repeating: 0, count: 4096)
    let count = try Socket.receive(socket, into: &reply)
    if count > 0 { throw LoadFailure("a reply: " + String(decoding: reply.prefix(count), as: UTF8.self)) }
  }
  report([("events", "\(workload.order.count * repeats)"), ("seconds", "\(seconds)")])
}

/// What one stream sends. Each is used by one thread.
final class Stream: @unchecked Sendable {
  let bytes: [UInt8]
  var socket: FileDescriptor?

  init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Asks until everything before is durable: an answer that took over 5 s says that it is not yet.
private func sync(_ socket: borrowing FileDescriptor) throws {
  while true {
    try Socket.sendAll(socket, Array("{\"op\":\"sync\"}\n".utf8)[...], size: 64)
    var (reply, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while reply.last != UInt8(ascii: "\n") {
      let count = try Socket.receive(socket, into: &buffer)
      guard count > 0 else { throw LoadFailure("no answer to the sync") }
      reply += buffer.prefix(count)
    }
    let text = String(decoding: reply, as: UTF8.self)
    if text.contains("\"durable\":true") { return }
    guard text.contains("\"sync\"") else { throw LoadFailure("a reply: \(text)") }
  }
}
