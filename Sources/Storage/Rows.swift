import Ranking

// How each kind of row lies in its table: the columns in order, what they must hold, and their checksum. A row that
// does not fit is nil: it is damaged, or belongs to another table.

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
