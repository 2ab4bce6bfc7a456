import func Glibc.memcmp

/// Where a name lies in a ``NameArena``: 1 to 255 bytes.
struct NameReference: Equatable {
  /// In units of 8 bytes, so that 32 bits reach over 32 GiB of names.
  fileprivate let offset: UInt32
  let length: UInt8
}

/// The bytes of names, one after another in one block; the place of one that was removed serves another of its size.
@safe
struct NameArena: ~Copyable {
  private var storage: UnsafeMutableRawPointer
  private var capacity = 1024
  private var used = 0
  /// Places that are free, by their size in units less one.
  private var free = [[UInt32]](repeating: [], count: 32)

  private static let unit = 8

  init() {
    unsafe storage = .allocate(byteCount: capacity, alignment: Self.unit)
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// Keeps a copy of `name`, which has 1 to 255 bytes.
  ///
  /// - Complexity: O(1) amortised.
  mutating func append(_ name: UnsafeRawBufferPointer) -> NameReference {
    precondition((1...255).contains(name.count))
    let units = Self.units(name.count)
    let offset = free[units - 1].popLast() ?? makeRoom(units)
    let place = unsafe storage + Int(offset) * Self.unit
    unsafe UnsafeMutableRawBufferPointer(start: place, count: name.count).copyMemory(from: name)
    return NameReference(offset: offset, length: UInt8(name.count))
  }

  private static func units(_ length: Int) -> Int { (length + unit - 1) / unit }

  /// A place at the end.
  private mutating func makeRoom(_ units: Int) -> UInt32 {
    let end = used + units * Self.unit
    if end > capacity {
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: Self.unit)
      unsafe larger.copyMemory(from: storage, byteCount: used)
      unsafe storage.deallocate()
      unsafe storage = larger
      capacity *= 2
    }
    defer { used = end }
    return UInt32(used / Self.unit)
  }

  /// Wipes a name out; its place is free for another.
  mutating func remove(_ name: NameReference) {
    let place = unsafe storage + Int(name.offset) * Self.unit
    unsafe UnsafeMutableRawBufferPointer(start: place, count: Int(name.length)).initializeMemory(
      as: UInt8.self, repeating: 0)
    free[Self.units(Int(name.length)) - 1].append(name.offset)
  }

  /// The bytes of a name, valid until the next ``append(_:)``.
  @inline(__always)
  func bytes(_ name: NameReference) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: storage + Int(name.offset) &* Self.unit, count: Int(name.length))
  }

  /// Whether a kept name has these very bytes.
  @inline(__always)
  func equals(_ name: NameReference, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard Int(name.length) == bytes.count, let start = bytes.baseAddress else { return false }
    return unsafe memcmp(storage + Int(name.offset) &* Self.unit, start, bytes.count) == 0
  }

  /// Whether one name's bytes sort before another's.
  func precedes(_ first: NameReference, _ second: NameReference) -> Bool {
    unsafe bytes(first).lexicographicallyPrecedes(bytes(second))
  }
}
