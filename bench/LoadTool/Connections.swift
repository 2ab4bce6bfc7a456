import Glibc
import Posix

/// `hold --socket PATH --connections N [--asks 1]`: opens so many connections, in bursts of 64, and holds them until
/// standard input ends. On each it sends a use; or it `asks` for something unknown, and takes the time from before the
/// connection is made until the answer: waiting, being accepted and being read included.
func holdConnections(_ options: Options) throws {
  _ = Process.descriptorLimit()
  let path = try options.text("socket")
  let count = try options.number("connections")
  let asks = try options.number("asks", default: 0) != 0
  let line = Array((asks ? "{\"op\":\"unknown\"}\n" : "com.example.ap0000.a0000000\n").utf8)
  let burst = 64

  var open: [Connection] = []
  var waits: [Int64] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  let start = Clocks.monotonic()
  while open.count < count {
    let first = open.count
    var begun: [Int64] = []
    for _ in first..<min(first + burst, count) {
      begun.append(Clocks.monotonic())
      let socket = try Socket.connect(.stream, to: path)
      try Socket.sendAll(socket, line[...], size: line.count)
      open.append(Connection(socket))
    }
    guard asks else { continue }
    for (connection, begin) in zip(open[first...], begun) {
      guard try Socket.receive(connection.socket, into: &buffer) > 0 else { throw LoadFailure("turned away") }
      waits.append(Clocks.monotonic() - begin)
    }
  }
  let seconds = Double(Clocks.monotonic() - start) / 1e9
  waits.sort()
  func quantile(_ part: Double) -> String {
    waits.isEmpty ? "null" : "\(Double(waits[Int(part * Double(waits.count - 1))]) / 1e9)"
  }
  report([
    ("connections", "\(count)"), ("seconds", "\(seconds)"), ("median", quantile(0.5)), ("p99", quantile(0.99)),
    ("longest", quantile(1)),
  ])
  while unsafe read(STDIN_FILENO, &buffer, buffer.count) > 0 {}
}

/// `churn --socket PATH --connections N`: so many times connects, sends a use and closes.
func churnConnections(_ options: Options) throws {
  let path = try options.text("socket")
  let count = try options.number("connections")
  let line = Array("com.example.ap0000.a0000000\n".utf8)
  let start = Clocks.monotonic()
  for _ in 0..<count {
    let socket = try Socket.connect(.stream, to: path)
    try Socket.sendAll(socket, line[...], size: line.count)
  }
  report([("connections", "\(count)"), ("seconds", "\(Double(Clocks.monotonic() - start) / 1e9)")])
}
