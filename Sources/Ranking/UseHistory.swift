/// When actions were used, by the hour, and what of it is not stored yet.
///
/// Nearly all uses fall into the hour that is going on; for these an action's own count is enough to tell at a commit
/// how many came. Only uses dated into another hour are noted one by one.
struct UseHistory: ~Copyable {
  /// What is rarely needed of an action.
  struct Record: BitwiseCopyable {
    /// Wall time of its earliest use; `.max` before the first.
    var firstUsed = Int64.max
    /// Its uses that were handed over to be stored, or noted under another hour.
    var accountedUses: UInt64 = 0
  }

  struct Key: Hashable {
    let action: UInt32
    let hour: Int64
  }

  /// Actions used since the last commit, in no order.
  var uncommitted: [UInt32] = []
  private var records = GrowingBuffer<Record>()
  private var otherHours: [Key: UInt64] = [:]
  /// Uses of which it is not known any more in which hour they were; their actions have them all the same.
  private(set) var dropped: UInt64 = 0
  /// The hour that is going on: its number and the wall times that it spans.
  private var currentHour: Int64 = 0
  private var span: Range<Int64> = 0..<UseHour.length

  /// How many actions were removed since ``dropRemoved(in:)``, and how many of these stand in ``uncommitted``.
  private var removed = (actions: 0, marks: 0)

  /// Makes room for so many actions more.
  mutating func reserve(_ additional: Int) { records.reserve(additional) }

  /// Takes note of a new action, whose number is known from an earlier one or is the next.
  mutating func addAction(_ number: UInt32) {
    if number < records.count { records[number] = Record() } else { _ = records.append(Record()) }
  }

  /// Takes note that an action was removed.
  mutating func noteRemoval(isUncommitted: Bool) {
    removed.actions += 1
    if isUncommitted { removed.marks += 1 }
  }

  /// Whether any action was used that was not removed since.
  var hasUncommitted: Bool { uncommitted.count > removed.marks }

  /// Drops what is noted of actions that were removed.
  ///
  /// - Complexity: O(what is noted), if any were.
  mutating func dropRemoved(in actions: borrowing ActionTable) {
    if removed.actions == 0 { return }
    removed = (0, 0)
    let wereKept = uncommitted
    uncommitted = []
    for action in wereKept where actions[action].isPresent { uncommitted.append(action) }
    let hours = otherHours
    otherHours = [:]
    for (key, uses) in hours where actions[key.action].isPresent { otherHours[key] = uses }
  }

  /// When an action was first used, wall time.
  func firstUsed(_ action: UInt32) -> Int64 { records[action].firstUsed }

  /// Takes note of uses that have just been added to the action's count.
  @inline(__always)
  mutating func note(_ action: UInt32, uses: UInt32, at wall: Int64, in actions: borrowing ActionTable) {
    if wall < records[action].firstUsed { records[action].firstUsed = wall }
    if span.contains(wall) { return }
    add(UInt64(uses), to: Key(action: action, hour: UseHour.number(of: wall)))
    records[action].accountedUses = records[action].accountedUses.saturatingAdding(UInt64(uses))
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

  /// Goes over to the hour that `wall` lies in; uses of the hour before are noted under it.
  mutating func begin(hourOf wall: Int64, in actions: borrowing ActionTable) {
    let hour = UseHour.number(of: wall)
    if hour == currentHour { return }
    dropRemoved(in: actions)
    for action in uncommitted {
      let uses = takeUses(action, in: actions)
      if uses > 0 { add(uses, to: Key(action: action, hour: currentHour)) }
    }
    currentHour = hour
    let start = hour * UseHour.length
    span = start..<start.saturatingAdding(UseHour.length)
  }

  private mutating func takeUses(_ action: UInt32, in actions: borrowing ActionTable) -> UInt64 {
    let uses = usesOfCurrentHour(action, in: actions)
    records[action].accountedUses = actions[action].uses
    return uses
  }

  /// Takes all uses that were not handed over yet, by action and hour.
  mutating func takeHours(in actions: borrowing ActionTable) -> [HourOfUse] {
    dropRemoved(in: actions)
    var hours = otherHours.map { HourOfUse(action: $0.key.action, hour: $0.key.hour, uses: $0.value) }
    otherHours = [:]
    for action in uncommitted {
      let uses = takeUses(action, in: actions)
      if uses > 0 { hours.append(HourOfUse(action: action, hour: currentHour, uses: uses)) }
    }
    return hours
  }

  /// Gives back what could not be stored of an action.
  mutating func giveBack(_ uses: UInt64, of action: UInt32, inHour hour: Int64) {
    add(uses, to: Key(action: action, hour: hour))
  }

  /// Takes over what was stored of an action.
  mutating func setRestored(_ action: UInt32, firstUsed: Int64, uses: UInt64) {
    records[action] = Record(firstUsed: firstUsed, accountedUses: uses)
  }

  /// Puts what is known of some actions under others, which have been given the uses of the former.
  ///
  /// - Complexity: O(`others` and what is noted).
  mutating func merge(_ others: [UInt32: UInt32]) {
    if others.isEmpty { return }
    for (action, other) in others {
      let record = records[action]
      records[other].firstUsed = min(records[other].firstUsed, record.firstUsed)
      records[other].accountedUses = records[other].accountedUses.saturatingAdding(record.accountedUses)
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
    for action in uncommitted where actions[action].isPresent {
      let uses = usesOfCurrentHour(action, in: actions)
      if uses > 0 { hours[action, default: [:]][currentHour, default: 0].saturate(adding: uses) }
    }
  }

  /// Uses of the hour that is going on which were not handed over yet.
  private func usesOfCurrentHour(_ action: UInt32, in actions: borrowing ActionTable) -> UInt64 {
    actions[action].uses.saturatingSubtracting(records[action].accountedUses)
  }

  /// Takes note that an action goes on with `uses`, without those from an hour on; before the action does.
  mutating func forget(
    _ action: UInt32, hoursFrom hour: Int64, leaving uses: UInt64, in actions: borrowing ActionTable
  ) {
    let open = currentHour < hour ? usesOfCurrentHour(action, in: actions) : 0
    records[action].accountedUses = uses.saturatingSubtracting(open)
    if uses == 0 { records[action].firstUsed = .max }
  }

  /// Drops all hours from one on, and whatever is noted of actions that have no uses left.
  mutating func dropHours(from hour: Int64, in actions: borrowing ActionTable) {
    dropRemoved(in: actions)
    let wereKept = (uncommitted, otherHours)
    (uncommitted, otherHours) = ([], [:])
    for action in wereKept.0 where actions[action].uses > 0 { uncommitted.append(action) }
    for (key, uses) in wereKept.1 where key.hour < hour && actions[key.action].uses > 0 { otherHours[key] = uses }
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
