import Ranking

/// Uses of one action in one hour.
package struct HourUses: Equatable, Sendable {
  /// Whole hours since 1970, UTC.
  package var hour: Int64
  package var uses: UInt64

  package init(hour: Int64, uses: UInt64) {
    self.hour = hour
    self.uses = uses
  }
}

/// The hours in which one action was used, in their order.
package struct HourlyHistory: Equatable, Sendable {
  package var app: [UInt8]
  package var action: [UInt8]
  package var hours: [HourUses]

  package init(app: [UInt8], action: [UInt8], hours: [HourUses]) {
    self.app = app
    self.action = action
    self.hours = hours
  }
}

/// A place among the hourly uses, which go by the hour and then by the number of the action.
package struct HourlyCursor: Equatable, Sendable {
  package var hour: Int64
  /// As the table of actions has it.
  package var actionNumber: Int64

  package init(hour: Int64, actionNumber: Int64) {
    self.hour = hour
    self.actionNumber = actionNumber
  }
}

/// Some of the hourly uses, in their order.
package struct HourlyPage: Equatable, Sendable {
  package var rows: [HourlyRow]
  /// What the next page comes after; nil if this is the last one.
  package var end: HourlyCursor?

  package init(rows: [HourlyRow], end: HourlyCursor?) {
    self.rows = rows
    self.end = end
  }
}

/// Uses of one action that no hour has: these have left the history, or never were in it.
package struct HourlessUses: Equatable, Sendable {
  package var app: [UInt8]
  package var action: [UInt8]
  /// As the table of actions has it.
  package var actionNumber: Int64
  /// How many, at least one.
  package var uses: UInt64
  /// Whether other uses of the action, among them the last one, have hours.
  package var hasHours: Bool
  /// Wall times of the action's first and last use.
  package var firstUsed: Int64
  package var lastUsed: Int64
}

extension StateDatabase {
  /// For each action with uses stored at or after `hour`, and each of those named, all of its hours, without what an unacknowledged commit has
  /// added. Edits of a batch that failed are not done here yet: ask between commits that succeeded.
  ///
  /// - Complexity: O(hourly rows).
  package func storedHours(
    from hour: Int64, and others: [(app: [UInt8], action: [UInt8])] = []
  ) throws(StorageError) -> [HourlyHistory] {
    let session = try openedSession()
    let concerned = try session.connection.prepare("SELECT DISTINCT action_number FROM hourly_uses WHERE hour >= ?")
    concerned.bind(0, hour)
    var numbers: Set<Int64> = []
    while try concerned.step() {
      if let number = concerned.integer(0) { numbers.insert(number) }
    }
    var named: Set<Int64> = []
    for other in others {
      if let number = try session.statements?.number(app: other.app, action: other.action) { named.insert(number) }
    }
    numbers.formUnion(named)
    if numbers.isEmpty { return [] }
    let names = try session.names(of: numbers)
    var unacknowledged: [Salvage.Hour: UInt64] = [:]
    for use in uncounted?.uses ?? [] {
      let name = uncounted?.names[use.place]
      guard let name, let number = try session.statements?.number(app: name.app, action: name.action) else { continue }
      let key = Salvage.Hour(hour: use.hour, actionNumber: number)
      unacknowledged[key] = (unacknowledged[key] ?? 0).saturatingAdding(use.uses)
    }
    var hours: [Int64: [HourUses]] = [:]
    let areSound = try session.connection.each("hourly_uses ORDER BY hour, action_number") { query in
      guard let number = query.integer(1), numbers.contains(number) else { return true }
      guard let record = HourlyRecord(query) else { return false }
      let uses = record.uses.saturatingSubtracting(unacknowledged[record.key] ?? 0)
      if uses > 0 { hours[number, default: []].append(HourUses(hour: record.hour, uses: uses)) }
      return true
    }
    if !areSound { throw Self.damagedHours }
    return hours.sorted { $0.key < $1.key }.compactMap { number, hours in
      guard let name = names[number], let last = hours.last, last.hour >= hour || named.contains(number) else {
        return nil
      }
      return HourlyHistory(app: name.app, action: name.action, hours: hours)
    }
  }

  /// Up to `limit` hourly uses after a place, or from the beginning, as the database has them: by the hour, and within
  /// one in the order in which the actions were first stored.
  ///
  /// - Complexity: O(limit + actions).
  package func hourlyUses(after place: HourlyCursor?, limit: Int) throws(StorageError) -> HourlyPage {
    let session = try openedSession()
    let query = try session.connection.prepare(
      """
      SELECT hour, action_number, uses, checksum FROM hourly_uses WHERE (hour, action_number) > (?, ?)
        ORDER BY hour, action_number LIMIT ?
      """)
    query.bind(0, place?.hour ?? .min)
    query.bind(1, place?.actionNumber ?? .min)
    query.bind(2, Int64(limit))
    var records: [HourlyRecord] = []
    while try query.step() {
      guard let record = HourlyRecord(query) else { throw Self.damagedHours }
      records.append(record)
    }
    let names = try session.names(of: Set(records.map(\.actionNumber)))
    let rows = records.compactMap { record in
      names[record.actionNumber].map {
        HourlyRow(app: $0.app, action: $0.action, hour: record.hour, uses: record.uses)
      }
    }
    let isLast = records.count < limit
    return HourlyPage(
      rows: rows,
      end: isLast ? nil : records.last.map { HourlyCursor(hour: $0.hour, actionNumber: $0.actionNumber) })
  }

  /// Up to `limit` actions with uses that no hour has, in the order of their numbers and behind the one given.
  ///
  /// - Complexity: O(hourly rows + actions · log(actions)).
  package func hourlessUses(after number: Int64?, limit: Int) throws(StorageError) -> [HourlessUses] {
    let connection = try openedSession().connection
    var known: [Int64: UInt64] = [:]
    let areSound = try connection.each("hourly_uses") { query in
      guard let record = HourlyRecord(query) else { return false }
      known[record.actionNumber] = (known[record.actionNumber] ?? 0).saturatingAdding(record.uses)
      return true
    }
    if !areSound { throw Self.damagedHours }
    let query = try connection.prepare("SELECT * FROM actions WHERE action_number > ? ORDER BY action_number")
    query.bind(0, number ?? .min)
    var found: [HourlessUses] = []
    while found.count < limit, try query.step() {
      guard let action = ActionRecord(query) else {
        throw StorageError("read the actions", kind: .damaged, message: "a row of actions is damaged")
      }
      let uses = action.row.uses.saturatingSubtracting(known[action.number] ?? 0)
      if uses == 0 { continue }
      found.append(
        HourlessUses(
          app: action.row.app, action: action.row.action, actionNumber: action.number, uses: uses,
          hasHours: known[action.number] != nil, firstUsed: action.row.firstUsed, lastUsed: action.row.lastUse.wall))
    }
    return found
  }

  private static var damagedHours: StorageError {
    StorageError("read the hourly uses", kind: .damaged, message: "a row of hourly_uses is damaged")
  }
}

extension Session {
  /// The names of actions by their numbers.
  ///
  /// - Complexity: O(actions).
  fileprivate func names(of numbers: Set<Int64>) throws(StorageError) -> [Int64: Salvage.Key] {
    var names: [Int64: Salvage.Key] = [:]
    let query = try connection.prepare("SELECT app, action, action_number FROM actions")
    while try query.step() {
      guard let number = query.integer(2), numbers.contains(number), let app = query.id(0), let action = query.id(1)
      else { continue }
      names[number] = Salvage.Key(app: app, action: action)
    }
    return names
  }
}
