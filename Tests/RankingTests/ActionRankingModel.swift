@testable import Ranking

extension ActionRanking {
  init(halfLife: HalfLife = .week, limit: Int = 4) {
    self.init(halfLife: halfLife, limit: limit, seed: (1, 2))
  }

  /// Counts uses at a decay time; their wall time is ``today`` and that much more.
  mutating func count(_ id: String, app: String? = nil, uses: UInt32 = 1, at time: Int64 = 0) {
    let moment = Moment(decay: time, wall: today + time)
    Array(id.utf8).withUnsafeBytes { id in
      guard let app else { return count(id, app: nil, uses: uses, at: UseTime(clientTime: nil, now: moment)) }
      Array(app.utf8).withUnsafeBytes {
        count(id, app: $0, uses: uses, at: UseTime(clientTime: nil, now: moment))
      }
    }
  }

  /// Takes over one stored action, the only one; whether it was new.
  mutating func restored(_ state: ActionState) -> Bool {
    defer { finishRestoring(arrivals: state.lastArrival) }
    return restore(state)
  }

  /// The number of an app that is known.
  func app(_ id: String) -> UInt32? { (0..<UInt32(appCount)).first { appID($0) == Array(id.utf8) } }

  /// The ids that an app's list shows, best first.
  func ids(ofApp app: String, at time: Int64 = 0) -> [String] {
    self.app(app).map { ranking(ofApp: $0, at: time).map { String(decoding: $0.id, as: UTF8.self) } } ?? []
  }

  /// All apps that are known.
  var appIDs: [String] { (0..<UInt32(appCount)).map { String(decoding: appID($0), as: UTF8.self) } }
}

/// A ranking that keeps every use and works everything out anew, with whole numbers only.
///
/// All uses happen at whole half-lives, few enough for 128 bits, so that equal scores are equal and no rounding hides
/// a wrong order.
struct ActionRankingModel {
  struct Row: Equatable {
    var app: String
    var id: String
    /// Uses of half-life 0.
    var worth: UInt128 = 0
    var uses: UInt64 = 0
    var lastUse = Int64.min
    var lastArrival = 0
  }

  private(set) var rows: [Row] = []
  private var numbers: [[String]: Int] = [:]
  private var arrivals = 0

  /// - Parameter halfLife: the whole half-life of the use, 0 to 80.
  mutating func count(_ id: String, app: String, uses: UInt32, halfLife: Int64) {
    let number = numbers[[app, id]] ?? rows.count
    if number == rows.count {
      numbers[[app, id]] = number
      rows.append(Row(app: app, id: id))
    }
    arrivals += 1
    rows[number].worth += UInt128(uses) << UInt128(halfLife)
    rows[number].uses += UInt64(uses)
    if halfLife >= rows[number].lastUse {
      rows[number].lastUse = halfLife
      rows[number].lastArrival = arrivals
    }
  }

  /// The best actions of one app, or of all.
  func ranking(ofApp app: String?, limit: Int) -> [Row] {
    let sorted = rows.filter { app == nil || $0.app == app }.sorted {
      ($0.worth, $0.lastUse, $0.lastArrival) > ($1.worth, $1.lastUse, $1.lastArrival)
    }
    return Array(sorted.prefix(limit))
  }
}

extension RankedAction {
  /// Whether a row says the same as one of the model's, at half-life `now`.
  func says(_ row: ActionRankingModel.Row, halfLife: HalfLife, now: Int64) -> Bool {
    app == Array(row.app.utf8) && id == Array(row.id.utf8) && uses == row.uses
      && score == Double(sign: .plus, exponent: Int(-now), significand: Double(row.worth))
      && lastUsed == today + row.lastUse * halfLife.nanoseconds
  }
}
