extension ActionRanking {
  // MARK: Finding and adding

  /// The number of an action; `app` is nil for the default owner.
  package func find(_ id: [UInt8], app: [UInt8]?) -> UInt32? {
    unsafe id.withUnsafeBytes { id in
      guard let app else { return unsafe find(id, owner: owners.owner(of: id)) }
      return unsafe app.withUnsafeBytes { unsafe find(id, owner: $0) }
    }
  }

  /// The number of an action, which is added without uses if it is not known yet; `app` is nil for the default owner.
  ///
  /// - Returns: a number; an action that was added is ``Standing/kept`` and stands in no list.
  package mutating func insert(_ id: [UInt8], app: [UInt8]?) -> UInt32 {
    unsafe id.withUnsafeBytes { id in
      guard let app else { return unsafe insert(id, owner: owners.owner(of: id)) }
      return unsafe app.withUnsafeBytes { unsafe insert(id, owner: $0) }
    }
  }

  /// The app that owns an action if no event names another.
  package func defaultOwner(of id: [UInt8]) -> [UInt8] {
    unsafe id.withUnsafeBytes { unsafe Array(owners.owner(of: $0)) }
  }

  /// Whether a use of an action would count nothing; `app` is nil for the default owner.
  package func isBlocked(_ id: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer?) -> Bool {
    let owner = unsafe app ?? owners.owner(of: id)
    if let app = unsafe apps.find(owner), apps[app].isBlocked { return true }
    return unsafe find(id, owner: owner).map { actions[$0].standing.contains(.blocked) } ?? false
  }

  private mutating func insert(_ id: UnsafeRawBufferPointer, owner: UnsafeRawBufferPointer) -> UInt32 {
    unsafe find(id, owner: owner) ?? insertNew(id, owner: owner, standing: .kept)
  }

  /// The action of this owner, however it is filed.
  func find(_ id: UnsafeRawBufferPointer, owner: UnsafeRawBufferPointer) -> UInt32? {
    guard let app = unsafe apps.find(owner) else { return nil }
    let hash = unsafe actions.hash(id)
    if let number = unsafe actions.find(id, foreignApp: nil, hash: hash), actions[number].app == app { return number }
    return unsafe actions.find(id, foreignApp: app, hash: hash)
  }

  /// Adds an action that its owner does not have yet: under its id alone if that is the default owner and the place is
  /// free, else as a foreign one.
  mutating func insertNew(
    _ id: UnsafeRawBufferPointer, owner: UnsafeRawBufferPointer, standing: Standing
  ) -> UInt32 {
    let hash = unsafe actions.hash(id)
    let isForeign =
      unsafe actions.find(id, foreignApp: nil, hash: hash) != nil || !owner.elementsEqual(owners.owner(of: id))
    return unsafe insertNew(
      id, app: findOrInsertApp(owner), isForeign: isForeign, standing: standing, hash: hash)
  }

  mutating func insertNew(
    _ id: UnsafeRawBufferPointer, app: UInt32, isForeign: Bool, standing: Standing, hash: UInt64
  ) -> UInt32 {
    let number = unsafe actions.insert(
      id, app: app, appID: apps.id(app), isForeign: isForeign, standing: standing, hash: hash)
    apps[app].members += 1
    if standing.contains(.kept) { keptActions += 1 }
    return number
  }

  // MARK: Standing

  /// What an action takes part in.
  package func standing(of number: UInt32) -> Standing { actions[number].standing }

  /// Sets what an action takes part in. One without uses that is not ``Standing/kept`` any more is removed.
  ///
  /// - Complexity: O(limit); lists that it leaves go stale.
  package mutating func setStanding(_ standing: Standing, of number: UInt32) {
    let old = actions[number]
    actions[number].standing = standing
    keptActions += (standing.contains(.kept) ? 1 : 0) - (old.standing.contains(.kept) ? 1 : 0)
    if old.uses == 0, !standing.contains(.kept) { return remove(number) }
    if !standing.contains(.inApp) { leaveAppLists(number) }
    if old.isInTopList, !standing.contains(.inTop) { markTopStale() }
    // Lists that were restored may have room for one whose standing was not known then.
    enterLists(number)
  }

  /// Sets what each action takes part in, as ``setStanding(_:of:)`` does; lists that were restored take in whom they lack.
  ///
  /// - Complexity: O(actions).
  package mutating func setStandings(_ standing: (UInt32) -> Standing) {
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      let standing = standing(number)
      if standing != actions[number].standing || actions[number].uses == 0 {
        setStanding(standing, of: number)
      } else if actions[number].competesInApp, !apps[actions[number].app].isStale, hasRoom(for: number) {
        enterAppLists(number)
      }
    }
  }

  /// Whether lists of its app that an action does not stand in hold fewer than they may.
  private func hasRoom(for number: UInt32) -> Bool {
    let app = actions[number].app
    var missing = decays(ofApp: app).subtracting(actions[number].counters.lists)
    while let decay = missing.first {
      if lists[count: app, decay] < apps[app].listLimit { return true }
      missing.remove(DecaySet(decay))
    }
    return false
  }

  // MARK: Removing

  /// Removes an action, whatever its standing, and all that is known of it; an app without actions goes with it unless
  /// it is kept. Its number is not used again before ``recycleNumbers()``.
  ///
  /// - Complexity: O(limit); lists that it stands in go stale.
  package mutating func remove(_ number: UInt32) {
    precondition(actions[number].isPresent, "only what is there is removed")
    markListsStale(of: number)
    unpublish(number)
    thawRemoved(number)
    if actions[number].standing.contains(.kept) { keptActions -= 1 }
    actions.remove(number)
    loseMember(actions[number].app)
  }

  /// Removes all actions, and all apps but those that are kept.
  ///
  /// - Complexity: O(actions).
  package mutating func removeAll() {
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent { remove(number) }
  }

  /// Lets the numbers of removed actions and apps be used again. No commit is under way that knows them.
  ///
  /// - Complexity: O(what waits to be stored), if actions were removed.
  package mutating func recycleNumbers() {
    history.dropRemoved(in: actions)
    finishedDays = finishedDays.filter { apps[$0.app].isPresent }
    survivors = [:]
    actions.recycleNumbers()
    apps.recycleNumbers()
  }
}
