import func Glibc.free
import func Glibc.memcmp

/// Where a name lies in a ``NameArena``.
struct NameReference: Equatable, BitwiseCopyable {
  /// In units of 4 bytes, so that 31 bits reach over 8 GiB of names.
  private var bits: UInt32
  private static let partFlag: UInt32 = 1 << 31

  /// That of no name.
  static let none = NameReference(offset: ~partFlag)

  fileprivate init(offset: UInt32) { bits = offset }

  @inline(__always)
  fileprivate var offset: UInt32 { bits & ~Self.partFlag }

  /// Whether it is only a part of what its owner names by it.
  var isPart: Bool {
    @inline(__always) get { bits & Self.partFlag != 0 }
    set { bits = newValue ? bits | Self.partFlag : offset }
  }
}

/// Names of at most 255 bytes, each behind its length, one after another in one block; the place of one that was removed
/// serves another of its size.
@safe
struct NameArena: ~Copyable {
  private var storage: UnsafeMutableRawPointer
  private var capacity = 1024
  private var used = 0
  /// Places that are free, by their size in units less one.
  private var free = [[UInt32]](repeating: [], count: 64)

  private static let unit = 4

  init() {
    unsafe storage = LargeBlock.reallocate(nil, bytes: capacity)
  }

  deinit {
    unsafe Glibc.free(storage)
  }

  /// Keeps a copy of `name`, which has at most 255 bytes.
  ///
  /// - Complexity: O(1) amortised.
  mutating func append(_ name: UnsafeRawBufferPointer) -> NameReference {
    precondition(name.count <= 255)
    let units = Self.units(name.count)
    let offset = free[units - 1].popLast() ?? makeRoom(units)
    let place = unsafe storage + Int(offset) * Self.unit
    unsafe place.storeBytes(of: UInt8(name.count), as: UInt8.self)
    unsafe UnsafeMutableRawBufferPointer(start: place + 1, count: name.count).copyMemory(from: name)
    return NameReference(offset: offset)
  }

  private static func units(_ length: Int) -> Int { (1 + length + unit - 1) / unit }

  /// A place at the end.
  private mutating func makeRoom(_ units: Int) -> UInt32 {
    let end = used + units * Self.unit
    if end > capacity {
      capacity *= 2
      unsafe storage = LargeBlock.reallocate(storage, bytes: capacity)
    }
    defer { used = end }
    precondition(used / Self.unit < 1 << 31, "there is not so much memory for names")
    return UInt32(used / Self.unit)
  }

  /// Wipes a name out; its place is free for another.
  mutating func remove(_ name: NameReference) {
    let count = unsafe bytes(name).count
    let place = unsafe storage + Int(name.offset) * Self.unit
    unsafe UnsafeMutableRawBufferPointer(start: place, count: 1 + count).initializeMemory(
      as: UInt8.self, repeating: 0)
    free[Self.units(count) - 1].append(name.offset)
  }

  /// The bytes of a name, valid until the next ``append(_:)``.
  @inline(__always)
  func bytes(_ name: NameReference) -> UnsafeRawBufferPointer {
    let place = unsafe storage + Int(name.offset) &* Self.unit
    return unsafe UnsafeRawBufferPointer(start: place + 1, count: Int(place.load(as: UInt8.self)))
  }

  /// How long a name is, bytes.
  @inline(__always)
  func length(_ name: NameReference) -> Int {
    unsafe Int((storage + Int(name.offset) &* Self.unit).load(as: UInt8.self))
  }

  /// Whether a kept name has these very bytes.
  @inline(__always)
  func equals(_ name: NameReference, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let kept = unsafe self.bytes(name)
    guard kept.count == bytes.count else { return false }
    guard let start = kept.baseAddress, let other = bytes.baseAddress else { return true }
    return unsafe Self.areEqual(start, other, kept.count)
  }

  /// Whether some bytes begin with a kept name.
  @inline(__always)
  func begins(_ bytes: UnsafeRawBufferPointer, with name: NameReference) -> Bool {
    unsafe Self.begins(bytes, with: self.bytes(name))
  }

  /// Whether some bytes begin with others.
  @inline(__always)
  static func begins(_ bytes: UnsafeRawBufferPointer, with others: UnsafeRawBufferPointer) -> Bool {
    guard others.count <= bytes.count else { return false }
    guard let start = others.baseAddress, let other = bytes.baseAddress else { return true }
    return unsafe areEqual(start, other, others.count)
  }

  /// Word by word, the last one perhaps with some bytes for the second time: names are short, and a call is not.
  @inline(__always)
  private static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
    if count < 8 { return unsafe memcmp(one, other, count) == 0 }
    var (place, difference) = (0, UInt64(0))
    let last = count &- 8
    while place < last {
      difference |= unsafe SeededHash.word(one + place) ^ SeededHash.word(other + place)
      place &+= 8
    }
    return unsafe (difference | (SeededHash.word(one + last) ^ SeededHash.word(other + last))) == 0
  }

  /// Whether one name's bytes sort before another's.
  func precedes(_ first: NameReference, _ second: NameReference) -> Bool {
    unsafe bytes(first).lexicographicallyPrecedes(bytes(second))
  }
}
