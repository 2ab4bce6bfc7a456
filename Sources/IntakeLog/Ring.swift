import Ranking

/// The part of the file that records are appended to, round and round.
@safe
struct Ring {
  private let base: UnsafeMutableRawPointer
  private let identity: UInt64
  let capacity: Int

  init(_ base: UnsafeMutableRawPointer, capacity: Int, identity: UInt64) {
    unsafe self.base = base
    self.capacity = capacity
    self.identity = identity
  }

  /// How far it is from `offset` to the ring's end.
  static func remaining(from offset: UInt64, capacity: Int) -> Int { capacity - Int(offset % UInt64(capacity)) }

  /// Where a record that takes `space` begins if the log ends at `offset`: there, or at the ring's start.
  static func start(of space: Int, at offset: UInt64, capacity: Int) -> UInt64 {
    let remaining = remaining(from: offset, capacity: capacity)
    return space <= remaining ? offset : offset &+ UInt64(remaining)
  }

  /// Writes a record at the end of the log and moves `offset` past it. The room was made sure of.
  func write(
    _ kind: RecordKind, connection: UInt64, reading: ClockReading, _ payload: UnsafeRawBufferPointer,
    at offset: inout UInt64
  ) {
    let space = RecordHeader.space(payload.count)
    let start = Self.start(of: space, at: offset, capacity: capacity)
    // What an earlier lap left in the gap is out of a wipe's reach as long as the gap is not released.
    wipe(offset..<start)
    if start != offset, start - offset >= RecordHeader.size {
      let length = Int(start - offset) - RecordHeader.size
      unsafe put(
        RecordHeader(RecordKind.gap, offset: offset, connection: 0, reading: reading, length: length),
        UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let header = RecordHeader(
      kind.rawValue, offset: start, connection: connection, reading: reading, length: payload.count)
    unsafe put(header, payload)
    offset = start + UInt64(space)
  }

  /// Puts zeros in the place of the records in a range of offsets, which is no longer than the ring.
  func wipe(_ range: Range<UInt64>) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(Self.remaining(from: offset, capacity: capacity), Int(range.upperBound - offset))
      unsafe (base + Int(offset % UInt64(capacity))).initializeMemory(as: UInt8.self, repeating: 0, count: count)
      offset += UInt64(count)
    }
  }

  /// Where the bytes of a range of offsets lie, which is no longer than the ring.
  func parts(_ range: Range<UInt64>) -> [UnsafeRawBufferPointer] {
    var parts: [UnsafeRawBufferPointer] = unsafe []
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(Self.remaining(from: offset, capacity: capacity), Int(range.upperBound - offset))
      unsafe parts.append(UnsafeRawBufferPointer(start: base + Int(offset % UInt64(capacity)), count: count))
      offset += UInt64(count)
    }
    return unsafe parts
  }

  private func put(_ header: RecordHeader, _ payload: UnsafeRawBufferPointer) {
    let place = unsafe base + Int(header.offset % UInt64(capacity))
    // Nothing of an earlier lap stays between the payload's end and the next record.
    let padding = RecordHeader.space(payload.count) - RecordHeader.size - payload.count
    unsafe (place + RecordHeader.size + payload.count).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
    unsafe place.storeBytes(of: header, as: RecordHeader.self)
    if let source = payload.baseAddress {
      unsafe (place + RecordHeader.size).copyMemory(from: source, byteCount: payload.count)
    }
    let whole = unsafe UnsafeRawBufferPointer(start: place, count: RecordHeader.size + payload.count)
    unsafe place.storeBytes(of: RecordHeader.checksum(of: whole, identity: identity), as: UInt32.self)
  }
}
