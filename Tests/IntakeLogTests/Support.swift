import Glibc
import IntakeLog
import Posix
import Ranking
import TestSupport

@testable import IntakeLogWorker

extension SeededRandom {
  mutating func bytes(_ count: Int) -> [UInt8] {
    var words = (0..<(count + 7) / 8).map { _ in next() }
    return words.withUnsafeMutableBytes { Array($0.prefix(count)) }
  }
}

/// A folder in memory, gone with its owner.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/dev/shm/quickactions-intake-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder can be made in /dev/shm") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in names { rmdir(file(name)) == 0 ? () : unlinkFile(name) }
    rmdir(path)
  }

  private func unlinkFile(_ name: String) { unlink(file(name)) }

  func file(_ name: String = IntakeLog.fileName) -> String { path + "/" + name }

  var names: [String] { ((try? Directory(opening: path).names()) ?? []).sorted() }

  func read(_ name: String = IntakeLog.fileName) -> [UInt8] {
    (try? RegularFile.read(file(name), limit: 1 << 30)) ?? []
  }

  func write(_ bytes: [UInt8], _ name: String = IntakeLog.fileName) {
    let file = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0)
    let descriptor = FileDescriptor(owning: file)
    do { try descriptor.writeAll(bytes) } catch { fatalError("\(error)") }
  }
}

/// Two connected sockets: what is sent at one end is received at the other.
final class SocketPair {
  private let (sending, receiving): (Int32, Int32)
  private var isOpen = true

  init(_ type: __socket_type) {
    var pair: [Int32] = [0, 0]
    precondition(socketpair(AF_UNIX, Int32((type.rawValue)), 0, &pair) == 0)
    (sending, receiving) = (pair[0], pair[1])
    var size: Int32 = 1 << 20
    setsockopt(sending, SOL_SOCKET, SO_SNDBUF, &size, 4)
  }

  deinit {
    closeSending()
    close(receiving)
  }

  var raw: Int32 { receiving }

  func closeSending() {
    if isOpen { close(sending) }
    isOpen = false
  }

  /// Whether the kernel took all of it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { send($0) } == bytes.count }

  /// How much the kernel took; -1 for nothing at all.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    Glibc.send(sending, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  func reply(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(receiving, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
  }
}

/// Bytes that are compared at full speed in unoptimised builds, too.
struct Blob: Equatable, ExpressibleByArrayLiteral {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes)[...] }
  init(arrayLiteral bytes: UInt8...) { self.bytes = bytes[...] }

  static func == (left: Blob, right: Blob) -> Bool {
    left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.elementsEqual(bytes: $0) } }
  }
}

/// A record with a copy of its bytes.
enum Entry: Equatable {
  case opened(UInt64, isControl: Bool, ClockReading)
  case data(UInt64, Blob, ClockReading)
  case ended(UInt64, ClockReading)
  case answered(UInt64, ClockReading)
  case datagram(Blob, ClockReading)
  case cutDatagram(ClockReading)
  case settings(Blob, ClockReading)

  init(_ record: LoggedRecord) {
    switch record {
    case .opened(let connection, let isControl, let reading):
      self = .opened(connection, isControl: isControl, reading)
    case .data(let connection, let bytes, let reading): self = .data(connection, Blob(bytes), reading)
    case .ended(let connection, let reading): self = .ended(connection, reading)
    case .answered(let connection, let reading): self = .answered(connection, reading)
    case .datagram(let bytes, let reading): self = .datagram(Blob(bytes), reading)
    case .cutDatagram(let reading): self = .cutDatagram(reading)
    case .settings(let bytes, let reading): self = .settings(Blob(bytes), reading)
    }
  }

  /// The same without the clocks, which differ for what landed and was not copied any more.
  var withoutClocks: Entry {
    let none = ClockReading(boot: 0, wall: 0)
    return switch self {
    case .opened(let connection, let isControl, _): .opened(connection, isControl: isControl, none)
    case .data(let connection, let bytes, _): .data(connection, bytes, none)
    case .ended(let connection, _): .ended(connection, none)
    case .answered(let connection, _): .answered(connection, none)
    case .datagram(let bytes, _): .datagram(bytes, none)
    case .cutDatagram: .cutDatagram(none)
    case .settings(let bytes, _): .settings(bytes, none)
    }
  }
}

extension Collection where Element == Entry {
  /// Whether both are equal, as a value that a failed expectation does not print in full.
  func isSame(as other: some Collection<Entry>) -> Bool { elementsEqual(other) }
}

/// A log, what is sent to it, and the plain list of what it must hold.
struct ModelledLog: ~Copyable {
  var log: IntakeLog
  /// Each entry with the tail before the call that made it.
  var entries: [(offset: UInt64, entry: Entry)] = []
  private let stream = SocketPair(SOCK_STREAM)
  private let datagrams = SocketPair(SOCK_DGRAM)
  private var time: Int64 = 0
  private var generator: SeededRandom

  init(in folder: TemporaryFolder, size: Int = 4 << 20, generator: SeededRandom) throws {
    var generator = generator
    log = try IntakeLog.create(inDirectory: folder.path, size: size, identity: generator.next())
    self.generator = generator
  }

  private mutating func tick() -> ClockReading {
    time += 1
    return ClockReading(boot: time, wall: -time)
  }

  /// Does one thing out of all that can be done; false if the log had no room for it.
  mutating func step() throws -> Bool {
    let before = log.tail
    let connection = generator.next()
    let reading = tick()
    switch Int.random(in: 0..<11, using: &generator) {
    case 0:
      let isControl = Bool.random(using: &generator)
      guard log.noteOpened(connection: connection, isControl: isControl, at: reading) else { return false }
      entries.append((before, .opened(connection, isControl: isControl, reading)))
    case 1:
      guard log.noteEnded(connection: connection, at: reading) else { return false }
      entries.append((before, .ended(connection, reading)))
    case 2:
      let blob = generator.bytes(Int.random(in: 0...40, using: &generator))
      guard log.noteSettings(blob, at: reading) else { return false }
      entries.append((before, .settings(Blob(blob), reading)))
    case 10:
      guard log.noteAnswered(connection: connection, at: reading) else { return false }
      entries.append((before, .answered(connection, reading)))
    case 3...5: return try receiveDatagrams(from: before, reading)
    default:
      guard log.hasRoom else { return false }
      let isLarge = Int.random(in: 0..<8, using: &generator) == 0
      let bytes = generator.bytes(Int.random(in: 1...(isLarge ? 262_144 : 300), using: &generator))
      precondition(stream.send(bytes))
      guard
        case .bytes(let received, reading) = try log.receive(
          from: stream.raw, connection: connection, atMost: .max, clock: { reading })
      else { return false }
      precondition(Blob(received) == Blob(bytes))
      entries.append((before, .data(connection, Blob(bytes), reading)))
    }
    return true
  }

  private mutating func receiveDatagrams(from before: UInt64, _ reading: ClockReading) throws -> Bool {
    guard log.hasRoom else { return false }
    var sent: [[UInt8]] = []
    for _ in 0..<Int.random(in: 1...16, using: &generator) {
      let length =
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: 65_537
        case 1: 65_536
        case 2: 0
        default: Int.random(in: 1...200, using: &generator)
        }
      let bytes = generator.bytes(length)
      if !datagrams.send(bytes) { break }
      sent.append(bytes)
    }
    guard try log.receiveDatagrams(from: datagrams.raw, clock: { reading }) == .datagrams(sent.count, reading) else {
      return false
    }
    for (index, bytes) in sent.enumerated() {
      if bytes.count > IntakeLog.largestDatagram {
        entries.append((before, .cutDatagram(reading)))
        precondition(log[datagram: index] == nil)
      } else {
        entries.append((before, .datagram(Blob(bytes), reading)))
        precondition(log[datagram: index].map { Blob($0) } == Blob(bytes))
      }
    }
    return true
  }

  /// What must come back if a commit contained everything before `offset`.
  func expected(from offset: UInt64) -> [Entry] { entries.filter { $0.offset >= offset }.map(\.entry) }

  mutating func forget(before offset: UInt64) { entries.removeAll { $0.offset < offset } }
}

/// What a replay of the log in `folder` gives.
func replay(_ folder: TemporaryFolder, from offset: UInt64) throws -> (entries: [Entry], outcome: ReplayOutcome)? {
  guard let log = try IntakeLog.recover(inDirectory: folder.path) else { return nil }
  var entries: [Entry] = []
  let outcome = log.replay(from: offset) { entries.append(Entry($0)) }
  return (entries, outcome)
}
