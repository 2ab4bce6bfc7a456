/// A growing row of plain values, addressed by number without bounds or exclusivity checks in release builds.
///
/// The tables of this layer are on the path of every use; their indices come only from the tables themselves.
@safe
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var storage: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  init() {
    unsafe storage = .allocate(capacity: 8)
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// Appends a value and returns its number.
  mutating func append(_ element: Element) -> UInt32 {
    if unsafe count == storage.count {
      let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: count * 2)
      _ = unsafe larger.moveInitialize(fromContentsOf: storage)
      unsafe storage.deallocate()
      unsafe storage = larger
    }
    unsafe storage.initializeElement(at: count, to: element)
    defer { count += 1 }
    return UInt32(count)
  }

  subscript(number: UInt32) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe mutableAddress(of: number) }
  }

  /// Where a value lies, valid until the next append.
  @inline(__always)
  func address(of number: UInt32) -> UnsafePointer<Element> {
    assert(number < count)
    return unsafe UnsafePointer(storage.baseAddress! + Int(number))
  }

  /// Where a value lies for writing, valid until the next append.
  @inline(__always)
  mutating func mutableAddress(of number: UInt32) -> UnsafeMutablePointer<Element> {
    assert(number < count)
    return unsafe storage.baseAddress! + Int(number)
  }
}
