extension ActionRanking {
  // MARK: Keeping

  /// Takes note in the lists that an action has risen.
  @inline(__always)
  mutating func updateLists(_ number: UInt32) {
    updateAppLists(number)
    if actions[number].competesInTop, !topIsStale { placeInTop(number) }
  }

  /// Takes an action into the lists that it does not stand in, if it is among the best.
  mutating func enterLists(_ number: UInt32) {
    let record = actions[number]
    if record.competesInApp, !apps[record.app].isStale {
      enterAppLists(number)
    }
    if record.competesInTop, !record.isInTopList, !topIsStale { placeInTop(number) }
  }

  @inline(__always)
  mutating func placeInTop(_ number: UInt32) {
    let change = top.update(number, isListed: actions[number].isInTopList, limit: limit, in: actions)
    if change == .none { return }
    if case .entered(let evicted) = change {
      actions[number].isInTopList = true
      if let evicted { actions[evicted].isInTopList = false }
    }
    topHasChanged = true
  }

  /// How many actions an app's list holds.
  @inline(__always)
  package func limit(ofApp app: UInt32) -> Int {
    if let ownLimit = apps[app].ownLimit { Int(ownLimit) } else { limit }
  }

  /// Takes note that an app may not show what its lists say.
  @inline(__always)
  mutating func markUnsettled(_ app: UInt32) {
    if apps[app].isUnsettled { return }
    apps[app].isUnsettled = true
    unsettledApps.append(app)
  }

  @inline(__always)
  mutating func markChanged(_ app: UInt32) {
    if apps[app].hasChanged { return }
    apps[app].hasChanged = true
    changedApps.append(app)
  }

  // MARK: Making anew

  /// Has the lists that an action stands in made anew, because it does not stay where it is.
  mutating func markListsStale(of number: UInt32) {
    leaveAppLists(number)
    if actions[number].isInTopList { markTopStale() }
  }

  /// Has an app's lists made anew. Until then they are empty.
  mutating func markStale(_ app: UInt32) {
    dropLists(ofApp: app)
    apps[app].isStale = true
    hasStaleApps = true
    markChanged(app)
  }

  /// Has the list over all apps made anew. Until then it is empty, and nothing stands in it.
  mutating func markTopStale() {
    for place in 0..<top.count { actions[top[place]].isInTopList = false }
    top.removeAll()
    topIsStale = true
    topHasChanged = true
  }

  mutating func markAllStale() {
    for app in 0..<UInt32(apps.slots) where apps[app].isPresent { markStale(app) }
    markTopStale()
  }

  /// Makes anew what lists are stale: the best by each decay, whatever stood in them. Who is shown and stays among the
  /// best keeps its place. Has apps show what their lists have come to hold. To be called before lists are read.
  ///
  /// - Complexity: O(apps used since the last call), and O(actions) if a list is stale.
  package mutating func refreshLists() {
    noteOtherLimits()
    remakeStaleLists()
  }

  /// Makes anew what lists are stale, but for those that another limit is to be kept to, and has all apps show them.
  mutating func remakeStaleLists() {
    remakeIfStale()
    beginSettling()
    while settle(atMost: .max) {}
  }

  private mutating func noteOtherLimits() {
    if !hasOtherLimits { return }
    hasOtherLimits = false
    for app in 0..<UInt32(apps.slots) where apps[app].isPresent && Int(apps[app].listLimit) != limit(ofApp: app) {
      markStale(app)
    }
  }

  /// Makes anew what lists are stale, but for those that another limit is to be kept to.
  mutating func remakeIfStale() {
    settleFlood()
    if hasStaleApps || topIsStale { remakeLists() }
  }

  /// Makes sure that the list of one app, or the one over all apps, is as it should be.
  ///
  /// - Complexity: O(actions used at this moment), and O(actions) if a list is stale.
  private mutating func refreshList(ofApp app: UInt32?) {
    noteOtherLimits()
    remakeIfStale()
    // It stays noted: looking once more costs little.
    if let app, apps[app].isUnsettled { showAnew(app) }
  }

  /// Begins to have all apps show what their lists have come to hold, which ``settle(atMost:)`` does bit by bit.
  package mutating func beginSettling() {
    settleFlood()
    settlingApps += unsettledApps
    unsettledApps = []
  }

  /// Has some of the apps show what their lists have come to hold that did not when ``beginSettling()`` was called.
  ///
  /// - Returns: whether more are left.
  /// - Complexity: O(`count`).
  package mutating func settle(atMost count: Int) -> Bool {
    for _ in 0..<min(count, settlingApps.count) {
      let app = settlingApps.removeLast()
      apps[app].isUnsettled = false
      // A stale list is empty, and is followed once it is made anew.
      if apps[app].isPresent, !apps[app].isStale { showAnew(app) }
    }
    return !settlingApps.isEmpty
  }

  private mutating func remakeLists() {
    settleUncommitted()
    if hasStaleApps {
      for app in 0..<UInt32(apps.slots) where apps[app].isStale { prepareStaleLists(ofApp: app) }
    }
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      if actions[number].competesInApp, apps[actions[number].app].isStale { offerToStaleLists(number) }
      if topIsStale, actions[number].competesInTop { placeInTop(number) }
    }
    if hasStaleApps {
      for app in 0..<UInt32(apps.slots) where apps[app].isStale {
        apps[app].isStale = false
        if apps[app].isPresent { markUnsettled(app) }
      }
    }
    (hasStaleApps, topIsStale) = (false, false)
  }

  // MARK: Reading

  /// Apps by number, whether the list over all apps, and apps that are gone.
  package typealias Changes = (apps: [UInt32], top: Bool, gone: [(number: UInt32, id: [UInt8])])

  /// What has changed since this was last asked: apps by number, whether the list over all apps did, and the apps that
  /// are gone. An app may be gone and there again, under its old number or another: what is gone comes first.
  ///
  /// Changes are those of what a list shows but for the scores' own decay, be it by time or by uses of other actions. A
  /// new app has changed.
  /// - Parameter settles: whether apps that do not show what their lists hold are looked at first; if not, what changes by
  ///   that comes the next time.
  /// - Complexity: that of ``refreshLists()`` if it settles, and O(what it returns).
  package mutating func takeChanges(settles: Bool = true) -> Changes {
    noteOtherLimits()
    if settles { remakeStaleLists() } else { remakeIfStale() }
    var present: [UInt32] = []
    for app in changedApps {
      apps[app].hasChanged = false
      if !apps[app].isPresent { continue }
      apps[app].isTold = true
      present.append(app)
    }
    defer {
      (changedApps, goneApps) = ([], [])
      topHasChanged = false
    }
    return (present, topHasChanged, goneApps)
  }

  /// Takes note that the list of an app, which may have come since, is about to be published.
  package mutating func noteTold(app: UInt32) { apps[app].isTold = true }

  /// The actions that the list of one app shows, by their places, with their scores at a decay time.
  ///
  /// - Complexity: O(limit + actions used at this moment), and O(actions) if a list is stale.
  package mutating func ranking(ofApp app: UInt32, at time: Int64) -> [RankedAction] {
    refreshList(ofApp: app)
    return rows(shown(ofApp: app), ofApp: app, at: time)
  }

  /// The best actions over all apps at a decay time, best first.
  ///
  /// - Complexity: as ``ranking(ofApp:at:)``.
  package mutating func ranking(at time: Int64) -> [RankedAction] {
    refreshList(ofApp: nil)
    return rows((0..<top.count).map { top[$0] }, ofApp: nil, at: time)
  }

  /// Rows as the list of an app, or the one over all apps, shows them.
  func rows(_ numbers: [UInt32], ofApp app: UInt32?, at time: Int64) -> [RankedAction] {
    let position = position(of: time, ofApp: app)
    let counter = counter(ofApp: app)
    return numbers.map { number in
      let record = actions[number]
      return unsafe RankedAction(
        number: number, app: appID(record.app), id: Array(actions.id(number)),
        score: actions.score(number, by: counter).score(at: position), uses: record.uses,
        lastUsed: record.uses > 0 ? record.lastUse.wall : nil)
    }
  }

  /// Which of its actions' counts orders the list of an app, or the one over all apps.
  func counter(ofApp app: UInt32?) -> ActionTable.Counter {
    if let app { counter(decay(ofApp: app), ofApp: app) } else { .common }
  }

  /// Where a decay time lies for the scores that order the list of an app, or the one over all apps.
  func position(of time: Int64, ofApp app: UInt32?) -> DecayPosition {
    listHalfLife(ofApp: app)?.position(of: time) ?? .zero
  }

  /// The half-life by which the scores fade that order the list of an app, or the one over all apps; nil if they fade
  /// by uses of the app alone.
  package func listHalfLife(ofApp app: UInt32?) -> HalfLife? {
    guard let app else { return halfLife }
    let decay = decay(ofApp: app)
    if decay == .fixed { return apps[app].ownHalfLife ?? halfLife }
    if case .time(let halfLife) = decay.pace { return halfLife }
    return nil
  }
}
