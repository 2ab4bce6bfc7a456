/// Where the parser puts together what does not lie in the line as it is meant: strings with escapes, and a type and a
/// target that become one id. Emptied before each line.
@safe struct Scratch: ~Copyable {
  /// An action's two halves, an app and an idempotency id, each one byte over its limit, and one `#`.
  static let capacity = 3 * (IdRules.maxNameBytes + 1) + 1 + IdRules.maxIdempotencyBytes + 1

  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init() { unsafe buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.capacity, alignment: 1) }

  deinit { unsafe buffer.deallocate() }

  mutating func removeAll() { count = 0 }

  mutating func append(_ byte: UInt8) {
    precondition(count < Self.capacity)
    unsafe buffer[count] = byte
    count += 1
  }

  mutating func append(_ bytes: Bytes) {
    precondition(bytes.count <= Self.capacity - count)
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes.raw)
    count += bytes.count
  }

  /// What was appended since it held `start` bytes; valid until it is emptied.
  func bytes(from start: Int) -> Bytes {
    unsafe Bytes(UnsafeRawBufferPointer(buffer))[start..<count]
  }
}
