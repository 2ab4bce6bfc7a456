/// When actions were used, by the hour, and what of it is not stored yet.
///
/// Nearly all uses fall into the hour that is going on; for these an action's own count is enough to tell at a commit
/// how many came. Only uses dated into another hour are noted one by one.
struct UseHistory: ~Copyable {
  struct Key: Hashable {
    let action: UInt32
    let hour: Int64
  }

  /// Actions that have to be stored. Each stands in the group whose mark it bears; where it stood before, it may be
  /// listed still.
  struct Group {
    /// What those bear that stand in it, 1 to ``ActionRecord/lastMark``; what has not to be stored bears 0.
    let mark: UInt8
    /// The hour of their uses that are in none of the notes.
    let hour: Int64
    var actions: [UInt32] = []
  }

  /// Where actions go that are used now. Its hour is the one that is going on.
  private(set) var current = Group(mark: 1, hour: 0)
  /// Those of hours that are over, as long as no commit has begun since and they were not used again.
  private(set) var earlier: [Group] = []
  /// So many at most, which matters only where no commit succeeds for as many hours.
  private static let mostEarlier = 16
  /// What the commit under way has still to copy.
  private(set) var frozen: [Group] = []
  /// How much of the first of these was looked at.
  private var nextFrozenPlace = 0
  private var frozenHours: [Key: UInt64] = [:]
  private var nextFrozenHour = [Key: UInt64]().startIndex
  /// How many actions stand in ``current`` and ``earlier``.
  private var count = 0

  private var otherHours: [Key: UInt64] = [:]
  /// Uses of which it is not known any more in which hour they were; their actions have them all the same.
  private(set) var dropped: UInt64 = 0
  /// The wall times that the hour going on spans.
  private var span: Range<Int64> = 0..<UseHour.length
  /// Whether actions were removed since ``dropRemoved(in:)``.
  private var hasRemoved = false

  // MARK: What has to be stored

  /// How many actions have to be stored that the commit under way does not contain.
  var uncommittedCount: Int { count }
  /// Whether anything has to be stored that the commit under way does not contain.
  var hasUncommitted: Bool { count > 0 }

  /// Has an action, which is not frozen and not in ``current``, stored. Its uses of an hour that is over are noted.
  mutating func add(_ action: UInt32, in actions: inout ActionTable) {
    settleHour(of: action, in: &actions)
    if actions[action].mark == 0 { count += 1 }
    actions[action].mark = current.mark
    current.actions.append(action)
  }

  /// Has an action, which is not frozen, not stored.
  mutating func drop(_ action: UInt32, in actions: inout ActionTable) {
    if actions[action].mark != 0 { count -= 1 }
    actions[action].mark = 0
  }

  /// Takes note that an action was removed, which had not to be stored any more.
  mutating func noteRemoval() { hasRemoved = true }

  private mutating func settleHour(of action: UInt32, in actions: inout ActionTable) {
    let mark = actions[action].mark
    guard mark != 0, let group = earlier.first(where: { $0.mark == mark }) else { return }
    let uses = Self.takeUses(action, in: &actions)
    if uses > 0 { add(uses, to: Key(action: action, hour: group.hour)) }
  }

  /// Notes all uses of hours that are over under them.
  ///
  /// - Complexity: O(actions that were used in them last).
  mutating func settleEarlier(in actions: inout ActionTable) {
    while !earlier.isEmpty { settleOldest(in: &actions) }
  }

  private mutating func settleOldest(in actions: inout ActionTable) {
    let oldest = earlier[0]
    for action in oldest.actions where actions[action].mark == oldest.mark { add(action, in: &actions) }
    earlier.removeFirst()
  }

  private func freeMark() -> UInt8 {
    let taken = Set((earlier + frozen).map(\.mark) + [current.mark])
    var mark = current.mark
    repeat { mark = mark % ActionRecord.lastMark + 1 } while taken.contains(mark)
    return mark
  }

  /// Drops what is noted of actions that were removed.
  ///
  /// - Complexity: O(what is noted), if any were.
  mutating func dropRemoved(in actions: borrowing ActionTable) {
    if !hasRemoved { return }
    hasRemoved = false
    let hours = otherHours
    otherHours = [:]
    for (key, uses) in hours where actions[key.action].isPresent { otherHours[key] = uses }
    // Who was removed may be listed often by now.
    if current.actions.count < 2 * count + 4096 { return }
    let listed = current.actions
    current.actions = []
    for action in listed where actions[action].mark == current.mark { current.actions.append(action) }
  }

  // MARK: Copying

  /// Sets apart what has to be stored now. Nothing is frozen when this is called.
  mutating func freeze(in actions: borrowing ActionTable) {
    dropRemoved(in: actions)
    assert(frozen.isEmpty && nextFrozenHour == frozenHours.endIndex, "one commit is under way at a time")
    frozen = earlier + [current]
    earlier = []
    current = Group(mark: freeMark(), hour: current.hour)
    count = 0
    (frozenHours, otherHours) = (otherHours, [:])
    nextFrozenHour = frozenHours.startIndex
  }

  /// How many actions and hours are frozen at the most.
  var frozenCount: (actions: Int, hours: Int) {
    (frozen.reduce(0) { $0 + $1.actions.count }, frozenHours.count)
  }

  /// Whether an action is frozen that bears this mark.
  func isFrozen(_ mark: UInt8) -> Bool { mark != 0 && frozen.contains { $0.mark == mark } }

  /// Whether actions may be frozen that were not looked at.
  var hasFrozenActions: Bool { !frozen.isEmpty }

  /// The next action that is frozen, in the order in which they were noted first; nil if none is among so many of those
  /// that are looked at next, which it takes off.
  mutating func nextFrozen(in actions: borrowing ActionTable, among left: inout Int) -> UInt32? {
    while !frozen.isEmpty {
      while nextFrozenPlace < frozen[0].actions.count {
        if left == 0 { return nil }
        left -= 1
        let action = frozen[0].actions[nextFrozenPlace]
        nextFrozenPlace += 1
        // Also if it stands in a later group now.
        if isFrozen(actions[action].mark) { return action }
      }
      frozen.removeFirst()
      nextFrozenPlace = 0
    }
    return nil
  }

  /// Has an action frozen no more. Returns its uses that are in none of the notes, and their hour.
  mutating func thaw(_ action: UInt32, in actions: inout ActionTable) -> (hour: Int64, uses: UInt64) {
    let hour = frozen.first { $0.mark == actions[action].mark }?.hour ?? current.hour
    actions[action].mark = 0
    return (hour, Self.takeUses(action, in: &actions))
  }

  /// The next of the notes that were frozen; nil if there is none left.
  mutating func nextFrozenNote() -> HourOfUse? {
    if nextFrozenHour == frozenHours.endIndex { return nil }
    let (key, uses) = frozenHours[nextFrozenHour]
    nextFrozenHour = frozenHours.index(after: nextFrozenHour)
    if nextFrozenHour == frozenHours.endIndex {
      frozenHours = [:]
      nextFrozenHour = frozenHours.startIndex
    }
    return HourOfUse(action: key.action, hour: key.hour, uses: uses)
  }

  /// Whether some notes are frozen.
  var hasFrozenNotes: Bool { nextFrozenHour != frozenHours.endIndex }

  // MARK: Hours

  /// Takes note of uses that have just been added to the action's count.
  @inline(__always)
  mutating func note(_ action: UInt32, uses: UInt32, at wall: Int64, in actions: inout ActionTable) {
    actions[action].noteUse(at: wall)
    if span.contains(wall) {
      addFresh(UInt64(uses), to: action, in: &actions)
    } else {
      add(UInt64(uses), to: Key(action: action, hour: UseHour.number(of: wall)))
    }
  }

  /// Adds uses of the hour that is going on. What an action itself has no room for is noted.
  @inline(__always)
  private mutating func addFresh(_ uses: UInt64, to action: UInt32, in actions: inout ActionTable) {
    let sum = UInt64(actions[action].fresh) &+ uses
    if sum <= UInt16.max {
      actions[action].fresh = UInt16(truncatingIfNeeded: sum)
    } else {
      add(uses, to: Key(action: action, hour: current.hour))
    }
  }

  /// So many hours of actions are noted one by one before it is time for a commit.
  var manyHours = 50_000
  /// So many at most, some 60 MB: only where no commit succeeds for long can there be more.
  var mostHours = 1_000_000

  private mutating func add(_ uses: UInt64, to key: Key) {
    if let known = otherHours[key] {
      otherHours[key] = known.saturatingAdding(uses)
    } else if otherHours.count < mostHours {
      otherHours[key] = uses
    } else {
      dropped = dropped.saturatingAdding(uses)
    }
  }

  /// Whether it is time for a commit to take what was noted.
  var hasManyHours: Bool { otherHours.count >= manyHours }

  /// Goes over to the hour that `wall` lies in; uses of the hour before count under it.
  mutating func begin(hourOf wall: Int64, in actions: inout ActionTable) {
    let hour = UseHour.number(of: wall)
    if hour == current.hour { return }
    if current.actions.isEmpty {
      current = Group(mark: current.mark, hour: hour)
    } else {
      earlier.append(current)
      current = Group(mark: freeMark(), hour: hour)
      if earlier.count > Self.mostEarlier { settleOldest(in: &actions) }
    }
    let start = hour * UseHour.length
    span = start..<start.saturatingAdding(UseHour.length)
  }

  private static func takeUses(_ action: UInt32, in actions: inout ActionTable) -> UInt64 {
    defer { actions[action].fresh = 0 }
    return UInt64(actions[action].fresh)
  }

  /// Gives back what could not be stored of an action.
  mutating func giveBack(_ uses: UInt64, of action: UInt32, inHour hour: Int64) {
    add(uses, to: Key(action: action, hour: hour))
  }

  /// Puts what is known of some actions under others, which have been given the uses of the former. No hour that is over
  /// is to be settled.
  ///
  /// - Complexity: O(`others` and what is noted).
  mutating func merge(_ others: [UInt32: UInt32], in actions: inout ActionTable) {
    if others.isEmpty { return }
    for (action, other) in others {
      actions[other].firstUsed = min(actions[other].firstUsed, actions[action].firstUsed)
      addFresh(Self.takeUses(action, in: &actions), to: other, in: &actions)
    }
    let hours = otherHours
    otherHours = [:]
    for (key, uses) in hours { add(uses, to: Key(action: others[key.action] ?? key.action, hour: key.hour)) }
  }

  // MARK: Forgetting

  /// Uses by action and hour.
  typealias Hours = [UInt32: [Int64: UInt64]]

  /// Adds the uses that were not handed over yet to what is known of them.
  func addUncommitted(to hours: inout Hours, in actions: borrowing ActionTable) {
    for (key, uses) in otherHours where actions[key.action].isPresent {
      hours[key.action, default: [:]][key.hour, default: 0].saturate(adding: uses)
    }
    var seen: Set<UInt32> = []
    for group in earlier + [current] {
      for action in group.actions where actions[action].mark == group.mark && seen.insert(action).inserted {
        let uses = UInt64(actions[action].fresh)
        if uses > 0 { hours[action, default: [:]][group.hour, default: 0].saturate(adding: uses) }
      }
    }
  }

  /// Takes note that an action goes on with `uses`, without those from an hour on. No hour that is over is to be settled.
  mutating func forget(
    _ action: UInt32, hoursFrom hour: Int64, leaving uses: UInt64, in actions: inout ActionTable
  ) {
    let fresh = current.hour < hour ? actions[action].fresh : 0
    actions[action].fresh = UInt16(min(UInt64(fresh), uses))
    if uses == 0 { actions[action].firstUsed = .max }
  }

  /// Drops all hours from one on, and whatever is noted of actions that have no uses left.
  mutating func dropHours(from hour: Int64, in actions: borrowing ActionTable) {
    dropRemoved(in: actions)
    let hours = otherHours
    otherHours = [:]
    for (key, uses) in hours where key.hour < hour && actions[key.action].uses > 0 { otherHours[key] = uses }
  }
}

/// How often an action was used within one hour.
package struct HourOfUse: Equatable, Sendable {
  /// The action's number.
  package let action: UInt32
  /// Whole hours since 1970, UTC.
  package let hour: Int64
  /// Uses that came since this was last asked.
  package let uses: UInt64
}
