import Glibc
import Posix

/// `count --socket PATH [--streams N] [--size N]`: the limit. Reads so many streams to their ends, in buffers of the size
/// that the daemon takes, and counts line ends. Says `ready` on a line of its own once it listens.
func countLines(_ options: Options) throws {
  let streams = try options.number("streams", default: 1)
  var buffer = [UInt8](repeating: 0, count: try options.number("size", default: 262_144))
  let listener = try Socket.bind(.stream, at: try options.text("socket"))
  _ = Process.writeToStandardOutput("ready\n")
  let before = processorSeconds()

  var lines = 0
  if streams == 1 {
    let socket = try Socket.accept(listener)
    while case let count = try Socket.receive(socket, into: &buffer), count > 0 {
      lines += lineEnds(buffer, first: count)
    }
  } else {
    // The streams take turns, as they do in the daemon.
    var open: [Connection] = []
    for _ in 0..<streams { open.append(Connection(try Socket.accept(listener))) }
    while !open.isEmpty {
      let events = try Poll.wait(for: open.map { ($0.socket.raw, .read) }, milliseconds: nil)
      var left: [Connection] = []
      for (connection, ready) in zip(open, events) {
        if ready.isEmpty {
          left.append(connection)
          continue
        }
        switch try UnixSocket.receive(connection.socket.raw, into: &buffer) {
        case .bytes(let count):
          lines += lineEnds(buffer, first: count)
          left.append(connection)
        case .nothing: left.append(connection)
        case .end: break
        }
      }
      open = left
    }
  }
  report([("lines", "\(lines)"), ("cpu", "\(processorSeconds() - before)")])
}

/// `count-datagrams --socket PATH --events N`: the same for datagrams, until so many lines have come.
func countDatagrams(_ options: Options) throws {
  let events = try options.number("events")
  let socket = try Socket.bind(.datagram, at: try options.text("socket"))
  var batch = DatagramBatch()
  _ = Process.writeToStandardOutput("ready\n")
  let before = processorSeconds()

  var lines = 0
  while lines < events {
    _ = try Poll.wait(for: [(socket.raw, .read)], milliseconds: nil)
    for index in 0..<(try batch.receive(from: socket.raw)) {
      guard let datagram = unsafe batch[index] else { throw LoadFailure("a datagram was cut") }
      unsafe lines += lineEnds(datagram)
    }
  }
  report([("lines", "\(lines)"), ("cpu", "\(processorSeconds() - before)")])
}

private func lineEnds(_ bytes: [UInt8], first count: Int) -> Int {
  unsafe bytes.withUnsafeBytes { unsafe lineEnds(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
}

/// How many bytes are line ends.
private func lineEnds(_ bytes: UnsafeRawBufferPointer) -> Int {
  guard var place = bytes.baseAddress else { return 0 }
  let end = unsafe place + bytes.count
  var total = 0
  while let found = unsafe memchr(place, 10, end - place) {
    total += 1
    unsafe place = UnsafeRawPointer(found) + 1
  }
  return total
}

/// CPU time of this process.
private func processorSeconds() -> Double {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
