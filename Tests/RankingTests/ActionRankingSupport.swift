@testable import Ranking

extension ActionRanking {
  /// One that keeps its lists exact, by one half-life.
  init(halfLife: HalfLife = .week, limit: Int = 4) {
    self.init(halfLife: halfLife, limit: limit, seed: (1, 2), method: .fixed, swapMargin: 0)
  }

  /// Counts uses at a decay time; their wall time is ``today`` and that much more.
  ///
  /// - Returns: whether they were counted.
  @discardableResult
  mutating func count(_ id: String, app: String? = nil, uses: UInt32 = 1, at time: Int64 = 0) -> Bool {
    let moment = Moment(decay: time, wall: today + time)
    return Array(id.utf8).withUnsafeBytes { id in
      guard let app else { return count(id, app: nil, uses: uses, at: UseTime(clientTime: nil, now: moment)) }
      return Array(app.utf8).withUnsafeBytes {
        count(id, app: $0, uses: uses, at: UseTime(clientTime: nil, now: moment))
      }
    }
  }

  /// Takes over one stored action, the only one; whether it was new.
  mutating func restored(_ state: ActionState) -> Bool {
    defer { finishRestoring(arrivals: state.lastArrival, at: 0) }
    return restore(state)
  }

  /// The number of an action; without `app` that of the default owner.
  func find(_ id: String, app: String? = nil) -> UInt32? { find(Array(id.utf8), app: app.map { Array($0.utf8) }) }

  /// Adds an action without uses, with a standing.
  @discardableResult
  mutating func insert(_ id: String, app: String? = nil, _ standing: Standing) -> UInt32 {
    let number = insert(Array(id.utf8), app: app.map { Array($0.utf8) })
    setStanding(standing, of: number)
    return number
  }

  /// Sets the standing of an action that is known.
  mutating func setStanding(_ standing: Standing, of id: String) { find(id).map { setStanding(standing, of: $0) } }

  /// Sets which apps own what is named after them, and says what has moved as `action from to`.
  mutating func own(_ apps: String..., at time: Int64 = 0) -> [String] {
    setOwningApps(apps.map { Array($0.utf8) }, at: time).map { move in
      [move.action, move.from, move.to].map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  /// What has changed since this was last asked: ids of apps, and of apps that are gone.
  mutating func changes() -> (apps: Set<String>, top: Bool, gone: [String]) {
    let changes = takeChanges()
    return (
      Set(changes.apps.map { String(decoding: appID($0), as: UTF8.self) }), changes.top,
      changes.gone.map { String(decoding: $0.id, as: UTF8.self) }
    )
  }

  /// The number of an app that is known.
  func app(_ id: String) -> UInt32? { findApp(Array(id.utf8)) }

  /// The ids that an app's list shows, best first.
  mutating func ids(ofApp app: String, at time: Int64 = 0) -> [String] {
    guard let app = self.app(app) else { return [] }
    return ranking(ofApp: app, at: time).map { String(decoding: $0.id, as: UTF8.self) }
  }

  /// All apps that are known.
  var appIDs: [String] {
    (0..<UInt32(appSlots)).filter { isPresent(app: $0) }.map { String(decoding: appID($0), as: UTF8.self) }
  }

  /// Takes all that has to be stored of actions, at once.
  mutating func takeUncommitted() -> UncommittedUses {
    let (uses, apps) = takeAll()
    giveBackApps(apps)
    return uses
  }

  /// Takes the apps that have to be stored, at once.
  mutating func takeUncommittedApps() -> [UInt32] {
    let (uses, apps) = takeAll()
    giveBack(uses)
    return apps
  }

  private mutating func takeAll() -> (uses: UncommittedUses, apps: [UInt32]) {
    freeze()
    while copyFrozen(atMost: 100) {}
    let copies = takeCopies()
    var uses = UncommittedUses()
    uses.add(copies)
    return (uses, copies.apps.map { $0.number })
  }
}
