/// Everything that has to be stored of one action.
package struct ActionState: Equatable, Sendable {
  /// The app's id.
  package var app: [UInt8]
  /// The action's id.
  package var action: [UInt8]
  /// What its uses are worth, under the half-life of the ranking.
  package var score: DecayedCount
  /// How many uses were counted.
  package var uses: UInt64
  /// Wall time of the earliest use, Unix nanoseconds.
  package var firstUsed: Int64
  /// The latest use.
  package var lastUse: Moment
  /// The arrival number of the event of the latest use.
  package var lastArrival: UInt64

  package init(
    app: [UInt8], action: [UInt8], score: DecayedCount, uses: UInt64, firstUsed: Int64, lastUse: Moment,
    lastArrival: UInt64
  ) {
    self.app = app
    self.action = action
    self.score = score
    self.uses = uses
    self.firstUsed = firstUsed
    self.lastUse = lastUse
    self.lastArrival = lastArrival
  }
}

/// What was counted since the last commit.
package struct UncommittedUses: Sendable {
  /// Numbers of the actions that were used.
  package let actions: [UInt32]
  /// Their uses by the hour.
  package let hours: [HourOfUse]
}

extension ActionRanking {
  /// Tells which hour is going on. To be called before uses are counted at a new time.
  ///
  /// - Complexity: O(1) but once an hour, then O(actions used since the last commit).
  package mutating func begin(hourOf wall: Int64) { history.begin(hourOf: wall, in: actions) }

  /// Whether so many uses were dated into other hours that it is time for a commit.
  package var hasManyHours: Bool { history.hasManyHours }

  /// Uses of which it is not known any more in which hour they were, since the start: too many waited to be stored.
  package var usesWithoutHour: UInt64 { history.dropped }

  /// Whether anything was counted since the last commit.
  package var hasUncommitted: Bool { !history.uncommitted.isEmpty }

  /// Takes what was counted since this was last asked.
  ///
  /// - Complexity: O(what it returns).
  package mutating func takeUncommitted() -> UncommittedUses {
    let hours = history.takeHours(in: actions)
    defer { history.uncommitted = [] }
    for number in history.uncommitted { actions[number].isUncommitted = false }
    return UncommittedUses(actions: history.uncommitted, hours: hours)
  }

  /// Gives back what could not be stored, so that it is taken again.
  package mutating func giveBack(_ uses: UncommittedUses) {
    history.giveBack(uses.hours)
    for number in uses.actions { markUncommitted(number) }
  }

  /// Takes note that an action has to be stored.
  @inline(__always)
  mutating func markUncommitted(_ number: UInt32) {
    if actions[number].isUncommitted { return }
    actions[number].isUncommitted = true
    history.uncommitted.append(number)
  }

  /// Has every action taken again, because what was stored of them is not to be trusted.
  ///
  /// - Complexity: O(actions).
  package mutating func markAllUncommitted() {
    for number in 0..<UInt32(actions.count) where !actions[number].isUncommitted {
      actions[number].isUncommitted = true
      history.uncommitted.append(number)
    }
  }

  /// What is to be stored of an action.
  package func state(_ number: UInt32) -> ActionState {
    let record = actions[number]
    return unsafe ActionState(
      app: appID(record.app), action: Array(actions.id(number)), score: record.score, uses: record.uses,
      firstUsed: history.firstUsed(number), lastUse: record.lastUse, lastArrival: record.lastArrival)
  }

  /// The ids of an action and of its app.
  package func name(_ number: UInt32) -> (app: [UInt8], id: [UInt8]) {
    unsafe (appID(actions[number].app), Array(actions.id(number)))
  }

  /// Takes over an action as it was stored. Lists are not kept until ``finishRestoring(arrivals:)``.
  ///
  /// - Returns: false if there is such an action already; it is left as it is.
  package mutating func restore(_ state: ActionState) -> Bool {
    unsafe state.action.withUnsafeBytes { id in
      unsafe state.app.withUnsafeBytes { app in unsafe restore(state, id: id, app: app) }
    }
  }

  private mutating func restore(
    _ state: ActionState, id: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer
  ) -> Bool {
    let count = actions.count
    let number = unsafe actionNumber(id, namedApp: app)
    guard number == count else { return false }
    actions[number].score = state.score
    actions[number].uses = state.uses
    actions[number].lastUse = state.lastUse
    actions[number].lastArrival = state.lastArrival
    history.setRestored(number, firstUsed: state.firstUsed, uses: state.uses)
    return true
  }

  /// Makes the lists after the last ``restore(_:)``.
  ///
  /// - Parameter arrivals: how many events had been counted.
  /// - Complexity: O(actions).
  package mutating func finishRestoring(arrivals: UInt64) {
    self.arrivals = arrivals
    for number in 0..<UInt32(actions.count) { updateLists(number) }
  }
}
