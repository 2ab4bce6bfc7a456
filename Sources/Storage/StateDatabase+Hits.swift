import Ranking

extension StateDatabase {
  /// The days from `day` on of which something is stored of an app, or with nil of all apps, added up; in their order.
  /// Days are whole ones since 1970, UTC.
  ///
  /// Edits of a batch that failed may be done here or not: ask between commits that succeeded.
  ///
  /// - Complexity: O(rows of all apps from that day on).
  package func dailyHits(app: [UInt8]?, from day: Int64) throws(StorageError) -> [DailyHitsRow] {
    let ofApp = app == nil ? "" : " AND app = ?"
    let query = try openedSession().connection.prepare("SELECT * FROM daily_hits WHERE day >= ?\(ofApp) ORDER BY day")
    query.bind(0, day)
    if let app { query.bind(1, text: app) }
    var rows: [DailyHitsRow] = []
    while try query.step() {
      guard let record = DailyHitsRecord(query) else {
        throw StorageError("read the daily hits", kind: .damaged, message: "a row of daily_hits is damaged")
      }
      if app == nil, let last = rows.last, last.day == record.row.day {
        rows[rows.count - 1] = DailyHitsRow(
          day: last.day, app: [], trials: last.trials.saturatingAdding(record.row.trials),
          hits: last.hits.saturatingAdding(record.row.hits), changes: last.changes.saturatingAdding(record.row.changes))
      } else {
        rows.append(record.row)
      }
    }
    return rows
  }
}

extension CommitBatch {
  /// Hourly uses before this hour are dropped.
  var oldestHour: Int64 {
    let (hour, overflow) = nowHour.subtractingReportingOverflow(keepHistoryHours)
    return overflow ? .min : hour
  }

  /// The day that this hour is in: earlier ones are dropped.
  var oldestDay: Int64 {
    let (days, rest) = oldestHour.quotientAndRemainder(dividingBy: 24)
    return rest < 0 ? days - 1 : days
  }
}

extension Statements {
  /// Drops apps, then writes some.
  func write(_ apps: [AppRow], removing removed: [[UInt8]] = []) throws(StorageError) {
    for app in removed {
      deleteApp.bind(0, text: app)
      try deleteApp.run()
    }
    for app in apps {
      AppRecord(app).bind(to: writeApp)
      try writeApp.run()
    }
  }

  func write(_ days: [DailyHitsRow], _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    for day in days {
      findDay.bind(0, day.day)
      findDay.bind(1, text: day.app)
      if try !findDay.step() { next.dailyRows += 1 }
      findDay.reset()
      DailyHitsRecord(day).bind(to: writeDay)
      try writeDay.run()
    }
  }
}
