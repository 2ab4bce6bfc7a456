extension ActionRanking {
  // MARK: Keeping

  /// Takes note in the lists that an action has risen.
  @inline(__always)
  mutating func updateLists(_ number: UInt32) {
    if actions[number].competesInApp, !apps[actions[number].app].isStale { placeInApp(number) }
    if actions[number].competesInTop, !topIsStale { placeInTop(number) }
  }

  /// Takes an action into the lists that it does not stand in, if it is among the best.
  mutating func enterLists(_ number: UInt32) {
    let record = actions[number]
    if record.competesInApp, !record.isInAppList, !apps[record.app].isStale { placeInApp(number) }
    if record.competesInTop, !record.isInTopList, !topIsStale { placeInTop(number) }
  }

  @inline(__always)
  private mutating func placeInApp(_ number: UInt32) {
    let app = actions[number].app
    let change = apps[app].list.update(
      number, isListed: actions[number].isInAppList, limit: limit(ofApp: app), by: apps[app].counter, in: actions)
    if change == .none { return }
    if case .entered(let evicted) = change {
      actions[number].isInAppList = true
      if let evicted { actions[evicted].isInAppList = false }
    }
    markChanged(app)
  }

  @inline(__always)
  private mutating func placeInTop(_ number: UInt32) {
    let change = top.update(
      number, isListed: actions[number].isInTopList, limit: limit, by: .common, in: actions)
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

  mutating func markChanged(_ app: UInt32) {
    if apps[app].hasChanged { return }
    apps[app].hasChanged = true
    changedApps.append(app)
  }

  // MARK: Making anew

  /// Has the lists that an action stands in made anew, because it does not stay where it is.
  mutating func markListsStale(of number: UInt32) {
    if actions[number].isInAppList { markStale(actions[number].app) }
    if actions[number].isInTopList { markTopStale() }
  }

  /// Has an app's list made anew. Until then it is empty, and nothing stands in it.
  mutating func markStale(_ app: UInt32) {
    for place in 0..<apps[app].list.count { actions[apps[app].list[place]].isInAppList = false }
    apps[app].list.removeAll()
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

  /// Makes anew what lists are stale. To be called before lists are read.
  ///
  /// - Complexity: O(actions), or O(1) if no list is stale.
  package mutating func refreshLists() {
    if !hasStaleApps, !topIsStale { return }
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      if actions[number].competesInApp, apps[actions[number].app].isStale { placeInApp(number) }
      if topIsStale, actions[number].competesInTop { placeInTop(number) }
    }
    if hasStaleApps {
      for app in 0..<UInt32(apps.slots) { apps[app].isStale = false }
    }
    (hasStaleApps, topIsStale) = (false, false)
  }

  // MARK: Reading

  /// What has changed since this was last asked: apps by number, whether the list over all apps did, and the apps that
  /// are gone. An app may be gone and there again, under its old number or another: what is gone comes first.
  ///
  /// Changes are those of what a list shows but for the scores' own decay. A new app has changed.
  /// - Complexity: that of ``refreshLists()``, and O(what it returns).
  package mutating func takeChanges() -> (apps: [UInt32], top: Bool, gone: [(number: UInt32, id: [UInt8])]) {
    refreshLists()
    var present: [UInt32] = []
    for app in changedApps {
      apps[app].hasChanged = false
      if apps[app].isPresent { present.append(app) }
    }
    defer {
      (changedApps, goneApps) = ([], [])
      topHasChanged = false
    }
    return (present, topHasChanged, goneApps)
  }

  /// The best actions of one app at a decay time, best first. Its list is not stale.
  package func ranking(ofApp app: UInt32, at time: Int64) -> [RankedAction] {
    precondition(!apps[app].isStale, "lists are refreshed before they are read")
    let list = apps[app].list
    return rows((0..<list.count).map { list[$0] }, ofApp: app, at: time)
  }

  /// The best actions over all apps at a decay time, best first. The list is not stale.
  package func ranking(at time: Int64) -> [RankedAction] {
    precondition(!topIsStale, "lists are refreshed before they are read")
    return rows((0..<top.count).map { top[$0] }, ofApp: nil, at: time)
  }

  /// Rows as the list of an app, or the one over all apps, shows them.
  func rows(_ numbers: [UInt32], ofApp app: UInt32?, at time: Int64) -> [RankedAction] {
    let position = listHalfLife(ofApp: app).position(of: time)
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
    if let app { apps[app].counter } else { .common }
  }

  /// The half-life that the scores go by which order the list of an app, or the one over all apps.
  package func listHalfLife(ofApp app: UInt32?) -> HalfLife {
    if let app, let own = apps[app].ownHalfLife { own } else { halfLife }
  }
}
