/// Counts uses and keeps, for each app and over all apps, the list of the best actions.
///
/// Everything is a function of what was counted and when: no clock is read here, and ties are decided the same way on
/// every machine. Memory: 96 bytes an action, some 10 of index and its id, without what that has in common with its app's;
/// and for an app about 500 bytes and 44 for each place of the largest limit.
package struct ActionRanking: ~Copyable {
  /// How fast uses lose their worth.
  package internal(set) var halfLife: HalfLife
  /// How many actions a list holds: 1 to 20.
  package internal(set) var limit: Int
  /// What an action gets that appears by being used.
  package var defaultStanding: Standing = [.inApp, .inTop]

  /// How actions are ranked in apps that have no half-life of their own.
  package internal(set) var method: RankingMethod
  /// By what share of another's score an action has to be ahead to take its place in the list of an app: 0 to 10.
  package internal(set) var swapMargin: Double
  /// Whether that holds among those that are shown, too; else they stand in the order of their scores.
  package internal(set) var keepsPlaces: Bool
  /// Uses that are dated back by more, nanoseconds, say nothing about how good a list was: the interval of publishing.
  package var trialSpan: Int64 = 5_000_000_000

  var actions: ActionTable
  var apps: AppTable
  var lists: AppLists
  /// What is published of each app, by place.
  var published: [[UInt32]] = []
  var top = RankedList()
  /// How many events were counted, which numbers the next one.
  package internal(set) var arrivals: UInt64 = 0
  var history = UseHistory()

  var owners: OwningApps
  /// Whether ``setOwningApps(_:at:)`` has said which they are.
  var ownersAreKnown = false
  let hash: SeededHash
  /// What became of removed numbers whose uses others have now, until numbers are recycled.
  var survivors: [UInt32: UInt32] = [:]

  /// Actions whose uses were all forgotten since uses were last taken.
  var forgotten: Set<UInt32> = []

  var changedApps: [UInt32] = []
  var goneApps: [(number: UInt32, id: [UInt8])] = []
  var topHasChanged = false
  /// Whether the list over all apps is empty because it has to be made anew, and whether some app's is.
  var topIsStale = false
  var hasStaleApps = false
  /// Whether lists of some app may hold fewer or more than they should.
  var hasOtherLimits = false

  /// How many actions there may be that are not kept, see ``setMaxActions(_:)``.
  package internal(set) var maxActions = Int.max
  /// How many actions are ``Standing/kept``.
  var keptActions = 0
  /// How many apps there may be, and from how many on some of them are purged.
  var (mostApps, appsAtPurge) = (Int.max, Int.max)
  /// What actions have lost by purges.
  var lost = LostWorth()
  /// What is gone since it was last asked, but may be stored.
  var goneNames = GoneNames()
  /// Numbers of purged apps that others may have, since days were last taken.
  var reusedApps: Set<UInt32> = []

  /// Apps that have to be stored; some may be there twice, or be gone.
  var uncommittedApps: [UInt32] = []
  /// What apps bear that have to be stored, 1 or 2: the other one bear those that a commit has still to copy.
  var appMark: UInt8 = 1
  var frozenApps: [UInt32] = []
  /// What the commit under way has copied and not taken yet.
  var copies = StateCopies()
  /// The names of actions that were removed since that began.
  var namesOfRemoved: [UInt32: (app: [UInt8], id: [UInt8])] = [:]
  var finishedDays: [FinishedDay] = []
  var restoredApps: [[UInt8]: AppState] = [:]
  /// The app of the action that was restored last, until all are.
  var lastRestoredApp: UInt32?
  /// The hashes of the ids of actions that are restored soon.
  var expected: [UInt64] = []
  /// The wall time at which it was last asked which hour goes on.
  var latestWall: Int64 = 0

  /// Apps that show what may not follow their lists.
  var unsettledApps: [UInt32] = []
  /// Those of them that ``settle(atMost:)`` has still to look at.
  var settlingApps: [UInt32] = []
  let hitTable = HitTable()
  /// The decay time at which the latest use was reported, the wall time if it is in a flood, how many uses were reported
  /// then, and what was used in a flood that lists have not followed yet.
  var floodTime = Int64.min
  var floodWall: Int64 = 0
  var usesOfMoment: UInt32 = 0
  var risen: [UInt32] = []
  /// Actions with uses that are pending.
  var used: [UInt32] = []
  /// Whether the uses that come next are of a batch of many lines.
  package var isBulk = false
  /// Means nothing, see ``count(_:at:)``.
  var reached: UInt64 = 0

  private var positions = PositionCache()
  private var ownPositions = PositionCache()

  /// - Parameters:
  ///   - limit: 1 to 20.
  ///   - seed: 128 random bits for the tables, unknown to whoever sends events.
  ///   - swapMargin: 0 to 10.
  package init(
    halfLife: HalfLife, limit: Int, seed: (UInt64, UInt64), method: RankingMethod = .adaptive,
    swapMargin: Double = 0.25, keepPlaces: Bool = true
  ) {
    precondition((1...RankedList.capacity).contains(limit) && (0...10).contains(swapMargin))
    self.method = method
    self.swapMargin = swapMargin
    keepsPlaces = keepPlaces
    lists = AppLists(width: limit)
    self.halfLife = halfLife
    self.limit = limit
    hash = SeededHash(seed: seed)
    actions = ActionTable(hash: hash)
    apps = AppTable(hash: hash)
    owners = OwningApps([], hash: hash)
  }

  /// How many actions there are.
  package var actionCount: Int { actions.count }
  /// Actions' numbers are below this; not all of them are in use, see ``isPresent(_:)``.
  package var actionSlots: Int { actions.slots }
  /// How many apps own them.
  package var appCount: Int { apps.count }
  /// Apps' numbers are below this; not all of them are in use, see ``isPresent(app:)``.
  package var appSlots: Int { apps.slots }

  /// Whether there is an action of this number.
  package func isPresent(_ number: UInt32) -> Bool { number < actions.slots && actions[number].isPresent }
  /// The numbers of all actions, ascending.
  ///
  /// - Complexity: O(actions), as is ``appNumbers`` in apps.
  package var actionNumbers: [UInt32] { (0..<UInt32(actions.slots)).filter { actions[$0].isPresent } }
  /// The numbers of all apps, ascending.
  package var appNumbers: [UInt32] { (0..<UInt32(apps.slots)).filter { apps[$0].isPresent } }
  /// Whether there is an app of this number.
  package func isPresent(app: UInt32) -> Bool { app < apps.slots && apps[app].isPresent }

  /// Counts `uses` of an action.
  ///
  /// - Parameters:
  ///   - id: the action, valid as the protocol has it: 1 to 255 bytes.
  ///   - namedApp: the app that the event named, 1 to 255 bytes; nil for the default owner.
  ///   - uses: at least 1.
  ///   - time: when.
  /// - Returns: false if the action or its app is blocked; then nothing has changed.
  /// - Complexity: O(1) on average, and O(limit) for the lists.
  @discardableResult
  package mutating func count(
    _ id: UnsafeRawBufferPointer, app namedApp: UnsafeRawBufferPointer?, uses: UInt32, at time: UseTime
  ) -> Bool {
    unsafe count(ActionKey(id: id, hash: actions.hash(id)), app: namedApp, uses: uses, at: time)
  }

  /// The same of an action that is perhaps looked up.
  @inline(__always)
  mutating func count(
    _ key: ActionKey, app namedApp: UnsafeRawBufferPointer?, uses: UInt32, at time: UseTime
  ) -> Bool {
    guard let number = unsafe numberToCount(key, namedApp: namedApp) else { return false }
    arrivals &+= 1
    let isFlood = isFlood(at: time.moment.decay.saturatingAdding(time.age))
    if isFlood, uses == 1, time.age == 0, unsafe namedApp == nil {
      addPending(number, at: time.moment.wall)
      return true
    }
    unsafe countNow(number, namedApp: namedApp, uses: uses, at: time, isFlood: isFlood)
    return true
  }

  @inline(never)
  private mutating func countNow(
    _ number: UInt32, namedApp: UnsafeRawBufferPointer?, uses: UInt32, at time: UseTime, isFlood: Bool
  ) {
    let app = actions[number].app
    markUncommitted(app: app)
    markUsed(number)
    if unsafe namedApp != nil { actions[number].isAppNamed = true }
    judge(number, ofApp: app, at: time, isTrial: !isFlood)
    let (decay, wall) = (time.moment.decay, time.moment.wall)
    let isLatest = decay >= actions[number].lastUse.decay
    let passed = decay.saturatingSubtracting(actions[number].lastUse.decay)
    let factors = actions.fading.factors(
      uses: apps[app].steps &- actions[number].counters.step, nanoseconds: passed.magnitude)
    actions[number].counters.add(Float(uses), step: apps[app].steps, factors: factors, isLatest: isLatest)
    apps[app].steps &+= 1
    apps[app].bars.fade(by: 1, in: actions.fading)

    addWorth(of: UInt64(uses), to: number, at: decay)
    actions[number].uses = actions[number].uses.saturatingAdding(UInt64(uses))
    if isLatest {
      actions[number].lastUse = time.moment
      actions[number].lastArrival = arrivals
    }
    history.note(number, uses: uses, at: wall, in: &actions)
    if isFlood { noteRisen(number) } else { updateLists(number) }
  }

  /// Adds to the scores of an action what uses of a decay time are worth.
  @inline(__always)
  mutating func addWorth(of uses: UInt64, to number: UInt32, at decay: Int64) {
    let weight = Double(uses)
    actions[number].score.add(DecayedCount(weight: weight, at: positions.position(of: decay, under: halfLife)))
    guard let own = apps[actions[number].app].ownHalfLife else { return }
    actions[ownScore: number].add(
      DecayedCount(weight: weight, at: ownPositions.position(of: decay, under: own)))
  }

  /// The action that an event means, which is added if it is new; nil if it is blocked.
  @inline(__always)
  private mutating func numberToCount(
    _ key: ActionKey, namedApp: UnsafeRawBufferPointer?
  ) -> UInt32? {
    var known = actions.find(key)
    let (id, hash) = unsafe (key.id, key.hash)
    if let namedApp = unsafe namedApp, known.map({ unsafe !apps.hasID(actions[$0].app, namedApp) }) ?? true {
      let app = unsafe apps.find(namedApp)
      known = if let app { unsafe actions.find(id, foreignApp: app, hash: hash) } else { nil }
    }
    guard let known else { return unsafe newNumberToCount(id, hash: hash, namedApp: namedApp) }
    if actions[known].standing.contains(.blocked) || apps[actions[known].app].isBlocked { return nil }
    return known
  }

  /// Adds the action that an event means, which is not known by its id alone or, if the event named an app, by both; nil
  /// if it or its app is blocked.
  @inline(never)
  private mutating func newNumberToCount(
    _ id: UnsafeRawBufferPointer, hash: UInt64, namedApp: UnsafeRawBufferPointer?
  ) -> UInt32? {
    let owner = unsafe namedApp ?? owners.owner(of: id)
    let app = unsafe apps.find(owner)
    if let app, apps[app].isBlocked { return nil }
    if unsafe namedApp == nil, ownersAreKnown {
      makeRoom(isNewApp: app == nil)
      // It may have gone, with its last action, for that room.
      let owningApp: UInt32
      if let app, apps[app].isPresent, unsafe apps.hasID(app, owner) {
        owningApp = app
      } else {
        owningApp = unsafe findOrInsertApp(owner)
      }
      return unsafe insertNew(id, app: owningApp, isForeign: false, standing: defaultStanding, hash: hash)
    }
    // An owner that was named before has it as a foreign one as long as it is not settled who owns what.
    let number = unsafe find(id, owner: owner) ?? insertUsed(id, owner: owner)
    return actions[number].standing.contains(.blocked) ? nil : number
  }

  // MARK: Changing the settings

  /// Goes on with another half-life from the scores of this moment, another limit, and other ways to rank; apps that
  /// have their own half-life or limit keep those. Every list is made anew, and counts as changed.
  ///
  /// - Parameters:
  ///   - method: nil for the one of before; so are the others.
  ///   - swapMargin: 0 to 10.
  /// - Complexity: O(actions).
  package mutating func change(
    halfLife newHalfLife: HalfLife, limit newLimit: Int, at time: Int64, method: RankingMethod? = nil,
    swapMargin: Double? = nil, keepPlaces: Bool? = nil
  ) {
    precondition((1...RankedList.capacity).contains(newLimit))
    settleUncommitted()
    if let method, method != self.method {
      self.method = method
      // The lists of the other method were not judged.
      for app in 0..<UInt32(apps.slots) where apps[app].isPresent {
        markUncommitted(app: app)
        apps[app].rates.clear()
      }
    }
    if let swapMargin {
      precondition((0...10).contains(swapMargin))
      self.swapMargin = swapMargin
    }
    if let keepPlaces { keepsPlaces = keepPlaces }
    let (old, new) = (halfLife.position(of: time), newHalfLife.position(of: time))
    let rescales = newHalfLife != halfLife
    halfLife = newHalfLife
    limit = newLimit
    lists.widen(to: newLimit)
    markAllStale()
    if rescales {
      lost.common = lost.common.rescaled(from: old, to: new)
      for number in 0..<UInt32(actions.slots) where actions[number].isPresent && actions[number].uses > 0 {
        // What is stored of it means something else under the new half-life.
        markUncommitted(number)
        actions[number].score = actions[number].score.rescaled(from: old, to: new)
      }
    }
    refreshLists()
  }
}
