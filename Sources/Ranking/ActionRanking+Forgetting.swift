/// What is stored of the hours in which one action was used.
package struct StoredHours: Sendable {
  /// The action's number.
  package var number: UInt32
  /// All its hours, in any order.
  package var hours: [StoredHour]

  package init(number: UInt32, hours: [StoredHour]) {
    self.number = number
    self.hours = hours
  }
}

/// How often an action was used within one hour.
package struct StoredHour: Equatable, Sendable {
  /// Whole hours since 1970, UTC.
  package var hour: Int64
  /// How many uses.
  package var uses: UInt64

  package init(hour: Int64, uses: UInt64) {
    self.hour = hour
    self.uses = uses
  }
}

extension ActionRanking {
  /// Actions with uses from an hour on that are not stored yet: ``forget(hoursFrom:stored:at:)`` needs their stored
  /// hours, too.
  ///
  /// - Complexity: O(what waits to be stored).
  package func uncommittedActions(hoursFrom hour: Int64) -> [UInt32] {
    var hours: UseHistory.Hours = [:]
    history.addUncommitted(to: &hours, in: actions)
    return hours.filter { $0.value.keys.contains { $0 >= hour } }.keys.sorted()
  }

  /// Forgets all uses from an hour on. Actions that were not used since keep what they have; others have the uses of
  /// before, as if each had been in the middle of its hour, or at the action's first use if its hour is not known. One
  /// that has none left is removed, unless it is kept. No commit is under way.
  ///
  /// - Parameters:
  ///   - hour: whole hours since 1970, UTC.
  ///   - stored: all stored hours of each action that has a stored one from `hour` on, or is among
  ///     ``uncommittedActions(hoursFrom:)``; those of others do no harm.
  ///   - now: this moment.
  /// - Returns: how many actions lost uses, and how many uses.
  /// - Complexity: O(actions and `stored`); lists that an action competes for which lost uses go stale.
  package mutating func forget(
    hoursFrom hour: Int64, stored: [StoredHours], at now: Moment
  ) -> (actions: Int, uses: UInt64) {
    settleUncommitted()
    var hours: UseHistory.Hours = [:]
    for row in stored {
      for stored in row.hours { hours[row.number, default: [:]][stored.hour, default: 0].saturate(adding: stored.uses) }
    }
    history.addUncommitted(to: &hours, in: actions)
    var (changed, forgotten): ([UInt32], UInt64) = ([], 0)
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent && actions[number].uses > 0 {
      let known = hours[number] ?? [:]
      let wasUsedBefore = UseHour.number(of: actions[number].firstUsed) < hour
      let lost = known.reduce(UInt64(0)) { $1.key < hour ? $0 : $0.saturatingAdding($1.value) }
      let left = wasUsedBefore ? actions[number].uses.saturatingSubtracting(lost) : 0
      if left == actions[number].uses { continue }
      changed.append(number)
      forgotten.saturate(adding: actions[number].uses - left)
      // Uses in the middle of their hours may be worth more than they were.
      if actions[number].competesInApp { markStale(actions[number].app) }
      if actions[number].competesInTop { markTopStale() }
      let before = known.filter { $0.key < hour }.sorted { $0.key < $1.key }
      history.forget(number, hoursFrom: hour, leaving: left, in: &actions)
      rebuild(number, uses: left, hours: before.map { StoredHour(hour: $0.key, uses: $0.value) }, at: now)
    }
    history.dropHours(from: hour, in: actions)
    for number in changed { settleForgotten(number) }
    return (changed.count, forgotten)
  }

  /// Forgets all uses of some actions. They are removed, unless they are kept.
  ///
  /// - Returns: how many of them had uses, and how many uses.
  /// - Complexity: O(`numbers`, and what waits to be stored); lists that one of them stands in go stale.
  package mutating func forget(_ numbers: [UInt32]) -> (actions: Int, uses: UInt64) {
    settleUncommitted()
    let used = numbers.filter { actions[$0].uses > 0 }
    var forgotten: UInt64 = 0
    for number in used {
      forgotten.saturate(adding: actions[number].uses)
      markListsStale(of: number)
      history.forget(number, hoursFrom: .min, leaving: 0, in: &actions)
      actions[number].clearCounts()
      actions[ownScore: number] = .zero
      self.forgotten.insert(number)
    }
    history.dropHours(from: .max, in: actions)
    for number in used { settleForgotten(number) }
    return (used.count, forgotten)
  }

  /// Gives an action the counts that come of its uses by the hour, in ascending order, and as many at its first use as
  /// there are more.
  private mutating func rebuild(_ number: UInt32, uses: UInt64, hours: [StoredHour], at now: Moment) {
    let lastUse = actions[number].lastUse
    let lastArrival = actions[number].lastArrival
    actions[number].clearCounts()
    actions[ownScore: number] = .zero
    if uses == 0 { return }
    let firstUsed = actions[number].firstUsed
    let known = hours.reduce(UInt64(0)) { $0.saturatingAdding($1.uses) }
    addWorth(of: uses.saturatingSubtracting(known), to: number, at: now.past(firstUsed).decay)
    for hour in hours { addWorth(of: hour.uses, to: number, at: now.past(UseHour.middle(of: hour.hour)).decay) }
    let last = now.past(max(hours.last.map { UseHour.middle(of: $0.hour) } ?? .min, firstUsed))
    actions[number].uses = uses
    actions[number].lastUse = Moment(
      decay: min(last.decay, lastUse.decay), wall: min(last.wall, lastUse.wall))
    actions[number].lastArrival = lastArrival
    startCounters(number, at: now.decay)
  }

  /// Takes note of what became of an action's standing and storing.
  private mutating func settleForgotten(_ number: UInt32) {
    if actions[number].uses > 0 { return markUncommitted(number) }
    history.drop(number, in: &actions)
    if !actions[number].standing.contains(.kept) { remove(number) }
  }
}

extension Moment {
  /// The moment at an earlier wall time, or this one, with the same distance from this one on both faces.
  fileprivate func past(_ wall: Int64) -> Moment {
    let age = max(0, self.wall.saturatingSubtracting(wall))
    return Moment(decay: decay.saturatingSubtracting(age), wall: self.wall.saturatingSubtracting(age))
  }
}
