import func Glibc.free

/// From the hash of a name to the number of what bears it: open addressing with linear probing.
///
/// A slot is 8 bytes: 32 bits of hash, which also give the home position, and a 32-bit number. Nothing is ever
/// compared but those bits; the owner of the names says whether a number's name is the one looked for.
@safe
struct SlotIndex: ~Copyable {
  private var slots: UnsafeMutableBufferPointer<UInt64>
  private(set) var count = 0

  private static let empty = UInt64.max

  init() {
    unsafe slots = Self.allocate(capacity: 16)
  }

  deinit {
    unsafe free(slots.baseAddress)
  }

  private static func allocate(capacity: Int) -> UnsafeMutableBufferPointer<UInt64> {
    let block = unsafe LargeBlock.reallocate(nil, bytes: capacity * MemoryLayout<UInt64>.stride)
    let slots = unsafe UnsafeMutableBufferPointer(
      start: block.bindMemory(to: UInt64.self, capacity: capacity), count: capacity)
    unsafe slots.initialize(repeating: empty)
    return unsafe slots
  }

  /// The part of a hash that the index works with.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  /// The number filed under `tag` for which `matches` holds.
  ///
  /// - Complexity: O(1) on average, with the load kept under 5/8.
  @inline(__always)
  func find(_ tag: UInt32, matching matches: (UInt32) -> Bool) -> UInt32? {
    let mask = unsafe slots.count &- 1
    var position = Int(tag) & mask
    while true {
      let slot = unsafe slots[position]
      if slot == Self.empty { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == tag {
        let number = UInt32(truncatingIfNeeded: slot)
        if matches(number) { return number }
      }
      position = (position &+ 1) & mask
    }
  }

  /// Files `number` under `tag`. The caller has made sure that it is not there yet; `.max` is no number.
  ///
  /// - Complexity: O(1) amortised; doubles the slots when they get crowded.
  mutating func insert(_ tag: UInt32, _ number: UInt32) {
    if unsafe (count + 1) * 8 > slots.count * 5 { unsafe grow(to: slots.count * 2) }
    place(UInt64(tag) << 32 | UInt64(number))
    count += 1
  }

  /// Takes `number` out, which is filed under `tag`.
  ///
  /// What was pushed on by it moves back, so that no mark of it is left behind (D. Knuth, "The Art of Computer
  /// Programming", vol. 3, algorithm 6.4 R).
  /// - Complexity: O(1) on average.
  mutating func remove(_ tag: UInt32, _ number: UInt32) {
    let mask = unsafe slots.count &- 1
    var hole = Int(tag) & mask
    while unsafe slots[hole] != UInt64(tag) << 32 | UInt64(number) {
      unsafe precondition(slots[hole] != Self.empty, "only what is filed is taken out")
      hole = (hole &+ 1) & mask
    }
    var next = (hole &+ 1) & mask
    while unsafe slots[next] != Self.empty {
      let home = unsafe Int(slots[next] >> 32) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        unsafe slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    unsafe slots[hole] = Self.empty
    count -= 1
  }

  /// Makes room for so many more.
  mutating func reserve(_ additional: Int) {
    var capacity = unsafe slots.count
    while (count + additional) * 8 > capacity * 5 { capacity *= 2 }
    if unsafe capacity > slots.count { grow(to: capacity) }
  }

  private mutating func grow(to capacity: Int) {
    let old = unsafe slots
    unsafe slots = Self.allocate(capacity: capacity)
    for index in old.indices where unsafe old[index] != Self.empty {
      unsafe place(old[index])
    }
    unsafe free(old.baseAddress)
  }

  private mutating func place(_ slot: UInt64) {
    let mask = unsafe slots.count &- 1
    var position = Int(slot >> 32) & mask
    while unsafe slots[position] != Self.empty { position = (position &+ 1) & mask }
    unsafe slots[position] = slot
  }
}
