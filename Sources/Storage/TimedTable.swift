/// A table of what is kept for a time, whose rows go by a time and a second column; the oldest leave first.
final class TimedTable {
  private let connection: Connection
  private let countOld: Statement
  private let deleteOldest: Statement

  /// - Parameters:
  ///   - time: the first column of the primary key.
  ///   - key: the second one, and the last.
  init(_ table: String, time: String, key: String, in connection: Connection) throws(StorageError) {
    self.connection = connection
    countOld = try connection.prepare(
      "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(time) < ? ORDER BY \(time) LIMIT ?)")
    deleteOldest = try connection.prepare(
      """
      DELETE FROM \(table) WHERE (\(time), \(key)) <=
        (SELECT \(time), \(key) FROM \(table) ORDER BY \(time), \(key) LIMIT 1 OFFSET ?)
      """)
  }

  /// Drops the oldest rows: those beyond the bound, and those that are too old.
  ///
  /// - Parameters:
  ///   - time: rows before this are too old.
  ///   - bound: no more than this stay.
  ///   - most: no more than this are dropped at once.
  ///   - rows: how many there are.
  func prune(before time: Int64, to bound: Int, most: Int, _ rows: inout Int) throws(StorageError) {
    var surplus = max(0, rows - max(bound, 0))
    if time > .min {
      countOld.bind(0, time)
      countOld.bind(1, Int64(most))
      defer { countOld.reset() }
      if try countOld.step() { surplus = max(surplus, Int(countOld.integer(0) ?? 0)) }
    }
    surplus = min(surplus, most)
    guard surplus > 0 else { return }
    deleteOldest.bind(0, Int64(surplus) - 1)
    try deleteOldest.run()
    rows -= connection.changes
  }
}
