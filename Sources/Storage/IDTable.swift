import Ranking

/// A table of ids in the order of their arrival, and what a commit does to it.
final class IDTable {
  private let table: RowChecksum.Table
  private let insert: Statement
  private let oldest: Statement
  private let delete: Statement

  init(_ table: RowChecksum.Table, in connection: Connection) throws(StorageError) {
    self.table = table
    let name = Self.name(of: table)
    insert = try connection.prepare("INSERT INTO \(name) VALUES (?, ?, ?, ?)")
    oldest = try connection.prepare("SELECT arrival, arrived_decay_ns FROM \(name) ORDER BY arrival LIMIT ?")
    delete = try connection.prepare("DELETE FROM \(name) WHERE arrival < ?")
  }

  /// The name of a table of ids.
  static func name(of table: RowChecksum.Table) -> String {
    table == .importedIDs ? "imported_ids" : "remembered_ids"
  }

  /// Adds ids, the oldest first.
  ///
  /// - Parameter arrivals: those in the table: without gaps, the end exclusive.
  func write(_ ids: [RememberedID], _ arrivals: inout Range<Int64>) throws(StorageError) {
    for id in ids {
      IDRecord(number: arrivals.upperBound, id: id).bind(to: insert, of: table)
      try insert.run()
      arrivals = arrivals.lowerBound..<arrivals.upperBound + 1
    }
  }

  /// Drops the oldest ids: those beyond the bound, and those that are too old.
  ///
  /// - Parameters:
  ///   - time: ids that arrived before this decay time are too old.
  ///   - bound: no more than this stay.
  ///   - most: no more than this are dropped at once.
  func prune(before time: Int64, to bound: Int, most: Int, _ arrivals: inout Range<Int64>) throws(StorageError) {
    var first = max(arrivals.lowerBound, arrivals.upperBound - Int64(max(bound, 0)))
    oldest.bind(0, Int64(most))
    defer { oldest.reset() }
    while time > .min, try oldest.step(), let arrival = oldest.integer(0), let arrived = oldest.integer(1) {
      if arrived >= time { break }
      first = max(first, arrival + 1)
    }
    oldest.reset()
    first = min(first, arrivals.lowerBound + Int64(most))
    guard first > arrivals.lowerBound else { return }
    delete.bind(0, first)
    try delete.run()
    arrivals = first..<max(first, arrivals.upperBound)
  }
}
