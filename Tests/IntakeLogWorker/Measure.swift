import Glibc
import IntakeLog
import Posix
import Ranking

/// Prints what the log costs against plain receive calls into a buffer, without anything done with what comes: lines of
/// 27 bytes in one stream, in chunks of 256 KiB and one by one, and in datagrams; and the checksum's rate.
func measure() throws(SystemError) {
  let line = Array("com.example.mail.compose#a\n".utf8)
  let lines = 256 * 1024 / line.count
  let chunk = Array(repeatElement(line, count: lines).joined())
  let (stream, datagrams) = (try Pair(SOCK_STREAM), try Pair(SOCK_DGRAM))
  var buffer = [UInt8](repeating: 0, count: IntakeLog.largestShare)
  var batch = DatagramBatch()

  var start = Clocks.monotonic()
  var log = try IntakeLog.create(inDirectory: "/dev/shm", size: 64 << 20, identity: 1)
  defer { try? log.remove() }
  print("create 64 MiB: \((Clocks.monotonic() - start) / 1000) µs")
  var memoryOnly = try IntakeLog.create(inDirectory: "/dev/shm", size: 0, identity: 1)

  func plainly() throws(SystemError) -> Int {
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(stream.receiving, $0.baseAddress, $0.count, 0) }
    _ = readClocks()
    return count
  }
  func through(_ log: inout IntakeLog) throws(SystemError) -> Int {
    guard
      case .bytes(let bytes, _) = try log.receive(
        from: stream.receiving, connection: 1, atMost: IntakeLog.largestShare, clock: readClocks)
    else { return 0 }
    if log.used > 32 << 20 { log.release(upTo: log.tail) }
    return bytes.count
  }
  for (name, bytes, perRound) in [("256 KiB a call", chunk, lines), ("27 bytes a call", line, 1)] {
    func time(_ receive: () throws(SystemError) -> Int) throws(SystemError) -> Double {
      try best(rounds: 40_000 / (perRound == 1 ? 1 : 20), { stream.send(bytes) }) { () throws(SystemError) in
        var left = bytes.count
        while left > 0 { left -= try receive() }
      }
    }
    if perRound > 1 {
      var spent: Int64 = 0
      while log.tail < 60 << 20 {
        stream.send(bytes)
        start = Clocks.monotonic()
        _ = try through(&log)
        spent += Clocks.monotonic() - start
      }
      print("the first lap, 256 KiB a call: \(spent / Int64(log.tail >> 18)) ns")
    }
    report(
      name, lines: perRound, plain: try time(plainly),
      unkept: try time { () throws(SystemError) in try through(&memoryOnly) },
      kept: try time { () throws(SystemError) in try through(&log) })
  }

  func datagramsThrough(_ log: inout IntakeLog) throws(SystemError) {
    _ = try log.receiveDatagrams(from: datagrams.receiving, clock: readClocks)
    if log.used > 32 << 20 { log.release(upTo: log.tail) }
  }
  let count = IntakeLog.datagramsPerCall
  func time(_ receive: () throws(SystemError) -> Void) throws(SystemError) -> Double {
    try best(rounds: 10_000, { for _ in 0..<count { datagrams.send(line) } }, receive)
  }
  report(
    "\(count) datagrams a call", lines: count,
    plain: try time { () throws(SystemError) in
      _ = try batch.receive(from: datagrams.receiving)
      _ = readClocks()
    },
    unkept: try time { () throws(SystemError) in try datagramsThrough(&memoryOnly) },
    kept: try time { () throws(SystemError) in try datagramsThrough(&log) })

  let rounds = 4000
  start = Clocks.monotonic()
  var sum = UInt32(0)
  for _ in 0..<rounds { sum = unsafe chunk.withUnsafeBytes { unsafe crc32c($0, after: sum) } }
  print("crc32c: \(rounds * chunk.count / Int(Clocks.monotonic() - start)) GB/s")
}

/// Nanoseconds a round of `receive`, which alone is timed: the best of five runs, as other work disturbs.
private func best(
  rounds: Int, _ send: () -> Void, _ receive: () throws(SystemError) -> Void
) throws(SystemError) -> Double {
  var best = Double.infinity
  for _ in 0..<5 {
    var spent: Int64 = 0
    for _ in 0..<rounds / 5 {
      send()
      let start = Clocks.monotonic()
      try receive()
      spent += Clocks.monotonic() - start
    }
    best = min(best, Double(spent) / Double(rounds / 5))
  }
  return best
}

private func report(_ name: String, lines: Int, plain: Double, unkept: Double, kept: Double) {
  let cost = (kept - plain) / Double(lines)
  print(
    "\(name): plain \(Int(plain)) ns, nothing kept \(Int(unkept)) ns, kept \(Int(kept)) ns; "
      + "\(Int(cost * 1000)) ps a line, as much as \(Int(cost * 1.3 * 10)) ‰ of 13 million lines/s")
}

private struct Pair {
  let sending: Int32
  let receiving: Int32

  init(_ type: __socket_type) throws(SystemError) {
    var pair: [Int32] = [0, 0]
    guard unsafe socketpair(AF_UNIX, Int32(type.rawValue), 0, &pair) == 0 else {
      throw SystemError("make a pair of sockets", code: errno)
    }
    (sending, receiving) = (pair[0], pair[1])
    var size: Int32 = 1 << 20
    unsafe _ = setsockopt(sending, SOL_SOCKET, SO_SNDBUF, &size, 4)
  }

  func send(_ bytes: [UInt8]) {
    let sent = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(sending, $0.baseAddress, $0.count, 0) }
    precondition(sent == bytes.count, "the socket has room for a round")
  }
}
