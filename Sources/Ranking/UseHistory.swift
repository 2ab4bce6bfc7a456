/// When actions were used, by the hour, and what of it is not stored yet.
///
/// Nearly all uses fall into the hour that is going on; for these an action's own count is enough to tell at a commit
/// how many came. Only uses dated into another hour are noted one by one.
struct UseHistory: ~Copyable {
  /// Nanoseconds in an hour.
  static let hour: Int64 = 3_600_000_000_000

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
  private var span: Range<Int64> = 0..<UseHistory.hour

  /// The number of the hour that a wall time lies in.
  static func hour(of wall: Int64) -> Int64 {
    let (quotient, rest) = wall.quotientAndRemainder(dividingBy: hour)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// Makes room for one more action.
  mutating func addAction() { _ = records.append(Record()) }

  /// When an action was first used, wall time.
  func firstUsed(_ action: UInt32) -> Int64 { records[action].firstUsed }

  /// Takes note of uses that have just been added to the action's count.
  @inline(__always)
  mutating func note(_ action: UInt32, uses: UInt32, at wall: Int64, in actions: borrowing ActionTable) {
    if wall < records[action].firstUsed { records[action].firstUsed = wall }
    if span.contains(wall) { return }
    add(UInt64(uses), to: Key(action: action, hour: Self.hour(of: wall)))
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
    let hour = Self.hour(of: wall)
    if hour == currentHour { return }
    for action in uncommitted {
      let uses = takeUses(action, in: actions)
      if uses > 0 { add(uses, to: Key(action: action, hour: currentHour)) }
    }
    currentHour = hour
    let start = hour * Self.hour
    span = start..<start.saturatingAdding(Self.hour)
  }

  private mutating func takeUses(_ action: UInt32, in actions: borrowing ActionTable) -> UInt64 {
    let uses = actions[action].uses.saturatingSubtracting(records[action].accountedUses)
    records[action].accountedUses = actions[action].uses
    return uses
  }

  /// Takes all uses that were not handed over yet, by action and hour.
  mutating func takeHours(in actions: borrowing ActionTable) -> [HourOfUse] {
    var hours = otherHours.map { HourOfUse(action: $0.key.action, hour: $0.key.hour, uses: $0.value) }
    otherHours = [:]
    for action in uncommitted {
      let uses = takeUses(action, in: actions)
      if uses > 0 { hours.append(HourOfUse(action: action, hour: currentHour, uses: uses)) }
    }
    return hours
  }

  /// Gives back what could not be stored.
  mutating func giveBack(_ hours: [HourOfUse]) {
    for hour in hours { add(hour.uses, to: Key(action: hour.action, hour: hour.hour)) }
  }

  /// Takes over what was stored of an action.
  mutating func setRestored(_ action: UInt32, firstUsed: Int64, uses: UInt64) {
    records[action] = Record(firstUsed: firstUsed, accountedUses: uses)
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
