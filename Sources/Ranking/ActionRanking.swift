/// Counts uses and keeps, for each app and over all apps, the list of the best actions.
///
/// Everything is a function of what was counted and when: no clock is read here, and ties are decided the same way on
/// every machine. Memory: about 64 bytes an action plus its id and 13 bytes of index, and 112 bytes an app.
package struct ActionRanking: ~Copyable {
  /// How fast uses lose their worth.
  package private(set) var halfLife: HalfLife
  /// How many actions a list holds: 1 to 20.
  package private(set) var limit: Int

  var actions: ActionTable
  private(set) var apps: AppTable
  private(set) var top = RankedList()
  /// How many events were counted, which numbers the next one.
  package internal(set) var arrivals: UInt64 = 0
  var history = UseHistory()

  private(set) var changedApps: [UInt32] = []
  private var topHasChanged = false

  /// The position of the last time that was asked for: most events of a batch share one.
  private var cachedTime: Int64
  private var cachedPosition: DecayPosition

  /// - Parameters:
  ///   - limit: 1 to 20.
  ///   - seed: 128 random bits for the tables, unknown to whoever sends events.
  package init(halfLife: HalfLife, limit: Int, seed: (UInt64, UInt64)) {
    precondition((1...RankedList.capacity).contains(limit))
    self.halfLife = halfLife
    self.limit = limit
    let hash = SeededHash(seed: seed)
    actions = ActionTable(hash: hash)
    apps = AppTable(hash: hash)
    cachedTime = 0
    cachedPosition = halfLife.position(of: 0)
  }

  /// How many actions are counted.
  package var actionCount: Int { actions.count }
  /// How many apps own them.
  package var appCount: Int { apps.count }

  /// Counts `uses` of an action.
  ///
  /// - Parameters:
  ///   - id: the action, valid as the protocol has it: 1 to 255 bytes.
  ///   - app: the app that the event named, 1 to 255 bytes; nil for the default owner.
  ///   - uses: at least 1.
  ///   - time: when.
  /// - Complexity: O(1) on average, and O(limit) for the lists.
  package mutating func count(
    _ id: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer?, uses: UInt32, at time: UseTime
  ) {
    let number = unsafe actionNumber(id, namedApp: app)
    let position = position(of: time.moment.decay)
    arrivals &+= 1

    actions[number].score.add(DecayedCount(weight: Double(uses), at: position))
    actions[number].uses = actions[number].uses.saturatingAdding(UInt64(uses))
    if time.moment.decay >= actions[number].lastUse.decay {
      actions[number].lastUse = time.moment
      actions[number].lastArrival = arrivals
    }
    markUncommitted(number)
    history.note(number, uses: uses, at: time.moment.wall, in: actions)
    updateLists(number)
  }

  @inline(__always)
  mutating func actionNumber(_ id: UnsafeRawBufferPointer, namedApp: UnsafeRawBufferPointer?) -> UInt32 {
    var foreignApp: UInt32?
    if let namedApp = unsafe namedApp, unsafe !namedApp.elementsEqual(DefaultApp.of(id)) {
      foreignApp = unsafe apps.findOrInsert(namedApp)
    }
    let tag = unsafe actions.tag(id, foreignApp: foreignApp)
    if let known = unsafe actions.find(id, foreignApp: foreignApp, tag: tag) { return known }
    let app = unsafe foreignApp ?? apps.findOrInsert(DefaultApp.of(id))
    history.addAction()
    return unsafe actions.insert(id, app: app, isForeign: foreignApp != nil, tag: tag)
  }

  @inline(__always)
  private mutating func position(of time: Int64) -> DecayPosition {
    if time != cachedTime {
      cachedPosition = halfLife.position(of: time)
      cachedTime = time
    }
    return cachedPosition
  }

  mutating func updateLists(_ number: UInt32) {
    let app = actions[number].app
    let inApp = apps[app].list.update(
      number, isListed: actions[number].isInAppList, limit: limit, in: actions)
    if inApp != .none {
      if case .entered(let evicted) = inApp {
        actions[number].isInAppList = true
        if let evicted { actions[evicted].isInAppList = false }
      }
      markChanged(app)
    }
    let inTop = top.update(number, isListed: actions[number].isInTopList, limit: limit, in: actions)
    if inTop != .none {
      if case .entered(let evicted) = inTop {
        actions[number].isInTopList = true
        if let evicted { actions[evicted].isInTopList = false }
      }
      topHasChanged = true
    }
  }

  private mutating func markChanged(_ app: UInt32) {
    if apps[app].hasChanged { return }
    apps[app].hasChanged = true
    changedApps.append(app)
  }

  // MARK: Reading

  /// What has changed since this was last asked: apps by number, and whether the list over all apps did.
  ///
  /// Changes are those of what a list shows but for the scores' own decay.
  package mutating func takeChanges() -> (apps: [UInt32], top: Bool) {
    for app in changedApps { apps[app].hasChanged = false }
    defer {
      changedApps = []
      topHasChanged = false
    }
    return (changedApps, topHasChanged)
  }

  /// The id of an app by its number, which is below ``appCount``.
  package func appID(_ app: UInt32) -> [UInt8] { unsafe Array(apps.id(app)) }

  /// The best actions of one app at a decay time, best first.
  package func ranking(ofApp app: UInt32, at time: Int64) -> [RankedAction] {
    rows(apps[app].list, at: time)
  }

  /// The best actions over all apps at a decay time, best first.
  package func ranking(at time: Int64) -> [RankedAction] { rows(top, at: time) }

  private func rows(_ list: RankedList, at time: Int64) -> [RankedAction] {
    let position = halfLife.position(of: time)
    return (0..<list.count).map { place in
      let record = actions[list[place]]
      return unsafe RankedAction(
        app: appID(record.app), id: Array(actions.id(list[place])), score: record.score.score(at: position),
        uses: record.uses, lastUsed: record.lastUse.wall)
    }
  }

  // MARK: Changing the settings

  /// Goes on with another half-life from the scores of this moment, and another limit. Every list counts as changed.
  ///
  /// - Complexity: O(actions).
  package mutating func change(halfLife newHalfLife: HalfLife, limit newLimit: Int, at time: Int64) {
    precondition((1...RankedList.capacity).contains(newLimit))
    let (old, new) = (halfLife.position(of: time), newHalfLife.position(of: time))
    let rescales = newHalfLife != halfLife
    halfLife = newHalfLife
    limit = newLimit
    cachedTime = time
    cachedPosition = new

    top.removeAll()
    for app in 0..<UInt32(apps.count) {
      apps[app].list.removeAll()
      markChanged(app)
    }
    topHasChanged = true
    for number in 0..<UInt32(actions.count) {
      if rescales {
        actions[number].score = actions[number].score.rescaled(from: old, to: new)
        // What is stored of it means something else under the new half-life.
        markUncommitted(number)
      }
      actions[number].isInAppList = false
      actions[number].isInTopList = false
    }
    for number in 0..<UInt32(actions.count) { updateLists(number) }
  }
}

/// One row of a ranking.
package struct RankedAction: Equatable, Sendable {
  /// The app's id.
  package let app: [UInt8]
  /// The action's id, `TYPE` or `TYPE#TARGET`.
  package let id: [UInt8]
  /// What its uses are worth at the moment asked for: finite, never negative.
  package let score: Double
  /// How many uses were counted.
  package let uses: UInt64
  /// Wall time of the latest use, Unix nanoseconds.
  package let lastUsed: Int64

  package init(app: [UInt8], id: [UInt8], score: Double, uses: UInt64, lastUsed: Int64) {
    self.app = app
    self.id = id
    self.score = score
    self.uses = uses
    self.lastUsed = lastUsed
  }
}
