import func Glibc.free
import func Glibc.memmove

/// From the hash of a name to the number of what bears it: open addressing with linear probing, in the order of the hashes.
///
/// A slot is 8 bytes: 32 bits of hash, which also give the home position, and a 32-bit number. Nothing is ever compared but
/// those bits; the owner of the names says whether a number's name is the one looked for. As whoever has the lesser hash
/// stands before, a search that fails ends as soon as one that succeeds, and the slots may be nearly full; and as order
/// stays when the slots become more, they are copied from one end to the other. (O. Amble and D. Knuth, "Ordered hash
/// tables", 1974)
@safe
struct SlotIndex: ~Copyable {
  private var slots: UnsafeMutablePointer<UInt64>
  private(set) var count = 0
  /// How many home positions there are, and how many slots: those behind are for who is pushed on from the last ones.
  private var homes = 16
  private var capacity: Int

  private static let empty = UInt64.max

  init() {
    capacity = Self.capacity(homes: homes)
    unsafe slots = Self.allocate(capacity)
  }

  deinit {
    unsafe free(slots)
  }

  private static func capacity(homes: Int) -> Int { homes + homes / 32 + 64 }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
    let block = unsafe LargeBlock.reallocate(nil, bytes: capacity * MemoryLayout<UInt64>.stride)
    let slots = unsafe block.bindMemory(to: UInt64.self, capacity: capacity)
    unsafe slots.initialize(repeating: empty, count: capacity)
    return unsafe slots
  }

  /// The part of a hash that the index works with.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  @inline(__always)
  private static func tag(ofSlot slot: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: slot >> 32) }

  @inline(__always)
  private func home(_ tag: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(tag) &* UInt64(homes)) >> 32) }

  /// The number filed under `tag` for which `matches` holds.
  ///
  /// - Complexity: O(1) on average, with the load kept under 7/8.
  @inline(__always)
  func find(_ tag: UInt32, matching matches: (UInt32) -> Bool) -> UInt32? {
    var position = home(tag)
    while true {
      let slot = unsafe slots[position]
      let found = Self.tag(ofSlot: slot)
      if found >= tag {
        if found > tag || slot == Self.empty { return nil }
        let number = UInt32(truncatingIfNeeded: slot)
        if matches(number) { return number }
      }
      position &+= 1
    }
  }

  /// Reads where ``find(_:matching:)`` begins to look; what it returns means nothing.
  @inline(__always)
  func reach(_ tag: UInt32) -> UInt64 { unsafe slots[home(tag)] }

  /// Files `number` under `tag`. The caller has made sure that it is not there yet; `.max` is no number.
  ///
  /// - Complexity: O(1) amortised; makes the slots more by a quarter when they get crowded.
  mutating func insert(_ tag: UInt32, _ number: UInt32) {
    if (count + 1) * 8 > homes * 7 { grow(to: homes + homes / 4) }
    while !place(UInt64(tag) << 32 | UInt64(number)) { grow(to: homes + homes / 4) }
    count += 1
  }

  /// Puts a slot where it belongs, and pushes on who stands there; false if there is no room behind.
  private mutating func place(_ slot: UInt64) -> Bool {
    let tag = Self.tag(ofSlot: slot)
    var position = home(tag)
    while unsafe slots[position] != Self.empty && Self.tag(ofSlot: slots[position]) <= tag { position += 1 }
    var end = position
    while unsafe slots[end] != Self.empty { end += 1 }
    // The last one stays empty: there every search ends.
    if end >= capacity - 1 { return false }
    unsafe memmove(slots + position + 1, slots + position, (end - position) * MemoryLayout<UInt64>.stride)
    unsafe slots[position] = slot
    return true
  }

  /// Takes `number` out, which is filed under `tag`.
  ///
  /// What was pushed on by it moves back, so that no mark of it is left behind.
  /// - Complexity: O(1) on average.
  mutating func remove(_ tag: UInt32, _ number: UInt32) {
    var hole = home(tag)
    while unsafe slots[hole] != UInt64(tag) << 32 | UInt64(number) {
      unsafe precondition(
        slots[hole] != Self.empty && Self.tag(ofSlot: slots[hole]) <= tag, "only what is filed is taken out")
      hole += 1
    }
    while unsafe slots[hole + 1] != Self.empty && home(Self.tag(ofSlot: slots[hole + 1])) <= hole {
      unsafe slots[hole] = slots[hole + 1]
      hole += 1
    }
    unsafe slots[hole] = Self.empty
    count -= 1
  }

  /// Makes room for so many more.
  mutating func reserve(_ additional: Int) {
    let needed = (count + additional) * 8 / 7 + 1
    if needed > homes { grow(to: needed) }
  }

  private mutating func grow(to newHomes: Int) {
    let (old, oldCapacity) = unsafe (slots, capacity)
    homes = newHomes
    capacity = Self.capacity(homes: homes)
    unsafe slots = Self.allocate(capacity)
    var next = 0
    for position in 0..<oldCapacity where unsafe old[position] != Self.empty {
      next = unsafe max(next, home(Self.tag(ofSlot: old[position])))
      precondition(next < capacity - 1, "a hash spreads what is filed")
      unsafe slots[next] = old[position]
      next += 1
    }
    unsafe free(old)
  }
}
