import Ranking

/// Reads records out of a ring's bytes, or out of a part of them, whatever these are.
@safe
struct RingReader {
  private let bytes: UnsafeRawBufferPointer
  private let identity: UInt64
  /// Of the ring.
  let capacity: Int
  /// The offset of the first byte of a part; nil if the bytes are the ring.
  private let start: UInt64?

  /// What begins at an offset.
  @safe
  struct Entry {
    /// Nil: a gap before the ring's end.
    var record: LoggedRecord?
    /// Where the next one begins.
    var end: UInt64
  }

  init(_ bytes: UnsafeRawBufferPointer, identity: UInt64) {
    unsafe self.bytes = bytes
    self.identity = identity
    capacity = bytes.count
    start = nil
  }

  /// - Parameters:
  ///   - bytes: what the log has from `start` on, in one piece where the ring had it in two.
  ///   - capacity: of the ring.
  init(_ bytes: UnsafeRawBufferPointer, from start: UInt64, capacity: Int, identity: UInt64) {
    unsafe self.bytes = bytes
    self.identity = identity
    self.capacity = capacity
    self.start = start
  }

  /// The record or gap that begins at `offset`, if one does and it is sound.
  ///
  /// Nothing outside of the bytes is read, and `end` is always greater than `offset`.
  func entry(at offset: UInt64) -> Entry? {
    guard offset % UInt64(RecordHeader.alignment) == 0 else { return nil }
    let remaining = Ring.remaining(from: offset, capacity: capacity)
    // Too short for a header: nothing was written there.
    guard remaining >= RecordHeader.size else { return gap(at: offset, remaining) }
    let place = start.map { offset >= $0 ? Int(clamping: offset - $0) : .max } ?? capacity - remaining
    guard unsafe place < bytes.count else { return nil }
    let rest = unsafe bytes[place...].prefix(remaining)
    guard unsafe rest.count >= RecordHeader.size else { return nil }
    let header = unsafe rest.loadUnaligned(as: RecordHeader.self)
    let kind = RecordKind(rawValue: header.kind)
    guard header.offset == offset, kind != nil || header.kind == RecordKind.gap else { return nil }
    let whole = unsafe rest.prefix(RecordHeader.size + (kind == nil ? 0 : Int(header.length)))
    guard unsafe whole.count == RecordHeader.size + (kind == nil ? 0 : Int(header.length)),
      unsafe header.checksum
        == RecordHeader.checksum(of: UnsafeRawBufferPointer(rebasing: whole), identity: identity)
    else { return nil }
    guard let kind else { return gap(at: offset, remaining) }
    let (end, overflow) = offset.addingReportingOverflow(UInt64(RecordHeader.space(Int(header.length))))
    if overflow { return nil }
    let payload = unsafe UnsafeRawBufferPointer(rebasing: whole.dropFirst(RecordHeader.size))
    return unsafe Entry(
      record: LoggedRecord(kind, connection: header.connection, payload, header.reading), end: end)
  }

  private func gap(at offset: UInt64, _ length: Int) -> Entry? {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(length))
    return overflow ? nil : Entry(record: nil, end: end)
  }
}
