/// A row of `pending_input`.
struct InputRecord {
  static let columns = 5
  /// A row has so many bytes at the most, which ``PageReader`` must take.
  static let mostBytes = 1 << 20

  var start: LogPosition
  var ringSize: Int
  var bytes: [UInt8]

  /// Binds what is to be stored of bytes that stay where they are until the statement has run.
  static func bind(_ bytes: UnsafeRawBufferPointer, start: LogPosition, ringSize: Int, to statement: Statement) {
    statement.bind(0, Int64(clamping: start.offset))
    statement.bind(1, Int64(bitPattern: start.log))
    statement.bind(2, Int64(ringSize))
    unsafe statement.bind(3, lastingBlob: bytes)
    statement.bind(4, unsafe checksum(bytes, start, ringSize).value)
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ start: LogPosition, _ ringSize: Int) -> RowChecksum {
    var sum = RowChecksum(.pendingInput)
    sum.add(Int64(clamping: start.offset))
    sum.add(start.log)
    sum.add(Int64(ringSize))
    unsafe sum.add(bytes)
    return sum
  }

  init?(_ source: some RowSource) {
    guard let offset = source.count(0), let log = source.integer(1),
      let ringSize = source.count(2).flatMap({ Int(exactly: $0) }), ringSize > 0, let bytes = source.blob(3)
    else { return nil }
    start = LogPosition(log: UInt64(bitPattern: log), offset: offset)
    self.ringSize = ringSize
    self.bytes = bytes
    let sum = unsafe bytes.withUnsafeBytes { unsafe Self.checksum($0, start, ringSize) }
    guard sum.fits(source.integer(4)) else { return nil }
  }
}

extension Statements {
  /// Writes bytes of an intake log that begin at `start`, and moves that to their end.
  func writeInput(
    _ bytes: UnsafeRawBufferPointer, from start: inout LogPosition, ringSize: Int
  ) throws(StorageError) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(InputRecord.mostBytes))
      unsafe InputRecord.bind(part, start: start, ringSize: ringSize, to: writePendingInput)
      try writePendingInput.run()
      start.offset += UInt64(part.count)
      unsafe rest = rest.dropFirst(part.count)
    }
  }

  /// Writes what was stored in another database.
  func write(_ input: PendingInput?) throws(StorageError) {
    guard let input else { return }
    var start = input.start
    try unsafe input.bytes.withUnsafeBufferPointer { bytes throws(StorageError) in
      try unsafe writeInput(UnsafeRawBufferPointer(bytes), from: &start, ringSize: input.ringSize)
    }
  }
}
