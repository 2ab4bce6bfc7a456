import TestSupport
import Testing

@testable import Ranking

/// A ranking, the model of it, and what a database would hold of it, through the same random life.
final class ActionRankingTrial {
  static let step = hour / 2
  private static let ids = [
    "x", "a.x", "a.y", "a.z#1", "a.b.x", "a.b.y", "a.b.c.x", "a.b.c.y#q.r", "b.x", "b.c.x", "b.c.y", "ab.x",
  ]
  private static let appNames = ["a", "a.b", "a.b.c", "b", "b.c", "default"]
  /// Half-lives by their number in a step.
  private static func halfLife(_ pace: Int) -> HalfLife { HalfLife(nanoseconds: step / Int64(pace)) }

  /// What is stored, by app and id.
  private struct Database {
    var states: [[String]: ActionState] = [:]
    var hours: [[String]: [Int64: UInt64]] = [:]
    var apps: [[UInt8]: AppState] = [:]

    mutating func remove(_ key: [String]) { (states[key], hours[key]) = (nil, nil) }
  }

  /// A commit that is under way.
  private struct Flight {
    /// What there was when it began.
    let frozen: FrozenState
    var copied = FrozenState()
    var uses = UncommittedUses()
  }

  private var random: SeededRandom
  private var ranking: ActionRanking
  private var model: ActionRankingModel
  private var database = Database()
  private var flight: Flight?
  /// What is to happen to the database once the commit under way has ended.
  private var queue: [(inout Database) -> Void] = []
  /// Apps that somebody who followed every change would have files of.
  private var files: Set<String> = []
  private var now: Int64 = 0

  init(random: SeededRandom, limit: Int) {
    self.random = random
    ranking = ActionRanking(halfLife: Self.halfLife(1), limit: limit, seed: (1, 2), method: .fixed, swapMargin: 0)
    model = ActionRankingModel(step: Self.step, limit: limit)
    ranking.begin(hourOf: today)
    _ = ranking.setOwningApps([], at: 0)
  }

  private func moment(_ time: Int64) -> Moment { Moment(decay: time * Self.step, wall: today + time * Self.step) }
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
  private func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private func store(_ change: @escaping (inout Database) -> Void) {
    if flight == nil { change(&database) } else { queue.append(change) }
  }

  /// Runs one life of some hundred events within eight hours.
  func run() {
    for event in 0..<640 {
      if flight != nil, random.oneIn(2) { copy(atMost: Int.random(in: 0...4, using: &random)) }
      if event % 40 == 39 {
        now += 1
        ranking.begin(hourOf: moment(now).wall)
      }
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<22: count()
      case 22..<25: changeStanding()
      case 25, 26: insert()
      case 27: remove()
      case 28: changeOwners()
      case 29: changeHalfLife()
      case 30: changeApp()
      case 31: if random.oneIn(2) { forget() }
      case 32..<36: if flight == nil { takeOff() } else { land(successfully: random.oneIn(2)) }
      case 36: if random.oneIn(3) { restart() }
      case 37: if random.oneIn(20) { removeAll() }
      case 38: takeChanges()
      default: if random.oneIn(2) { check("event \(event)") }
      }
      ranking.checkInvariants()
    }
    restart()
    check("the end")
  }

  // MARK: What happens

  private func count() {
    let (id, app) = (pick(Self.ids), random.oneIn(4) ? pick(Self.appNames) : nil)
    let time = random.oneIn(4) ? Int64.random(in: 0...now, using: &random) : now
    let uses: UInt32 = random.oneIn(2) ? 1 : UInt32.random(in: 1...16, using: &random)
    let isCounted = ranking.count(id, app: app, uses: uses, at: time * Self.step)
    #expect(isCounted == model.count(id, app: app, uses: uses, at: time), "seed \(random.seed)")
  }

  private func anyRow() -> (row: Int, number: UInt32, key: [String])? {
    guard let row = model.rows.indices.randomElement(using: &random) else { return nil }
    let key = [model.rows[row].app, model.rows[row].id]
    guard let number = ranking.find(bytes(key[1]), app: bytes(key[0])) else {
      Issue.record("\(key) is gone, seed \(random.seed)")
      return nil
    }
    return (row, number, key)
  }

  private func changeStanding() {
    guard let (row, number, key) = anyRow() else { return }
    var standing = Standing(rawValue: UInt8.random(in: 0..<8, using: &random))
    if random.oneIn(6) { standing.insert(.blocked) }
    if model.rows[row].uses == 0, !standing.contains(.kept) { store { $0.remove(key) } }
    ranking.setStanding(standing, of: number)
    model.setStanding(standing, of: row)
  }

  private func insert() {
    let (id, app) = (pick(Self.ids), random.oneIn(2) ? pick(Self.appNames) : nil)
    let number = ranking.insert(bytes(id), app: app.map(bytes))
    let row = model.insert(id, app: app, standing: .kept)
    #expect(ranking.standing(of: number) == model.rows[row].standing, "seed \(random.seed)")
    let standing: Standing = random.oneIn(2) ? [.kept, .inApp] : [.kept, .inApp, .inTop]
    ranking.setStanding(standing, of: number)
    model.setStanding(standing, of: row)
  }

  private func remove() {
    guard let (_, number, key) = anyRow() else { return }
    ranking.remove(number)
    let isPresent = ranking.isPresent(number)
    #expect(!isPresent)
    model.removeAll { [$0.app, $0.id] == key }
    store { $0.remove(key) }
  }

  private func removeAll() {
    ranking.removeAll()
    model.removeAll { _ in true }
    store { ($0.states, $0.hours) = ([:], [:]) }
  }

  private func changeOwners() {
    let owning = (Self.appNames + ["q"]).filter { _ in random.oneIn(3) }
    let moved = ranking.setOwningApps(owning.map(bytes), at: now * Self.step)
    let expected = model.setOwningApps(owning, at: now)
    #expect(
      Set(moved.map { [text($0.action), text($0.from), text($0.to)] }) == Set(expected), "seed \(random.seed)")
    for move in expected {
      store { database in
        let hours = database.hours[[move[1], move[0]]] ?? [:]
        database.remove([move[1], move[0]])
        if !hours.isEmpty { database.hours[[move[2], move[0]], default: [:]].merge(hours, uniquingKeysWith: +) }
      }
    }
  }

  private func changeHalfLife() {
    let (pace, limit) = (pick([1, 2]), pick([1, 3, 5]))
    ranking.change(halfLife: Self.halfLife(pace), limit: limit, at: now * Self.step)
    model.setPace(pace, at: now)
    model.limit = limit
  }

  private func changeApp() {
    let name = pick(Self.appNames)
    let app = ranking.insertApp(bytes(name))
    let isKept = random.oneIn(2)
    ranking.setKept(true, app: app)
    model.set(name) { $0.isKept = true }
    let (pace, limit, isBlocked) = (pick([nil, 1, 2]), pick([nil, 1, 2, 7]), random.oneIn(4))
    ranking.setHalfLife(pace.map(Self.halfLife), ofApp: app, at: now * Self.step)
    model.setPace(pace, ofApp: name, at: now)
    ranking.setLimit(limit, ofApp: app)
    ranking.setBlocked(isBlocked, app: app)
    ranking.setKept(isKept, app: app)
    model.set(name) { ($0.ownLimit, $0.isBlocked, $0.isKept) = (limit, isBlocked, isKept) }
  }

  private func forget() {
    land(successfully: random.oneIn(2))
    let first = today / hour
    let from = first + Int64.random(in: 0...now / 2 + 1, using: &random)
    var wanted = Set(ranking.uncommittedActions(hoursFrom: from))
    for (key, hours) in database.hours where hours.keys.contains(where: { $0 >= from }) {
      if let number = ranking.find(bytes(key[1]), app: bytes(key[0])) { wanted.insert(number) }
    }
    let stored = wanted.map { number in
      let name = ranking.name(number)
      let hours = database.hours[[text(name.app), text(name.id)]] ?? [:]
      return StoredHours(number: number, hours: hours.map { StoredHour(hour: $0.key, uses: $0.value) })
    }
    let forgotten = ranking.forget(hoursFrom: from, stored: stored, at: moment(now))
    let expected = model.forget(hoursFrom: from - first, at: now)
    #expect(forgotten == expected, "seed \(random.seed)")
    for key in database.hours.keys {
      database.hours[key] = database.hours[key]?.filter { $0.key < from }
      if database.hours[key]?.isEmpty ?? true { database.hours[key] = nil }
    }
    for key in database.states.keys where (model.find(key[1], app: key[0]).map { model.rows[$0].uses } ?? 0) == 0 {
      database.remove(key)
    }
  }

  // MARK: Storing

  private func takeOff() {
    flight = Flight(frozen: FrozenState(freezing: &ranking))
  }

  private func copy(atMost count: Int) {
    _ = ranking.copyFrozen(atMost: count)
    let copies = ranking.takeCopies()
    flight?.copied.add(copies)
    flight?.uses.add(copies)
  }

  private func land(successfully: Bool) {
    guard flight != nil else { return }
    copy(atMost: .max)
    guard let flight else { return }
    self.flight = nil
    #expect(flight.frozen.differences(from: flight.copied) == [], "seed \(random.seed)")
    if successfully {
      for (key, state) in flight.copied.actions { database.states[key] = state }
      for state in flight.copied.apps.values { database.apps[state.app] = state }
      for (key, hours) in flight.copied.hours { database.hours[key, default: [:]].merge(hours, uniquingKeysWith: +) }
    } else {
      ranking.giveBack(flight.uses)
      ranking.giveBackApps(Array(flight.copied.apps.keys))
    }
    for change in queue { change(&database) }
    queue = []
    ranking.recycleNumbers()
  }

  /// Stores everything, holds it against the model and makes another ranking of it.
  private func restart() {
    land(successfully: random.oneIn(2))
    // As the last round of snapshots does: what apps show follows their lists, and is stored like that.
    ranking.refreshLists()
    takeOff()
    land(successfully: true)
    let used = model.rows.filter { $0.uses > 0 }
    #expect(Set(database.states.keys) == Set(used.map { [$0.app, $0.id] }), "seed \(random.seed)")
    let hours = Dictionary(
      uniqueKeysWithValues: used.map { row in
        ([row.app, row.id], Dictionary(uniqueKeysWithValues: row.hours.map { ($0.key + today / hour, $0.value) }))
      })
    #expect(database.hours == hours, "seed \(random.seed)")
    #expect(used.allSatisfy { database.states[[$0.app, $0.id]]?.firstUsed == today + $0.firstUse * Self.step })

    model.restart()
    ranking = ActionRanking(
      halfLife: Self.halfLife(model.pace), limit: model.limit, seed: (random.next(), 2), method: .fixed,
      swapMargin: 0)
    ranking.begin(hourOf: moment(now).wall)
    for (name, settings) in model.apps {
      let app = ranking.insertApp(bytes(name))
      ranking.setKept(true, app: app)
      ranking.setHalfLife(settings.ownPace.map(Self.halfLife), ofApp: app, at: now * Self.step)
      ranking.setLimit(settings.ownLimit, ofApp: app)
      ranking.setBlocked(settings.isBlocked, app: app)
    }
    let (isBefore, owning) = (random.oneIn(2), model.owningApps.map(bytes))
    if isBefore { _ = ranking.setOwningApps(owning, at: now * Self.step) }
    let areInsertedBefore = isBefore && random.oneIn(2)
    if areInsertedBefore { insertKept() }
    for state in database.states.values.shuffled(using: &random) {
      let isNew = ranking.restore(state)
      #expect(isNew, "seed \(random.seed)")
      let isNewAgain = ranking.restore(state)
      #expect(!isNewAgain, "seed \(random.seed)")
    }
    for state in database.apps.values { ranking.restore(app: state) }
    let moved = ranking.finishRestoring(arrivals: model.arrivals, at: now * Self.step)
    #expect(moved.isEmpty && !ranking.hasUncommitted, "seed \(random.seed)")
    if !isBefore {
      let moved = ranking.setOwningApps(owning, at: now * Self.step)
      #expect(moved.isEmpty, "seed \(random.seed)")
    }
    if !areInsertedBefore { insertKept() }
    for row in model.rows { setStanding(of: row) }
    for (name, settings) in model.apps {
      if let app = ranking.app(name) { ranking.setKept(settings.isKept, app: app) }
    }
    files = []
  }

  private func insertKept() {
    for row in model.rows where row.standing.contains(.kept) {
      let number = ranking.insert(bytes(row.id), app: bytes(row.app))
      ranking.setStanding(row.standing, of: number)
    }
  }

  private func setStanding(of row: ActionRankingModel.Row) {
    guard let number = ranking.find(bytes(row.id), app: bytes(row.app)) else {
      Issue.record("\(row.app) \(row.id) is gone, seed \(random.seed)")
      return
    }
    ranking.setStanding(row.standing, of: number)
  }

  // MARK: Looking

  private func takeChanges() {
    let changes = ranking.takeChanges()
    for app in changes.gone { files.remove(text(app.id)) }
    for app in changes.apps { files.insert(text(ranking.appID(app))) }
    #expect(files == Set(model.apps.keys), "seed \(random.seed)")
  }

  private func check(_ place: String) {
    takeChanges()
    let time = now * Self.step
    #expect(ranking.actionCount == model.rows.count && ranking.arrivals == model.arrivals, "seed \(random.seed)")
    #expect(Set(ranking.appIDs) == Set(model.apps.keys), "seed \(random.seed)")
    let isTop = model.says(ranking.ranking(at: time), model.ranking(ofApp: nil), ofApp: nil, at: now)
    #expect(isTop, "\(place), seed \(random.seed)")
    let all = model.competing(inApp: nil)
    let isBest = model.says(ranking.best(7, ofApp: nil, at: time), Array(all.prefix(7)), ofApp: nil, at: now)
    #expect(isBest, "\(place), seed \(random.seed)")
    for (name, app) in model.apps.keys.compactMap({ name in ranking.app(name).map { (name, $0) } }) {
      let isRight = model.says(ranking.ranking(ofApp: app, at: time), model.ranking(ofApp: name), ofApp: name, at: now)
      #expect(isRight, "\(place), app \(name), seed \(random.seed)")
      let competing = model.competing(inApp: name)
      let best = ranking.best(.max, ofApp: app, at: time)
      #expect(model.says(best, competing, ofApp: name, at: now), "\(place), app \(name), seed \(random.seed)")
      for (index, row) in best.enumerated() {
        let expected = Place(place: index + 1, count: best.count, ahead: index > 0 ? best[index - 1].number : nil)
        #expect(ranking.place(of: row.number) == expected, "\(place), seed \(random.seed)")
      }
      let rows = model.rows.filter { $0.app == name }
      #expect(Set(ranking.members(ofApp: app).map { text(ranking.name($0).id) }) == Set(rows.map(\.id)))
      let summary = ranking.appSummary().first { $0.number == app }
      #expect(
        summary?.usedActions == rows.count { $0.uses > 0 } && summary?.uses == rows.reduce(0) { $0 + $1.uses }
          && summary?.lastUsed == rows.filter { $0.uses > 0 }.map { today + $0.lastUse * Self.step }.max(),
        "seed \(random.seed)")
      for row in rows { check(row, app: app) }
    }
  }

  private func check(_ row: ActionRankingModel.Row, app: UInt32) {
    guard let number = ranking.find(bytes(row.id), app: bytes(row.app)) else {
      Issue.record("\(row.app) \(row.id) is not there, seed \(random.seed)")
      return
    }
    let isUsed = row.uses > 0
    let expected = ActionReport(
      app: app, score: model.score(row, ofApp: row.app, at: now), commonScore: model.score(row, ofApp: nil, at: now),
      uses: row.uses, firstUsed: isUsed ? today + row.firstUse * Self.step : nil,
      lastUse: isUsed ? Moment(decay: row.lastUse * Self.step, wall: today + row.lastUse * Self.step) : nil,
      lastArrival: row.lastArrival,
      isAppNamed: row.isAppNamed)
    #expect(ranking.report(number, at: now * Self.step) == expected, "seed \(random.seed)")
    #expect(ranking.standing(of: number) == row.standing, "seed \(random.seed)")
  }
}
