import func Glibc.free

/// A growing row of plain values, addressed by number without bounds or exclusivity checks in release builds.
///
/// The tables of this layer are on the path of every use; their indices come only from the tables themselves.
@safe
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var storage: UnsafeMutablePointer<Element>
  private var capacity = 8
  /// From so many values on room is made for a quarter more, as large blocks are moved without being copied.
  private static var many: Int { 4096 }
  private(set) var count = 0

  init() {
    unsafe storage = Self.allocate(nil, capacity)
  }

  deinit {
    unsafe Glibc.free(storage)
  }

  private static func allocate(
    _ old: UnsafeMutablePointer<Element>?, _ capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    precondition(MemoryLayout<Element>.alignment <= 16, "the C library aligns to 16 bytes")
    return unsafe LargeBlock.reallocate(old, bytes: capacity * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: capacity)
  }

  /// Appends a value and returns its number.
  mutating func append(_ element: Element) -> UInt32 {
    if count == capacity { grow(to: capacity < Self.many ? 2 * capacity : capacity + capacity / 4) }
    unsafe (storage + count).initialize(to: element)
    defer { count += 1 }
    return UInt32(count)
  }

  /// Makes room for so many values more.
  mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(to: count + additional) }
  }

  private mutating func grow(to newCapacity: Int) {
    capacity = newCapacity
    unsafe storage = Self.allocate(storage, capacity)
  }

  subscript(number: UInt32) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe mutableAddress(of: number) }
  }

  /// Where a value lies, valid until the next append.
  @inline(__always)
  func address(of number: UInt32) -> UnsafePointer<Element> {
    assert(number < count)
    return unsafe UnsafePointer(storage + Int(number))
  }

  /// Where a value lies for writing, valid until the next append.
  @inline(__always)
  mutating func mutableAddress(of number: UInt32) -> UnsafeMutablePointer<Element> {
    assert(number < count)
    return unsafe storage + Int(number)
  }
}
