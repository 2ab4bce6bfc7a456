/// A few uses of one moment that name nothing but their action, to be counted together.
///
/// What each of them needs of the tables is asked for before any of them waits for it: of a million actions each lies
/// somewhere that no cache has.
@safe
package struct UseGroup {
  /// So many uses are counted together.
  private static let capacity = 16

  package private(set) var count = 0
  private var ids: InlineArray<16, UnsafeRawBufferPointer>
  /// The hashes of the ids, and who has them, once they are looked up.
  fileprivate var hashes = InlineArray<16, UInt64>(repeating: 0)
  fileprivate var likely = InlineArray<16, UInt32>(repeating: 0)

  package init() {
    unsafe ids = InlineArray(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  package var isEmpty: Bool { count == 0 }

  /// Adds a use of an action; there is room for it. The id, 1 to 255 bytes, is valid until the group is counted.
  ///
  /// - Returns: whether the group is full now.
  package mutating func add(_ id: UnsafeRawBufferPointer) -> Bool {
    unsafe ids[count] = id
    count &+= 1
    return count == Self.capacity
  }

  @inline(__always)
  fileprivate subscript(index: Int) -> UnsafeRawBufferPointer { unsafe ids[index] }

  fileprivate mutating func removeAll() { count = 0 }
}

/// What an action is found by.
@safe
struct ActionKey {
  /// The id, 1 to 255 bytes, valid as long as this is used.
  let id: UnsafeRawBufferPointer
  /// That of the id, by ``ActionTable/hash(_:)``.
  let hash: UInt64
  /// The number of who is probably meant; `.max` for nobody.
  var likely = UInt32.max
}

extension ActionRanking {
  /// So few actions are all at hand anyway.
  private static var fewActions: Int { 2_000 }

  /// Counts a use of each action of a group, in their order, and empties it.
  ///
  /// - Returns: how many were counted; the others are blocked, or their apps are.
  /// - Complexity: O(1) on average for each.
  package mutating func count(_ group: inout UseGroup, at time: UseTime) -> Int {
    for index in 0..<group.count { unsafe group.hashes[index] = actions.hash(group[index]) }
    reach(&group)
    var counted = 0
    for index in 0..<group.count {
      let key = unsafe ActionKey(id: group[index], hash: group.hashes[index], likely: group.likely[index])
      if unsafe count(key, app: nil, uses: 1, at: time) { counted &+= 1 }
    }
    group.removeAll()
    return counted
  }

  /// Reads what will be read of the actions of a group, of all of them at each step.
  @inline(__always)
  private mutating func reach(_ group: inout UseGroup) {
    var sum: UInt64 = 0
    let areMany = actionCount > Self.fewActions
    if areMany { for index in 0..<group.count { sum &+= actions.reachIndex(group.hashes[index]) } }
    for index in 0..<group.count { group.likely[index] = actions.candidate(group.hashes[index]) }
    if !areMany { return }
    for index in 0..<group.count { sum &+= actions.reachRecord(group.likely[index]) }
    for index in 0..<group.count { sum &+= actions.reachName(group.likely[index]) }
    // What is read must be used for something, or it would not be.
    reached &+= sum
  }
}
