/// An action that another app owns now.
package struct MovedAction: Equatable, Sendable {
  /// The action's id.
  package let action: [UInt8]
  /// The app that owned it.
  package let from: [UInt8]
  /// The app that owns it.
  package let to: [UInt8]
}

extension ActionRanking {
  /// Sets the apps that own what is named after them: the default owner of an action is the longest of them that, with
  /// a dot after it, begins the action's TYPE, else ``DefaultApp``.
  ///
  /// Actions whose app no event named move to their new owner with all that is known of them; what they find of the
  /// same id there is merged with them.
  /// - Parameters:
  ///   - apps: ids of 1 to 255 bytes.
  ///   - time: decay time at which scores go over to another app's half-life.
  /// - Returns: what has moved. Where two became one, that has the number of the one that was there.
  /// - Complexity: O(actions).
  package mutating func setOwningApps(_ apps: [[UInt8]], at time: Int64) -> [MovedAction] {
    owners = OwningApps(apps, hash: hash)
    ownersAreKnown = true
    return settleOwners(at: time)
  }

  /// Sets whether an action without uses stays with its app, or moves with its owner. To be called for what is restored
  /// without uses, before ``setOwningApps(_:at:)``.
  package mutating func setAppNamed(_ isAppNamed: Bool, ofUnused number: UInt32) {
    if actions[number].uses == 0 { actions[number].isAppNamed = isAppNamed }
  }

  /// Whether an action stays with its app, whoever owns it by its name.
  package func isAppNamed(_ number: UInt32) -> Bool { actions[number].isAppNamed }

  /// Has every action owned by and filed under whom it should be.
  mutating func settleOwners(at time: Int64) -> [MovedAction] {
    settleUncommitted()
    let loss = greatestLoss(at: time)
    var moved: [MovedAction] = []
    var merged: [UInt32: UInt32] = [:]
    for number in 0..<UInt32(actions.slots) where ownersAreKnown && actions[number].isPresent {
      let record = actions[number]
      // Most stay where they are.
      if unsafe apps.hasID(record.app, owners.owner(of: actions.id(number))) { continue }
      let id = unsafe Array(actions.id(number))
      unsafe id.withUnsafeBytes { id in
        let owner = unsafe owners.owner(of: id)
        if record.isAppNamed { return actions.refile(number, isForeign: true) }
        unsafe moved.append(MovedAction(action: Array(id), from: appID(record.app), to: Array(owner)))
        if let other = unsafe find(id, owner: owner) {
          add(number, to: other, at: time)
          merged[number] = other
        } else {
          unsafe move(number, to: findOrInsertApp(owner), at: time)
        }
      }
    }
    history.merge(merged, in: &actions)
    survivors.merge(merged) { $1 }
    for number in merged.keys.sorted() { remove(number) }
    fileUnderIDs()
    addLoss(loss, of: moved, haveMerged: !merged.isEmpty, at: time)
    return moved
  }

  /// Files what its default owner has under its id alone.
  private mutating func fileUnderIDs() {
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent && actions[number].isForeign {
      let (id, app) = unsafe (actions.id(number), actions[number].app)
      if unsafe !apps.hasID(app, owners.owner(of: id)) { continue }
      // Taken only as long as it is not known who owns what.
      if unsafe actions.find(id, foreignApp: nil, hash: actions.hash(id)) != nil { continue }
      actions.refile(number, isForeign: false)
    }
  }

  private mutating func move(_ number: UInt32, to app: UInt32, at time: Int64) {
    let old = actions[number].app
    leaveAppLists(number)
    unpublish(number)
    let age = apps[old].steps &- actions[counters: number].step
    actions[counters: number].step = apps[app].steps &- age
    // The list over all apps names the app.
    if actions[number].isInTopList { topHasChanged = true }
    actions[ownScore: number] = listScore(
      number, from: apps[old].ownHalfLife, to: apps[app].ownHalfLife, at: time)
    unsafe actions.move(number, to: app, appID: apps.id(app))
    apps[app].members += 1
    loseMember(old)
    markUncommitted(number)
    enterLists(number)
  }

  /// Counts the uses of an action, which is to be removed, as those of another.
  private mutating func add(_ number: UInt32, to other: UInt32, at time: Int64) {
    let record = actions[number]
    actions[other].score.add(record.score)
    actions[ownScore: other].add(
      listScore(
        number, from: apps[record.app].ownHalfLife, to: apps[actions[other].app].ownHalfLife, at: time))
    var counters = actions[other].counters
    counters.merge(
      record.counters, steps: apps[actions[other].app].steps, otherSteps: apps[record.app].steps,
      after: record.lastUse.decay.saturatingSubtracting(actions[other].lastUse.decay), fading: actions.fading)
    actions[other].counters = counters
    actions[other].uses.saturate(adding: record.uses)
    if record.isStored { actions[other].isStored = true }
    if (record.lastUse.decay, record.lastArrival) > (actions[other].lastUse.decay, actions[other].lastArrival) {
      actions[other].lastUse = record.lastUse
      actions[other].lastArrival = record.lastArrival
    }
    if record.uses == 0 { return }
    markUncommitted(other)
    updateLists(other)
  }
}
