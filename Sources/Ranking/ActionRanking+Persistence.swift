/// What a commit contains, by numbers, so that it can be given back.
package struct UncommittedUses: Sendable {
  /// Numbers of the actions that were used.
  package private(set) var actions: [UInt32] = []
  /// Their uses by the hour.
  package private(set) var hours: [HourOfUse] = []

  package init() {}

  /// What was copied.
  package init(_ copies: StateCopies) { add(copies) }

  /// Takes note of what was copied.
  package mutating func add(_ copies: StateCopies) {
    let (changes, numbers) = (copies.changes, copies.numbers)
    for index in changes.values.indices { actions.append(numbers[changes.place(ofValues: index)]) }
    for use in changes.uses {
      hours.append(HourOfUse(action: numbers[use.place], hour: use.hour, uses: use.uses))
    }
  }
}

extension ActionRanking {
  /// Tells which hour is going on. To be called before uses are counted at a new time.
  ///
  /// - Complexity: O(1).
  package mutating func begin(hourOf wall: Int64) {
    latestWall = wall
    settleCounts()
    history.begin(hourOf: wall, in: &actions)
  }

  /// Whether so many uses were dated into other hours that it is time for a commit.
  package var hasManyHours: Bool { history.hasManyHours }

  /// How many actions wait to be stored that the commit under way does not contain.
  package var uncommittedActions: Int { history.uncommittedCount }

  /// Uses of which it is not known any more in which hour they were, since the start: too many waited to be stored.
  package var usesWithoutHour: UInt64 { history.dropped }

  /// Whether anything was counted since the last commit.
  package var hasUncommitted: Bool { history.hasUncommitted }

  /// Gives back what could not be stored, so that it is taken again; but for what was removed or forgotten meanwhile.
  /// Numbers were not recycled since it was taken.
  package mutating func giveBack(_ uses: UncommittedUses) {
    for hour in uses.hours where !forgotten.contains(hour.action) {
      let action = survivor(of: hour.action)
      if !forgotten.contains(action), wasUsed(action) { history.giveBack(hour.uses, of: action, inHour: hour.hour) }
    }
    for number in uses.actions {
      let action = survivor(of: number)
      if wasUsed(action) { markUncommitted(action) }
    }
  }

  /// The action that has the uses now of which a commit knew under this number.
  private func survivor(of number: UInt32) -> UInt32 {
    var number = number
    while let other = survivors[number] { number = other }
    return number
  }

  /// Whether an action is there and was used: others are not stored.
  private func wasUsed(_ number: UInt32) -> Bool { actions[number].isPresent && actions[number].uses > 0 }

  /// Takes note that an action has to be stored, if it was used. To be called before it changes: what a commit that is
  /// under way has still to copy of it is copied now.
  @inline(__always)
  mutating func markUncommitted(_ number: UInt32) {
    if actions[number].mark == history.current.mark || actions[number].uses == 0 { return }
    noteUncommitted(number)
  }

  @inline(never)
  private mutating func noteUncommitted(_ number: UInt32) {
    if history.isFrozen(actions[number].mark) { copy(number) }
    history.add(number, in: &actions)
  }

  /// The same of an action that is about to be used.
  @inline(__always)
  mutating func markUsed(_ number: UInt32) {
    if actions[number].mark != history.current.mark { noteUncommitted(number) }
  }

  /// Has every action taken again, because what was stored of them is not to be trusted.
  ///
  /// - Complexity: O(actions).
  package mutating func markAllUncommitted() {
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent { markUncommitted(number) }
    for app in 0..<UInt32(apps.slots) where apps[app].isPresent { markUncommitted(app: app) }
  }

  /// What is to be stored of an action.
  package func state(_ number: UInt32) -> ActionState {
    let name = name(number)
    return ActionState(app: name.app, action: name.id, values: values(number))
  }

  /// What is to be stored of an action beside the ids.
  package func values(_ number: UInt32) -> ActionValues {
    let record = actions[number]
    return ActionValues(
      score: record.score, uses: record.uses, firstUsed: record.firstUsed, lastUse: record.lastUse,
      lastArrival: record.lastArrival, isAppNamed: record.isAppNamed,
      ownScore: apps[record.app].ownHalfLife.map {
        OwnScore(halfLife: $0.nanoseconds, score: actions[ownScore: number])
      },
      adaptive: AdaptiveState(
        counters: actions[counters: number].values, step: actions[counters: number].step,
        lists: actions[counters: number].lists.rawValue, place: actions[counters: number].place))
  }

  /// The ids of an action and of its app.
  package func name(_ number: UInt32) -> (app: [UInt8], id: [UInt8]) {
    unsafe (appID(actions[number].app), Array(actions.id(number)))
  }

  // MARK: Restoring

  /// Makes room for so many actions and apps more, so that nothing has to be moved while they come.
  package mutating func reserve(actions actionCount: Int, apps appCount: Int) {
    actions.reserve(actionCount)
    apps.reserve(appCount)
  }

  /// Some actions are restored soon, of which this is one: what is read first for each is then asked for before any of
  /// them waits for it.
  package mutating func expect(_ id: UnsafeRawBufferPointer) { unsafe expected.append(actions.hash(id)) }

  private mutating func reachExpected() {
    for hash in expected { reached &+= actions.reachIndex(hash) }
    expected.removeAll(keepingCapacity: true)
  }

  /// Takes over an action as it was stored. Apps' own half-lives are set before, and lists are not kept until
  /// ``finishRestoring(arrivals:at:)``.
  ///
  /// - Returns: false if there is such an action already, with uses; it is left as it is.
  package mutating func restore(_ state: ActionState) -> Bool {
    unsafe state.action.withUnsafeBytes { id in
      unsafe state.app.withUnsafeBytes { app in unsafe restore(id, app: app, state.values) }
    }
  }

  /// The same with the ids, of 1 to 255 bytes, where they lie. It costs least if the actions of an app follow one another.
  ///
  /// - Complexity: O(1) on average.
  package mutating func restore(
    _ id: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer, _ values: ActionValues
  ) -> Bool {
    if !expected.isEmpty { reachExpected() }
    let isAppNamed = unsafe values.isAppNamed ?? !app.elementsEqual(DefaultApp.of(id))
    guard let number = unsafe numberToRestore(id, app: app, isAppNamed: isAppNamed) else { return false }
    markListsStale(of: number)
    actions[number].isAppNamed = isAppNamed
    actions[number].isStored = true
    actions[number].score = values.score
    actions[number].uses = values.uses
    actions[number].lastUse = values.lastUse
    actions[number].lastArrival = values.lastArrival
    if let own = values.ownScore, own.halfLife == apps[actions[number].app].ownHalfLife?.nanoseconds {
      actions[ownScore: number] = own.score
    }
    restore(values.adaptive, of: number)
    actions[number].firstUsed = values.firstUsed
    return true
  }

  private mutating func restore(_ state: AdaptiveState?, of number: UInt32) {
    // Neither negative nor infinite, nor no number.
    guard let state, all(state.counters .>= 0 .& state.counters .<= Float.greatestFiniteMagnitude) else { return }
    actions[counters: number].values = state.counters
    actions[counters: number].step = state.step
    actions[counters: number].lists = DecaySet(rawValue: state.lists)
    actions[counters: number].place = state.place
  }

  /// The action that a stored one is taken over by; nil if that has uses already, or another of its id that stands for
  /// the default owner has.
  private mutating func numberToRestore(
    _ id: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer, isAppNamed: Bool
  ) -> UInt32? {
    let owner = unsafe appToRestore(app)
    let hash = unsafe actions.hash(id)
    let filedUnderID = unsafe actions.find(id, foreignApp: nil, hash: hash)
    let known =
      if let filedUnderID, actions[filedUnderID].app == owner { filedUnderID } else {
        unsafe actions.find(id, foreignApp: owner, hash: hash)
      }
    if let known { return actions[known].uses == 0 ? known : nil }
    // Until it is settled who owns what, an app that was named is not taken for a default owner.
    if !isAppNamed, let other = filedUnderID, actions[other].uses > 0, !actions[other].isAppNamed { return nil }
    return unsafe insertNew(
      id, app: owner, isForeign: isAppNamed || filedUnderID != nil, standing: defaultStanding, hash: hash)
  }

  /// The app of an action that is restored: mostly that of the one before.
  private mutating func appToRestore(_ id: UnsafeRawBufferPointer) -> UInt32 {
    if let last = lastRestoredApp, unsafe apps.hasID(last, id) { return last }
    let app = unsafe findOrInsertApp(id)
    lastRestoredApp = app
    return app
  }

  /// Settles who owns what, if ``setOwningApps(_:at:)`` was called, and makes the lists, after the last ``restore(_:)``.
  ///
  /// - Parameters:
  ///   - arrivals: how many events had been counted.
  ///   - time: decay time at which scores go over to half-lives that they were not stored under.
  /// - Returns: what has another owner now.
  /// - Complexity: O(actions).
  @discardableResult
  package mutating func finishRestoring(arrivals: UInt64, at time: Int64) -> [MovedAction] {
    self.arrivals = arrivals
    (lastRestoredApp, expected) = (nil, [])
    var rescaled: Set<UInt32> = []
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      guard let own = apps[actions[number].app].ownHalfLife, actions[ownScore: number].value == 0 else {
        continue
      }
      if actions[number].score.value == 0 { continue }
      rescaled.insert(actions[number].app)
      actions[ownScore: number] = listScore(number, from: nil, to: own, at: time)
      markUncommitted(number)
    }
    restoreLists(at: time)
    for app in rescaled { markStale(app) }
    markTopStale()
    let moved = settleOwners(at: time)
    remakeStaleLists()
    return moved
  }
}
