import Ranking

// How each kind of row lies in its table: the columns in order, what they must hold, and their checksum. A row that
// does not fit is nil: it is damaged, or belongs to another table.

/// A row of `actions`.
struct ActionRecord {
  /// Of version 1 of the schema, and of this one.
  static let columns = [11, 19]

  /// The order of first insertion; `hourly_uses` refers to it.
  var number: Int64
  var row: ActionRow
  var adaptive: AdaptiveState?

  /// Whether this is the later state of the same action.
  func isLater(than other: ActionRecord) -> Bool {
    (row.uses, row.lastArrival) > (other.row.uses, other.row.lastArrival)
  }

  func bind(to statement: Statement) {
    // A score that is no number must not make every later commit fail; Ranking makes none.
    let isSound = row.score.value.isFinite && row.score.value >= 0
    // SQLite stores -0 as 0.
    let (value, landmark) = isSound ? (row.score.value + 0, row.score.landmark) : (0, 0)
    statement.bind(0, text: row.app)
    statement.bind(1, text: row.action)
    statement.bind(2, number)
    statement.bind(3, Int64(clamping: row.uses))
    statement.bind(4, row.firstUsed)
    statement.bind(5, row.lastUse.wall)
    statement.bind(6, row.lastUse.decay)
    statement.bind(7, Int64(clamping: row.lastArrival))
    statement.bind(8, value)
    statement.bind(9, landmark)
    let own = own
    let adaptive = adaptive?.sound
    statement.bind(10, checksum(value: value, landmark: landmark, own: own, adaptive: adaptive).value)
    statement.bind(11, row.isAppNamed.map { $0 ? 1 : 0 as Int64 })
    statement.bind(12, own?.halfLife)
    statement.bind(13, own?.score.value)
    statement.bind(14, own?.score.landmark)
    AdaptiveState.bind(adaptive, to: statement, from: 15)
  }

  /// The own score as it is stored.
  private var own: OwnScore? {
    guard let own = row.ownScore, own.score.value.isFinite, own.score.value >= 0 else { return nil }
    return OwnScore(
      halfLife: max(own.halfLife, 1), score: DecayedCount(value: own.score.value + 0, landmark: own.score.landmark))
  }

  @inline(__always)
  private func checksum(value: Double, landmark: Int64, own: OwnScore?, adaptive: AdaptiveState?) -> RowChecksum {
    var sum = RowChecksum(.actions)
    sum.add(row.app)
    sum.add(row.action)
    sum.add(number)
    sum.add(Int64(clamping: row.uses))
    sum.add(row.firstUsed)
    sum.add(row.lastUse.wall)
    sum.add(row.lastUse.decay)
    sum.add(Int64(clamping: row.lastArrival))
    sum.add(value.bitPattern)
    sum.add(landmark)
    // A row of version 1 has none of these.
    if row.isAppNamed != nil || own != nil {
      sum.add(row.isAppNamed.map { $0 ? 1 : 0 as Int64 })
      sum.add(own?.halfLife)
      sum.add(own.map { Int64(bitPattern: $0.score.value.bitPattern) })
      sum.add(own?.score.landmark)
    }
    adaptive?.add(to: &sum)
    return sum
  }

  /// - Parameter lastApp: the app of the row before, whose array is shared if it is the same.
  @inline(__always)
  init?(_ source: some RowSource, lastApp: [UInt8] = []) {
    guard
      let app = source.hasText(0, lastApp) ? lastApp : source.id(0), let action = source.id(1),
      let number = source.integer(2), number >= 0, let uses = source.count(3), let firstUsed = source.integer(4),
      let wall = source.integer(5), let decay = source.integer(6), let lastArrival = source.count(7),
      let value = source.real(8), value.isFinite, value >= 0, let landmark = source.integer(9),
      let stored = source.integer(10)
    else { return nil }
    self.init(
      number: number,
      row: ActionRow(
        app: app, action: action, score: DecayedCount(value: value, landmark: landmark), uses: uses,
        firstUsed: firstUsed, lastUse: Moment(decay: decay, wall: wall), lastArrival: lastArrival,
        isAppNamed: source.flag(11)))
    if let halfLife = source.integer(12), let value = source.real(13), let landmark = source.integer(14) {
      guard halfLife >= 1, value.isFinite, value >= 0 else { return nil }
      row.ownScore = OwnScore(halfLife: halfLife, score: DecayedCount(value: value, landmark: landmark))
    }
    adaptive = AdaptiveState(source, from: 15)
    guard checksum(value: value, landmark: landmark, own: row.ownScore, adaptive: adaptive).fits(stored)
    else { return nil }
  }

  init(number: Int64, row: ActionRow, adaptive: AdaptiveState? = nil) {
    self.number = number
    self.row = row
    self.adaptive = adaptive
  }
}

/// A row of `hourly_uses`.
struct HourlyRecord {
  static let columns = 4

  var hour: Int64
  var actionNumber: Int64
  var uses: UInt64

  func bind(to statement: Statement) {
    statement.bind(0, hour)
    statement.bind(1, actionNumber)
    statement.bind(2, Int64(clamping: uses))
    statement.bind(3, checksum.value)
  }

  /// What the row is known by.
  var key: Salvage.Hour { Salvage.Hour(hour: hour, actionNumber: actionNumber) }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.hourlyUses)
    sum.add(hour)
    sum.add(actionNumber)
    sum.add(Int64(clamping: uses))
    return sum
  }

  init(hour: Int64, actionNumber: Int64, uses: UInt64) {
    self.hour = hour
    self.actionNumber = actionNumber
    self.uses = uses
  }

  init?(_ source: some RowSource) {
    guard let hour = source.integer(0), let number = source.integer(1), let uses = source.count(2) else { return nil }
    self.init(hour: hour, actionNumber: number, uses: uses)
    guard checksum.fits(source.integer(3)) else { return nil }
  }
}

/// A row of `remembered_ids` or `imported_ids`.
struct IDRecord {
  static let columns = 4

  /// The order of arrival, without gaps.
  var number: Int64
  var id: RememberedID

  func bind(to statement: Statement, of table: RowChecksum.Table) {
    statement.bind(0, number)
    statement.bind(1, blob: (0..<16).map { UInt8(truncatingIfNeeded: id.hash >> (120 - 8 * $0)) })
    statement.bind(2, id.time)
    statement.bind(3, checksum(of: table).value)
  }

  private func checksum(of table: RowChecksum.Table) -> RowChecksum {
    var sum = RowChecksum(table)
    sum.add(number)
    sum.add(UInt64(truncatingIfNeeded: id.hash >> 64))
    sum.add(UInt64(truncatingIfNeeded: id.hash))
    sum.add(id.time)
    return sum
  }

  init(number: Int64, id: RememberedID) {
    self.number = number
    self.id = id
  }

  init?(_ source: some RowSource, of table: RowChecksum.Table) {
    guard let number = source.integer(0), let bytes = source.blob(1), bytes.count == 16, let time = source.integer(2)
    else { return nil }
    self.init(number: number, id: RememberedID(hash: bytes.reduce(0) { $0 << 8 | UInt128($1) }, time: time))
    guard checksum(of: table).fits(source.integer(3)) else { return nil }
  }
}

/// A row of `totals`.
struct TotalRecord {
  static let columns = 3

  var name: String
  var value: UInt64

  func bind(to statement: Statement) {
    statement.bind(0, text: Array(name.utf8))
    statement.bind(1, Int64(clamping: value))
    statement.bind(2, checksum.value)
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.totals)
    sum.add(Array(name.utf8))
    sum.add(Int64(clamping: value))
    return sum
  }

  init(name: String, value: UInt64) {
    self.name = name
    self.value = value
  }

  init?(_ source: some RowSource) {
    guard let name = source.text(0), let value = source.count(1) else { return nil }
    self.init(name: String(decoding: name, as: UTF8.self), value: value)
    guard checksum.fits(source.integer(2)) else { return nil }
  }
}
