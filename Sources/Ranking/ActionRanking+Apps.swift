extension ActionRanking {
  /// The id of an app by its number.
  package func appID(_ app: UInt32) -> [UInt8] { unsafe Array(apps.id(app)) }

  /// The number of an app, if it is known.
  package func findApp(_ id: [UInt8]) -> UInt32? {
    unsafe id.withUnsafeBytes { unsafe apps.find($0) }
  }

  /// The number of an app, which is added without actions if it is not known yet.
  ///
  /// An app without actions stays until it is kept no more or loses an action.
  package mutating func insertApp(_ id: [UInt8]) -> UInt32 {
    unsafe id.withUnsafeBytes { unsafe findOrInsertApp($0) }
  }

  mutating func findOrInsertApp(_ id: UnsafeRawBufferPointer) -> UInt32 {
    if let known = unsafe apps.find(id) { return known }
    let app = unsafe apps.insert(id, limit: UInt8(limit))
    lists.reserve(apps: apps.slots)
    while published.count < apps.slots { published.append([]) }
    published[Int(app)] = []
    lost.addApp(app)
    markChanged(app)
    // One of its id may be stored.
    markUncommitted(app: app)
    return app
  }

  /// Takes note that an app has an action less.
  mutating func loseMember(_ app: UInt32) {
    apps[app].members -= 1
    removeIfUnneeded(app)
  }

  private mutating func removeIfUnneeded(_ app: UInt32) {
    if apps[app].members > 0 || apps[app].isKept { return }
    thaw(app: app)
    if apps[app].isTold { goneApps.append((app, appID(app))) }
    if apps[app].isStored { goneNames.apps.append(appID(app)) }
    lost.removeApp(app, steps: apps[app].steps)
    apps.remove(app)
    actions.remove(app: app)
  }

  /// Sets whether an app stays without actions, and with it its own half-life and limit and whether it is blocked.
  package mutating func setKept(_ isKept: Bool, app: UInt32) {
    apps[app].isKept = isKept
    removeIfUnneeded(app)
  }

  /// Whether an app has a half-life of its own.
  package func hasOwnHalfLife(app: UInt32) -> Bool { apps[app].ownHalfLife != nil }

  /// The half-life of the decay ``Decay/fixed`` in an app.
  package func fixedHalfLife(ofApp app: UInt32) -> HalfLife { apps[app].ownHalfLife ?? halfLife }

  /// Sets whether the uses of all of an app's actions count nothing.
  package mutating func setBlocked(_ isBlocked: Bool, app: UInt32) { apps[app].isBlocked = isBlocked }

  /// Sets how many actions an app's list holds, 1 to 20; nil for as many as others.
  package mutating func setLimit(_ limit: Int?, ofApp app: UInt32) {
    precondition(limit.map((1...RankedList.capacity).contains) ?? true)
    apps[app].ownLimit = limit.map { UInt8($0) }
    lists.widen(to: self.limit(ofApp: app))
    // What was restored may be of that limit already.
    if self.limit(ofApp: app) != Int(apps[app].listLimit) { markStale(app) }
  }

  /// Has an app's list go by a half-life of its own, from the scores of this moment, or by the common one (nil), whose
  /// counts went on all the time.
  ///
  /// - Complexity: O(actions), if the app has any.
  package mutating func setHalfLife(_ halfLife: HalfLife?, ofApp app: UInt32, at time: Int64) {
    let old = apps[app].ownHalfLife
    if halfLife == old { return }
    settleUncommitted()
    let wasAdaptive = isAdaptive(app)
    apps[app].ownHalfLife = halfLife
    if isAdaptive(app) != wasAdaptive {
      // The lists that it has from now on were not judged.
      markUncommitted(app: app)
      apps[app].rates.clear()
    }
    changeOwnLoss(ofApp: app, from: old, at: time)
    if apps[app].members == 0 { return }
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent && actions[number].app == app {
      actions[ownScore: number] = listScore(number, from: old, to: halfLife, at: time)
      markUncommitted(number)
    }
    markStale(app)
  }

  /// What an action's own score is under the half-life `new` that its app has from now on, or another app that it moves
  /// to; `old` is the one that it was kept with.
  func listScore(_ number: UInt32, from old: HalfLife?, to new: HalfLife?, at time: Int64) -> DecayedCount {
    guard let new else { return .zero }
    let score = actions.score(number, by: old == nil ? .common : .own)
    return old == new ? score : score.rescaled(from: (old ?? halfLife).position(of: time), to: new.position(of: time))
  }
}
