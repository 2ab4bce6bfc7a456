import func Glibc.memchr

/// One row of a table, wherever it is read from; every value is nil unless it has the type asked for.
protocol RowSource {
  func isNull(_ column: Int) -> Bool
  func integer(_ column: Int) -> Int64?
  func real(_ column: Int) -> Double?
  func text(_ column: Int) -> [UInt8]?
  func blob(_ column: Int) -> [UInt8]?
  /// A blob of 32 bytes, as four words whose least byte comes first.
  func words(_ column: Int) -> SIMD4<UInt64>?
  /// An id of the protocol where it lies, valid for as long as the row is.
  func rawID(_ column: Int) -> UnsafeRawBufferPointer?
}

extension RowSource {
  /// A count: an integer that is not negative.
  @inline(__always)
  func count(_ column: Int) -> UInt64? { integer(column).flatMap { UInt64(exactly: $0) } }

  func flag(_ column: Int) -> Bool? {
    switch integer(column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// An id of the protocol.
  func id(_ column: Int) -> [UInt8]? {
    unsafe rawID(column).map { unsafe Array($0) }
  }
}

/// Whether these are 1 to 255 bytes without NUL. That they are valid UTF-8 is for the checksum to say.
func isID(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let start = bytes.baseAddress, (1...255).contains(bytes.count) else { return false }
  return unsafe memchr(start, 0, bytes.count) == nil
}

extension SIMD4<UInt64> {
  /// The words that 32 bytes hold, the least byte of each first; nil of fewer or more.
  @inline(__always)
  init?(littleEndian bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    self.init()
    for place in 0..<4 {
      self[place] = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
    }
  }
}

/// A checksum over the values of one row, stored with it.
///
/// SQLite finds a page that makes no sense, but not a bit that turned inside of a number. The table's own number goes
/// in first, so that a row taken for one of another table does not fit. The scheme is part of the file format: each
/// 64-bit word is mixed in by an exclusive or, a multiplication and a shift, all of which can be undone, so two rows
/// that differ in one word never meet before the sum is cut to 32 bits.
struct RowChecksum {
  private let table: Table
  private var state: UInt64

  enum Table: UInt64 {
    case actions = 1
    case hourlyUses, rememberedIDs, totals, connections, daemon, importedIDs, registeredActions, choices, apps,
      dailyHits, pendingInput
  }

  init(_ table: Table) {
    self.table = table
    state = table.rawValue &* 0x9E37_79B9_7F4A_7C15
  }

  @inline(__always)
  mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }

  @inline(__always)
  mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

  /// An absent value differs from any that is there.
  @inline(__always)
  mutating func add(_ value: Int64?) {
    add(value == nil ? 0 as UInt64 : 1)
    add(value ?? 0)
  }

  @inline(__always)
  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      unsafe add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last: UInt64 = 0
    while offset < bytes.count {
      unsafe last = last << 8 | UInt64(bytes[offset])
      offset += 1
    }
    add(last)
  }

  /// 32 bits, in which every bit of the last word counts as well.
  var value: Int64 { Int64((state &* 0xD6E8_FEB8_6659_FD93) >> 32) }

  /// Whether a row was stored with this sum, by today's rule or by that of version 1 of the schema, which missed what
  /// changed in the upper half of the last word alone.
  @inline(__always)
  func fits(_ stored: Int64?) -> Bool {
    if stored == value { return true }
    return table.rawValue <= Table.daemon.rawValue && stored == Int64(state >> 32 ^ state & 0xFFFF_FFFF)
  }
}
