import Foundation
import Ranking
import Testing
import TestSupport

@testable import Storage

/// What is in memory, and what of it is still to be stored: the owner of a state, in the simplest form.
private struct Model {
  struct Key: Hashable {
    var app: [UInt8]
    var action: [UInt8]
  }

  struct Place: Hashable {
    var key: Key
    var hour: Int64
  }

  struct Day: Hashable {
    var day: Int64
    var app: [UInt8]
  }

  var actions: [Key: ActionRow] = [:]
  var hours: [Place: UInt64] = [:]
  var importedIDs: [UInt128] = []
  var registrations: [Key: RegistrationRow] = [:]
  var choices: [Key: ChoiceRow] = [:]
  var adaptive: [Key: AdaptiveState] = [:]
  var apps: [[UInt8]: AppRow] = [:]
  var days: [Day: DailyHitsRow] = [:]

  private var edits: [StateEdit] = []
  private var changed: Set<Key> = []
  private var newHours: [Place: UInt64] = [:]
  private var newImportedIDs: [UInt128] = []
  private var newRegistrations: [RegistrationChange] = []
  private var newChoices: [ChoiceRow] = []
  private var removedApps: [[UInt8]] = []
  private var changedApps: Set<[UInt8]> = []
  private var changedDays: Set<Day> = []
  private var arrivals: UInt64 = 0

  static func someKey(_ random: inout SeededRandom) -> Key {
    Key(app: [UInt8.random(in: 65..<69, using: &random)], action: [UInt8.random(in: 97..<105, using: &random)])
  }

  mutating func doSomething(_ random: inout SeededRandom) {
    let key = Self.someKey(&random)
    let hour = Int64.random(in: 499_980..<500_000, using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0:
      forgetActions { $0 == key }
      edits.append(.forgetAction(app: key.app, action: key.action))
    case 1:
      forgetActions { $0.app == key.app }
      apps[key.app] = nil
      days = days.filter { $0.key.app != key.app }
      edits.append(.forgetApp(key.app))
    case 2:
      hours = hours.filter { $0.key.hour < hour }
      newHours = newHours.filter { $0.key.hour < hour }
      edits.append(.forgetHours(from: hour))
    case 3 where Bool.random(using: &random):
      forgetActions { _ in true }
      (importedIDs, newImportedIDs) = ([], [])
      (apps, days) = ([:], [:])
      edits.append(.forgetEverything)
    case 4..<12: move(key, to: Self.someKey(&random).app)
    case 12, 13:
      importedIDs.append(UInt128.random(in: 0 ... .max, using: &random))
      newImportedIDs.append(importedIDs[importedIDs.count - 1])
    case 14, 15:
      let row = RegistrationRow(app: key.app, action: key.action, position: hour % 3, definition: [UInt8(hour % 90)])
      registrations[key] = row
      newRegistrations.append(.set(row))
    case 16:
      registrations[key] = nil
      newRegistrations.append(.remove(app: key.app, action: key.action))
    case 17:
      let row = ChoiceRow(app: key.app, action: key.action, pinnedAt: hour % 3 == 0 ? nil : hour)
      choices[key] = row.isEmpty ? nil : row
      newChoices.append(row)
    case 18:
      apps[key.app] = nil
      removedApps.append(key.app)
    case 19, 20, 21: publish(key.app, Int64.random(in: 20_820..<20_833, using: &random))
    default: use(key, hour, UInt64.random(in: 1..<5, using: &random))
    }
  }

  private mutating func use(_ key: Key, _ hour: Int64, _ uses: UInt64) {
    arrivals += 1
    var row = actions[key] ?? .sample("", uses: 0)
    (row.app, row.action) = (key.app, key.action)
    row.uses += uses
    row.lastArrival = arrivals
    row.isAppNamed = arrivals % 3 == 0 ? nil : arrivals % 3 == 1
    row.ownScore = arrivals % 2 == 0 ? nil : OwnScore(halfLife: Int64(arrivals), score: row.score)
    actions[key] = row
    adaptive[key] = arrivals % 4 == 0 ? nil : .sample(step: UInt32(arrivals))
    changed.insert(key)
    hours[Place(key: key, hour: hour), default: 0] += uses
    newHours[Place(key: key, hour: hour), default: 0] += uses
  }

  private mutating func publish(_ app: [UInt8], _ day: Int64) {
    arrivals += 1
    apps[app] = .sample(app, state: [UInt8](repeating: app[0], count: Int(arrivals % 4_000)), trials: arrivals)
    changedApps.insert(app)
    for app in [app, []] {
      days[Day(day: day, app: app)] = DailyHitsRow(day: day, app: app, trials: arrivals, hits: 0, changes: 1)
      changedDays.insert(Day(day: day, app: app))
    }
  }

  private mutating func forgetActions(_ isConcerned: (Key) -> Bool) {
    actions = actions.filter { !isConcerned($0.key) }
    adaptive = adaptive.filter { !isConcerned($0.key) }
    changed = changed.filter { !isConcerned($0) }
    hours = hours.filter { !isConcerned($0.key.key) }
    newHours = newHours.filter { !isConcerned($0.key.key) }
  }

  private mutating func move(_ key: Key, to app: [UInt8]) {
    guard app != key.app, var row = actions.removeValue(forKey: key) else { return }
    let target = Key(app: app, action: key.action)
    row.app = app
    if let known = actions[target] { row.uses += known.uses }
    actions[target] = row
    let moving = adaptive.removeValue(forKey: key)
    adaptive[target] = adaptive[target] ?? moving
    changed.remove(key)
    changed.insert(target)
    func moved(_ hours: [Place: UInt64]) -> [Place: UInt64] {
      Dictionary(hours.map { ($0.key == key ? Place(key: target, hour: $0.hour) : $0, $1) }, uniquingKeysWith: +)
    }
    (hours, newHours) = (moved(hours), moved(newHours))
    edits.append(.moveAction(action: key.action, from: key.app, to: app))
  }

  var batch: CommitBatch {
    let keys = changed.filter { actions[$0] != nil }
    var batch = CommitBatch.sample(keys.compactMap { actions[$0] })
    batch.adaptive = keys.map { adaptive[$0] }
    batch.removedApps = removedApps
    batch.apps = changedApps.compactMap { apps[$0] }
    batch.dailyHits = changedDays.compactMap { days[$0] }
    // So that some are always too many.
    batch.maxDailyRows = Self.mostDays
    batch.edits = edits
    batch.hourly = Self.rows(newHours)
    batch.newImportedIDs = newImportedIDs.map { RememberedID(hash: $0, time: 0) }
    batch.registrations = newRegistrations
    batch.choices = newChoices
    return batch
  }

  private static let mostDays = 30

  mutating func committed() {
    (removedApps, changedApps, changedDays) = ([], [], [])
    let oldestFirst = days.keys.sorted { $0.day == $1.day ? $0.app.lexicographicallyPrecedes($1.app) : $0.day < $1.day }
    for day in oldestFirst.dropLast(Self.mostDays) { days[day] = nil }
    (edits, changed, newHours, newImportedIDs, newRegistrations, newChoices) = ([], [], [:], [], [], [])
  }

  static func rows(_ hours: [Place: UInt64]) -> [HourlyRow] {
    hours.map { HourlyRow(app: $0.key.app, action: $0.key.action, hour: $0.hour, uses: $1) }
  }
}

@Suite("The state against a model")
struct StateModelTests {
  @Test("Whatever is edited and whichever commits fail, what is stored is what is in memory", arguments: 0..<4)
  func model(run: Int) throws {
    var random = SeededRandom()
    let folder = try Folder(inMemory: true)
    var (database, _, _) = try folder.open()
    var model = Model()
    for round in 0..<150 {
      for _ in 0..<Int.random(in: 0..<12, using: &random) { model.doSomething(&random) }
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        // It is in the database, but nobody knows.
        try database.commitUnacknowledged(model.batch)
        continue
      case 4 where round % 3 == 0:
        let blocker = try Connection(opening: folder.path("state.db"))
        try blocker.execute("BEGIN IMMEDIATE", "block")
        #expect(throws: StorageError.self) { try database.commit(model.batch) }
        try blocker.execute("ROLLBACK", "let go")
        continue
      default: break
      }
      try database.commit(model.batch)
      model.committed()
      let comment: Comment = "seed \(random.seed), round \(round)"
      try Self.check(database, folder, model, comment, &random)
      for app in [[], [65], [66]] as [[UInt8]] {
        let day = Int64.random(in: 20_819..<20_834, using: &random)
        let expected = model.days.values.filter { $0.app == app && $0.day >= day }.sorted { $0.day < $1.day }
        #expect(try database.dailyHits(app: app, from: day) == expected, comment)
      }
      #expect(database.known.dailyRows == model.days.count, comment)
      #expect(!database.isWipeOwed, comment)
      if Int.random(in: 0..<8, using: &random) == 0 {
        if Bool.random(using: &random) { try database.backUp() }
        try database.close()
        let (again, state, report) = try folder.open()
        #expect(report == .opened, comment)
        Self.check(state, model, comment)
        database = again
      }
    }
    try database.close()
  }

  private static func check(
    _ database: StateDatabase, _ folder: Folder, _ model: Model, _ comment: Comment, _ random: inout SeededRandom
  ) throws {
    var rows: [HourlyRow] = []
    var place: HourlyCursor?
    let limit = Int.random(in: 1..<60, using: &random)
    repeat {
      let page = try database.hourlyUses(after: place, limit: limit)
      rows += page.rows
      place = page.end
    } while place != nil
    #expect(sorted(rows) == sorted(Model.rows(model.hours)), comment)
    #expect(database.known.hourlyRows == rows.count, comment)
    let hour = Int64.random(in: 499_980..<500_001, using: &random)
    let concerned = Set(model.hours.keys.filter { $0.hour >= hour }.map(\.key))
    let stored = try database.storedHours(from: hour).flatMap { history in
      history.hours.map { HourlyRow(app: history.app, action: history.action, hour: $0.hour, uses: $0.uses) }
    }
    #expect(sorted(stored) == sorted(Model.rows(model.hours.filter { concerned.contains($0.key.key) })), comment)
  }

  private static func check(_ state: WholeState, _ model: Model, _ comment: Comment) {
    let actions = state.actions.map { (Model.Key(app: $0.app, action: $0.action), $0) }
    #expect(Dictionary(uniqueKeysWithValues: actions) == model.actions, comment)
    let registrations = state.registrations.map { (Model.Key(app: $0.app, action: $0.action), $0) }
    #expect(Dictionary(uniqueKeysWithValues: registrations) == model.registrations, comment)
    let choices = state.choices.map { (Model.Key(app: $0.app, action: $0.action), $0) }
    #expect(Dictionary(uniqueKeysWithValues: choices) == model.choices, comment)
    let adaptive = zip(actions, state.adaptive).compactMap { action, adaptive in adaptive.map { (action.0, $0) } }
    #expect(Dictionary(uniqueKeysWithValues: adaptive) == model.adaptive, comment)
    #expect(state.adaptive.count == state.actions.count, comment)
    #expect(Dictionary(uniqueKeysWithValues: state.apps.map { ($0.app, $0) }) == model.apps, comment)
    let latest = Dictionary(model.days.values.map { ($0.app, $0) }) { $0.day > $1.day ? $0 : $1 }
    #expect(
      state.latestDailyHits == latest.values.sorted { $0.app.lexicographicallyPrecedes($1.app) }, comment)
    #expect(Set(state.importedIDs.map(\.hash)) == Set(model.importedIDs), comment)
  }

  private static func sorted(_ rows: [HourlyRow]) -> [[UInt8]] {
    rows.map { $0.app + $0.action + Array("@\($0.hour)=\($0.uses)".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}
