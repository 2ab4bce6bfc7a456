import Glibc
import Posix
import Ranking
import Testing
import TestSupport

@testable import IntakeLog

struct IntakeLogTests {
  private let folder = TemporaryFolder()
  private let now = ClockReading(boot: 5, wall: 6)

  @Test func `what was received and noted is replayed from the last commit on, lap after lap`() throws {
    let generator = SeededRandom()
    print("seed \(generator.seed)")
    var model = try ModelledLog(in: folder, generator: generator)
    var committed: UInt64 = 0
    for step in 1...3000 {
      if try !model.step() {
        #expect(model.log.hasRoom == false)
        committed = model.log.tail
        model.log.release(upTo: committed)
        model.forget(before: committed)
        #expect(model.log.used == 0)
        #expect(model.log.hasRoom == true)
      }
      if step % 100 == 0 {
        let (entries, outcome) = try #require(try replay(folder, from: committed))
        #expect(entries.isSame(as: model.expected(from: committed)))
        #expect(outcome == ReplayOutcome(records: entries.count, end: model.log.tail))
      }
    }
    #expect(model.log.tail > 10 << 20, "the ring of 3 MiB was gone round several times")
  }

  private func expectDatagrams(
    _ log: inout IntakeLog, _ socket: SocketPair, _ expected: ReceivedDatagrams,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let received = try log.receiveDatagrams(from: socket.raw, clock: { now })
    #expect(received == expected, sourceLocation: location)
  }

  @Test func `a full log takes nothing from a socket and loses nothing that it has`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    let (stream, datagrams) = (SocketPair(SOCK_STREAM), SocketPair(SOCK_DGRAM))
    var chunks = 0
    while log.hasRoom {
      stream.send([UInt8](repeating: UInt8(chunks), count: 100_000))
      guard case .bytes = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: { now }) else { break }
      chunks += 1
    }
    stream.send([1, 2, 3])
    datagrams.send([4])
    guard case .full = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: { now }) else {
      Issue.record("the log took more than it has room for")
      return
    }
    try expectDatagrams(&log, datagrams, .full)
    #expect(try UnixSocket.bytesWaiting(stream.raw) == 3)
    var notes = 0
    while log.noteEnded(connection: 9, at: now) { notes += 1 }
    #expect(notes * RecordHeader.size > LogLayout.reserve - 200)
    let (entries, outcome) = try #require(try replay(folder, from: 0))
    #expect(outcome.damage == nil)
    #expect(entries.count == chunks + notes)
    #expect(entries.prefix(1).isSame(as: [.data(1, Blob([UInt8](repeating: 0, count: 100_000)), now)]))

    log.release(upTo: log.tail)
    guard case .bytes(let bytes, now) = try log.receive(from: stream.raw, connection: 1, atMost: 2, clock: { now })
    else {
      Issue.record("a commit did not make room")
      return
    }
    #expect(Array(bytes) == [1, 2])
  }

  @Test func `what is given up is said, and the rest is kept`() throws {
    var model = try ModelledLog(in: folder, generator: SeededRandom())
    while try model.step() {}
    let used = model.log.used
    let given = model.log.discardOldest()
    #expect(given > 0)
    #expect(model.log.used == used - given)
    #expect(model.log.hasRoom == true)
    // As long as nothing was written over it, what was given up is there all the same.
    let (all, before) = try #require(try replay(folder, from: 0))
    #expect(before.damage == nil && before.missing == 0)
    #expect(all.isSame(as: model.expected(from: 0)))

    while model.log.head < 4 << 20 {
      while try model.step() {}
      _ = model.log.discardOldest()
    }
    let head = model.log.head
    let (entries, outcome) = try #require(try replay(folder, from: head))
    #expect(outcome.damage == nil && outcome.missing == 0)
    #expect(entries.isSame(as: model.expected(from: 0).suffix(entries.count)))
    let (rest, after) = try #require(try replay(folder, from: 0))
    #expect(after.damage == nil && after.missing == head)
    #expect(rest.isSame(as: entries))
  }

  @Test func `a log of size 0 behaves the same and makes no file`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 0, identity: 1)
    let (stream, datagrams) = (SocketPair(SOCK_STREAM), SocketPair(SOCK_DGRAM))
    #expect(folder.names.isEmpty)
    let isNoted = log.noteOpened(connection: 1, isControl: false, at: now)
    #expect(isNoted)
    for round in 0..<300 {
      stream.send([UInt8](repeating: UInt8(round & 255), count: 65_536))
      guard case .bytes(let bytes, now) = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: { now })
      else {
        Issue.record("nothing came")
        return
      }
      #expect(bytes.count == 65_536 && bytes[0] == UInt8(round & 255))
    }
    datagrams.send([1, 2])
    datagrams.send([UInt8](repeating: 0, count: 65_537))
    try expectDatagrams(&log, datagrams, .datagrams(2, now))
    let (first, second) = (log[datagram: 0].map(Array.init), log[datagram: 1].map(Array.init))
    #expect(first == [1, 2])
    #expect(second == nil)
    try expectDatagrams(&log, datagrams, .nothing)
    #expect(log.tail > 300 * 65_536)
    #expect(log.hasRoom == true)
    log.release(upTo: log.tail)
    let given = log.discardOldest()
    #expect(given == 0)
    #expect(log.used == 0)
    try log.remove()
    #expect(folder.names.isEmpty)
  }

  @Test func `the end of a stream is told apart from silence, and is no record by itself`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    let stream = SocketPair(SOCK_STREAM)
    guard case .nothing = try log.receive(from: stream.raw, connection: 1, atMost: 10, clock: { now }) else {
      Issue.record("something came of nothing")
      return
    }
    stream.closeSending()
    guard case .end = try log.receive(from: stream.raw, connection: 1, atMost: 10, clock: { now }) else {
      Issue.record("the end was not seen")
      return
    }
    #expect(try replay(folder, from: 0)?.entries == [])
    log.noteEnded(connection: 1, at: now)
    #expect(try replay(folder, from: 0)?.entries == [.ended(1, now)])
  }

  @Test func `what a peer sent before it left without reading its replies still comes`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    let stream = SocketPair(SOCK_STREAM)
    stream.send([1, 2, 3])
    stream.reply([9])
    stream.closeSending()
    guard case .bytes(let bytes, _) = try log.receive(from: stream.raw, connection: 1, atMost: 10, clock: { now })
    else {
      Issue.record("the bytes did not come")
      return
    }
    #expect(Array(bytes) == [1, 2, 3])
    guard case .end = try log.receive(from: stream.raw, connection: 1, atMost: 10, clock: { now }) else {
      Issue.record("the end was not seen")
      return
    }
  }

  @Test func `a new log takes the place of the earlier one, whole, and only its owner may open it`() throws {
    folder.write([1, 2, 3])
    folder.write([1, 2, 3], AtomicFile.temporaryName(for: IntakeLog.fileName))
    var log = try IntakeLog.create(inDirectory: folder.path, size: 5_000_000, identity: 77)
    #expect(folder.names == [IntakeLog.fileName])
    var status = stat()
    #expect(stat(folder.file(), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(status.st_size % 4096 == 0 && status.st_size >= 5_000_000)
    #expect(status.st_blocks * 512 >= status.st_size, "all of it is allocated")
    let identity = try IntakeLog.recover(inDirectory: folder.path)?.identity
    #expect(identity == 77)
    try log.remove()
    #expect(folder.names.isEmpty)
    let left = try replay(folder, from: 0)
    #expect(left?.entries == nil)
  }

  @Test func `a successor lies beside the earlier log until it takes its place in one step`() throws {
    _ = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    var log = try IntakeLog.create(
      inDirectory: folder.path, size: 4 << 20, identity: 2, named: IntakeLog.successorName)
    let names = folder.names.sorted()
    #expect(names == [IntakeLog.fileName, IntakeLog.successorName])
    let isSuccessor = log.isSuccessor
    #expect(isSuccessor)
    let identities = try [IntakeLog.fileName, IntakeLog.successorName].map { name in
      try IntakeLog.recover(inDirectory: folder.path, named: name)?.identity
    }
    #expect(identities == [1, 2])

    try log.takePlace()
    #expect(folder.names == [IntakeLog.fileName])
    let identity = try IntakeLog.recover(inDirectory: folder.path)?.identity
    #expect(identity == 2)
    try log.remove()
    #expect(folder.names.isEmpty)
  }

  @Test func `a log that cannot have its name leaves nothing behind and says why`() throws {
    mkdir(folder.file(), 0o700)
    #expect(throws: SystemError.self) {
      _ = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 1)
    }
    #expect(folder.names == [IntakeLog.fileName])
  }
}
