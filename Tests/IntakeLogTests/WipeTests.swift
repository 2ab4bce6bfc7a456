import Glibc
import Posix
import Ranking
import Testing
import TestSupport

@testable import IntakeLog

struct WipeTests {
  private let folder = TemporaryFolder()
  private let now = ClockReading(boot: 5, wall: 6)

  /// What stands for something that was forgotten: it is found in no other bytes here.
  private static let secret = Array("<secret>".utf8)

  private static func repeated(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    while bytes.count < 200_000 { bytes += bytes }
    return bytes
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start + part.count <= bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(part[0]), bytes.count - part.count + 1 - start)
      {
        if memcmp(found, part, part.count) == 0 { return true }
        start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
      }
      return false
    }
  }

  @Test(
    "after a wipe no byte of what a commit contains is left, and what none contains can still be replayed",
    arguments: [1, 2, 3] as [UInt64])
  func wipes(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededRandom(seed: seed)
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: seed)
    let (stream, datagrams) = (SocketPair(SOCK_STREAM), SocketPair(SOCK_DGRAM))
    var live: [Entry] = []
    let forgotten = Self.repeated(Self.secret)
    let kept = Self.repeated(Array("innocent".utf8))
    var laps: UInt64 = 0
    for round in 0..<12 {
      // What is forgotten, received and noted in every way, until up to half of the ring is full of it.
      let most = Int.random(in: 1...3 << 19, using: &random)
      while log.used < most {
        let length = Int.random(in: 1...(Bool.random(using: &random) ? 200_000 : 300), using: &random)
        if Bool.random(using: &random) {
          stream.send(Array(forgotten.prefix(max(length, 8))))
          _ = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: { now })
        } else {
          datagrams.send(Array(forgotten.prefix(min(max(length, 8), 60_000))))
          _ = try log.receiveDatagrams(from: datagrams.raw, clock: { now })
        }
      }
      let committed = log.tail
      // What comes while the commit is under way.
      live = []
      // Its own, as what the log has no room for stays in the socket.
      let stream = SocketPair(SOCK_STREAM)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let bytes = Array(kept.prefix(Int.random(in: 1...100_000, using: &random)))
        stream.send(bytes)
        guard case .bytes = try log.receive(from: stream.raw, connection: 2, atMost: .max, clock: { now }) else {
          break
        }
        live.append(.data(2, Blob(bytes), now))
      }
      log.release(upTo: committed)
      if round % 3 == 0 { continue }
      log.wipe()
      #expect(!Self.contains(folder.read(), Self.secret), "seed \(seed), round \(round)")
      let (entries, outcome) = try #require(try replay(folder, from: committed))
      #expect(entries.isSame(as: live) && outcome.damage == nil, "seed \(seed), round \(round)")
      laps = max(laps, log.tail / (3 << 20))
    }
    #expect(laps >= 2)
  }

  @Test("a record's last bytes, up to where the next begins, hold nothing of an earlier lap")
  func padding() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    let stream = SocketPair(SOCK_STREAM)
    // Two laps of records whose ends differ, so that what the first leaves shows between those of the second.
    for length in [247, 241] {
      let end = log.tail + 3 << 20
      while log.tail < end {
        stream.send([UInt8](repeating: length == 247 ? 0xAA : 0xBB, count: length))
        _ = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: { now })
        if length == 247 || log.used > 1 << 20 { log.release(upTo: log.tail) }
      }
    }
    log.wipe()
    #expect(!Self.contains(folder.read(), [UInt8](repeating: 0xAA, count: 4)))
  }
}
