import Glibc
import Ranking
import Testing
import TestSupport

@testable import IntakeLog

/// What a kill between the kernel's write and the new tail leaves, made by putting the old tail back.
struct LandedBatchTests {
  private let folder = TemporaryFolder()

  enum Copied: CaseIterable { case nothing, theFirstBytes, everything }

  @Test(arguments: Copied.allCases)
  func `a batch that has landed is replayed from there, however much of it was copied`(copied: Copied) throws {
    let generator = SeededRandom()
    print("seed \(generator.seed)")
    var model = try ModelledLog(in: folder, generator: generator)
    var batches = 0
    while batches < 40 {
      let before = model.log.tail
      guard try model.step() else {
        model.log.release(upTo: model.log.tail)
        model.forget(before: model.log.tail)
        continue
      }
      let batch = model.expected(from: before)
      // A note lands nowhere: it is there with the tail or it is not.
      switch batch[0] {
      case .data, .datagram, .cutDatagram: break
      default: continue
      }
      batches += 1
      var file = folder.read()
      file.store(before, at: LogLayout.tailPlace)
      let start = LogLayout.ringPlace + Int(before % UInt64(file.count - LogLayout.ringPlace))
      let end = min(start + Int(model.log.tail - before), file.count)
      let kept =
        switch copied {
        case .nothing: start
        case .theFirstBytes: start + (end - start) / 2
        case .everything: end
        }
      for index in kept..<end { file[index] = 0xa5 }
      let other = TemporaryFolder()
      other.write(file)
      let (entries, outcome) = try #require(try replay(other, from: model.log.head))
      let expected = model.expected(from: model.log.head).map(\.withoutClocks)
      #expect(outcome == ReplayOutcome(records: entries.count, end: model.log.tail))
      #expect(entries.map(\.withoutClocks).isSame(as: expected))
    }
  }

  @Test func `a batch that was copied is not replayed again by what comes after it`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 5)
    let stream = SocketPair(SOCK_STREAM)
    let now = ClockReading(boot: 1, wall: 2)
    func receive() throws { _ = try log.receive(from: stream.raw, connection: 3, atMost: 100, clock: { now }) }
    stream.send([1, 2, 3])
    try receive()
    #expect(try replay(folder, from: 0)?.entries == [.data(3, [1, 2, 3], now)])
    // Armed anew, and nothing came.
    try receive()
    #expect(try replay(folder, from: 0)?.entries == [.data(3, [1, 2, 3], now)])
    log.noteEnded(connection: 3, at: now)
    #expect(try replay(folder, from: 0)?.entries == [.data(3, [1, 2, 3], now), .ended(3, now)])
  }

  @Test func `lengths that the kernel does not write are damage, not bytes`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 5)
    let datagrams = SocketPair(SOCK_DGRAM)
    datagrams.send([1, 2, 3])
    _ = try log.receiveDatagrams(from: datagrams.raw, clock: { ClockReading(boot: 1, wall: 2) })
    var file = folder.read()
    file.store(0, at: LogLayout.tailPlace)
    for length: UInt32 in [65_537, 0x7fff_ffff, 0xffff_fffe] {
      // The length follows the 56 bytes of a message's header.
      let place = LogLayout.messagesPlace + 56
      withUnsafeBytes(of: length) { file.replaceSubrange(place..<place + 4, with: $0) }
      let other = TemporaryFolder()
      other.write(file)
      #expect(try replay(other, from: 0)?.outcome == ReplayOutcome(end: 0, damage: .landing))
    }
  }
}

extension [UInt8] {
  mutating func store(_ value: UInt64, at place: Int) {
    Swift.withUnsafeBytes(of: value) { replaceSubrange(place..<place + 8, with: $0) }
  }
}
