import Posix
import Ranking

/// What a record stands for, as stored.
enum RecordKind: UInt32 {
  case opened = 0x5141_0001
  case openedControl
  case data
  case ended
  case datagram
  case cutDatagram
  case settings
  case answered

  /// In place of a kind: nothing up to the ring's end, as a record never wraps.
  static let gap: UInt32 = 0x5141_0000
}

/// What precedes each record's payload.
///
/// A record is known by its offset, which is never used again in a log, and by a checksum that begins with the log's
/// identity: nothing that is left of an earlier lap or of another log can pass for it.
struct RecordHeader {
  /// Over the rest of the header and the payload.
  var checksum: UInt32 = 0
  var kind: UInt32
  /// Where the record begins: bytes appended to the log before it, gaps included.
  var offset: UInt64
  var connection: UInt64
  var boot: Int64
  var wall: Int64
  /// Of the payload, bytes.
  var length: UInt32
  private var unused: UInt32 = 0

  static let size = 48
  static let alignment = 8

  init(_ kind: UInt32, offset: UInt64, connection: UInt64, reading: ClockReading, length: Int) {
    self.kind = kind
    self.offset = offset
    self.connection = connection
    boot = reading.boot
    wall = reading.wall
    self.length = UInt32(truncatingIfNeeded: length)
  }

  var reading: ClockReading { ClockReading(boot: boot, wall: wall) }

  /// How much of the ring a record with such a payload takes.
  static func space(_ length: Int) -> Int { (size + length + alignment - 1) & -alignment }

  /// The checksum of a record whose header, with any checksum, and payload lie in `bytes`.
  static func checksum(of bytes: UnsafeRawBufferPointer, identity: UInt64) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: identity ^ identity >> 32)
    return unsafe crc32c(UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<UInt32>.size...]), after: start)
  }
}
