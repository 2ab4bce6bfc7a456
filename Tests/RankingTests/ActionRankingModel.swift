@testable import Ranking

/// A ranking that keeps one row for each action and sorts them all anew whenever it is asked.
///
/// All uses happen at whole steps of time, and half-lives are a step or half of one. So every worth is a sum of few
/// powers of two: equal scores are equal, and no rounding hides a wrong order.
struct ActionRankingModel {
  struct Row {
    var app: String
    var id: String
    /// Uses of step 0, under the common half-life and under that of the app.
    var worth = 0.0
    var ownWorth = 0.0
    var uses: UInt64 = 0
    var firstUse = Int64.max
    var lastUse = Int64.min
    var lastArrival: UInt64 = 0
    var standing: Standing
    var isAppNamed = false
    /// Uses by hours of two steps.
    var hours: [Int64: UInt64] = [:]
  }

  struct App {
    var isKept = false
    var isBlocked = false
    /// Half-lives a step.
    var ownPace: Int?
    var ownLimit: Int?
  }

  let step: Int64
  /// Half-lives a step.
  private(set) var pace = 1
  var limit: Int
  private(set) var rows: [Row] = []
  private(set) var apps: [String: App] = [:]
  private(set) var owningApps: [String] = []
  private(set) var arrivals: UInt64 = 0

  init(step: Int64, limit: Int) {
    self.step = step
    self.limit = limit
  }

  // MARK: Owners

  func owner(of id: String) -> String {
    let type = String(id.prefix { $0 != "#" })
    if let app = owningApps.filter({ type.hasPrefix($0 + ".") }).max(by: { $0.count < $1.count }) { return app }
    return type.lastIndex(of: ".").map { String(type[..<$0]) } ?? "default"
  }

  /// Where an action's row is; `app` is nil for the default owner.
  func find(_ id: String, app: String?) -> Int? {
    let app = app ?? owner(of: id)
    return rows.firstIndex { $0.app == app && $0.id == id }
  }

  mutating func insert(_ id: String, app: String?, standing: Standing) -> Int {
    if let row = find(id, app: app) { return row }
    let owner = owner(of: id)
    rows.append(Row(app: app ?? owner, id: id, standing: standing, isAppNamed: app.map { $0 != owner } ?? false))
    apps[app ?? owner, default: App()] = apps[app ?? owner] ?? App()
    return rows.count - 1
  }

  /// - Returns: what has moved.
  mutating func setOwningApps(_ owning: [String], at now: Int64) -> [[String]] {
    owningApps = owning
    var moved: [[String]] = []
    for row in rows where !row.isAppNamed && row.app != owner(of: row.id) {
      let target = owner(of: row.id)
      moved.append([row.id, row.app, target])
      apps[target, default: App()] = apps[target] ?? App()
      var arriving = row
      arriving.app = target
      arriving.ownWorth = listWorth(row, from: apps[row.app]?.ownPace, to: apps[target]?.ownPace, at: now)
      if let other = find(row.id, app: target) {
        rows[other].worth += arriving.worth
        rows[other].ownWorth += arriving.ownWorth
        rows[other].uses += arriving.uses
        rows[other].firstUse = min(rows[other].firstUse, arriving.firstUse)
        if (arriving.lastUse, arriving.lastArrival) > (rows[other].lastUse, rows[other].lastArrival) {
          (rows[other].lastUse, rows[other].lastArrival) = (arriving.lastUse, arriving.lastArrival)
        }
        rows[other].hours.merge(arriving.hours, uniquingKeysWith: +)
        rows.removeAll { $0.app == row.app && $0.id == row.id }
      } else if let old = find(row.id, app: row.app) {
        rows[old] = arriving
      }
    }
    dropApps()
    return moved
  }

  /// Makes rows without uses, which are not stored, what an insertion makes of them.
  mutating func restart() {
    for row in rows.indices where rows[row].uses == 0 {
      rows[row].isAppNamed = rows[row].app != owner(of: rows[row].id)
    }
  }

  // MARK: Counting

  mutating func count(_ id: String, app: String?, uses: UInt32, at time: Int64) -> Bool {
    let owner = app ?? owner(of: id)
    if apps[owner]?.isBlocked ?? false { return false }
    if let row = find(id, app: app), rows[row].standing.contains(.blocked) { return false }
    let row = insert(id, app: app, standing: [.inApp, .inTop])
    arrivals += 1
    if app != nil { rows[row].isAppNamed = true }
    rows[row].uses += UInt64(uses)
    rows[row].firstUse = min(rows[row].firstUse, time)
    rows[row].hours[time / 2, default: 0] += UInt64(uses)
    addWorth(row, uses: UInt64(uses), at: time)
    if time >= rows[row].lastUse { (rows[row].lastUse, rows[row].lastArrival) = (time, arrivals) }
    return true
  }

  private mutating func addWorth(_ row: Int, uses: UInt64, at time: Int64) {
    rows[row].worth += Self.scale(Double(uses), by: Int(time) * pace)
    if let own = apps[rows[row].app]?.ownPace { rows[row].ownWorth += Self.scale(Double(uses), by: Int(time) * own) }
  }

  /// - Returns: how many actions lost uses, and how many.
  mutating func forget(hoursFrom hour: Int64, at now: Int64) -> (actions: Int, uses: UInt64) {
    var changed = (actions: 0, uses: UInt64(0))
    for row in rows.indices where rows[row].hours.keys.contains(where: { $0 >= hour }) {
      let old = rows[row]
      let hours = old.hours.filter { $0.key < hour }
      changed.actions += 1
      (rows[row].worth, rows[row].ownWorth, rows[row].hours) = (0, 0, hours)
      for (hour, uses) in hours { addWorth(row, uses: uses, at: min(2 * hour + 1, now)) }
      rows[row].uses = hours.values.reduce(0, +)
      changed.uses += old.uses - rows[row].uses
      if let last = hours.keys.max() {
        rows[row].lastUse = min(max(min(2 * last + 1, now), old.firstUse), old.lastUse)
      } else {
        (rows[row].firstUse, rows[row].lastUse, rows[row].lastArrival) = (.max, .min, 0)
      }
    }
    removeAll { $0.uses == 0 && !$0.standing.contains(.kept) }
    return changed
  }

  // MARK: Standing and settings

  mutating func setStanding(_ standing: Standing, of row: Int) {
    rows[row].standing = standing
    removeAll { $0.uses == 0 && !$0.standing.contains(.kept) }
  }

  mutating func removeAll(where isRemoved: (Row) -> Bool) {
    rows.removeAll(where: isRemoved)
    dropApps()
  }

  mutating func set(_ app: String, _ change: (inout App) -> Void) {
    change(&apps[app, default: App()])
    dropApps()
  }

  private mutating func dropApps() {
    apps = apps.filter { app in app.value.isKept || rows.contains { $0.app == app.key } }
  }

  mutating func setPace(_ newPace: Int, at now: Int64) {
    for row in rows.indices { rows[row].worth = Self.scale(rows[row].worth, by: Int(now) * (newPace - pace)) }
    pace = newPace
  }

  mutating func setPace(_ newPace: Int?, ofApp app: String, at now: Int64) {
    for row in rows.indices where rows[row].app == app {
      rows[row].ownWorth = listWorth(rows[row], from: apps[app]?.ownPace, to: newPace, at: now)
    }
    set(app) { $0.ownPace = newPace }
  }

  private func listWorth(_ row: Row, from old: Int?, to new: Int?, at now: Int64) -> Double {
    guard let new else { return 0 }
    return Self.scale(old == nil ? row.worth : row.ownWorth, by: Int(now) * (new - (old ?? pace)))
  }

  // MARK: Reading

  /// All actions that compete in an app, or over all apps, best first.
  func competing(inApp app: String?) -> [Row] {
    let competing = rows.filter {
      if let app { $0.app == app && $0.standing.contains(.inApp) } else { $0.standing.contains(.inTop) && $0.uses > 0 }
    }
    let isOwn = app.map { apps[$0]?.ownPace != nil } ?? false
    return competing.sorted {
      let (first, second) = isOwn ? ($0.ownWorth, $1.ownWorth) : ($0.worth, $1.worth)
      if first != second { return first > second }
      if ($0.lastUse, $0.lastArrival) != ($1.lastUse, $1.lastArrival) {
        return ($0.lastUse, $0.lastArrival) > ($1.lastUse, $1.lastArrival)
      }
      return $0.id.utf8.lexicographicallyPrecedes($1.id.utf8)
    }
  }

  /// What the list of an app shows, or that over all apps.
  func ranking(ofApp app: String?) -> [Row] {
    Array(competing(inApp: app).prefix(app.flatMap { apps[$0]?.ownLimit } ?? limit))
  }

  func score(_ row: Row, ofApp app: String?, at now: Int64) -> Double {
    if let app, let own = apps[app]?.ownPace { return Self.scale(row.ownWorth, by: -Int(now) * own) }
    return Self.scale(row.worth, by: -Int(now) * pace)
  }

  private static func scale(_ value: Double, by exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: value)
  }

  /// Whether the rows of a list say the same as the model's.
  func says(_ shown: [RankedAction], _ expected: [Row], ofApp app: String?, at now: Int64) -> Bool {
    shown.count == expected.count
      && zip(shown, expected).allSatisfy {
        $0.app == Array($1.app.utf8) && $0.id == Array($1.id.utf8) && $0.uses == $1.uses
          && $0.score == score($1, ofApp: app, at: now)
          && $0.lastUsed == ($1.uses > 0 ? today + $1.lastUse * step : nil)
      }
  }
}
