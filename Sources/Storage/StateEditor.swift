import Ranking

/// Does the edits of a batch, inside of its transaction.
///
/// Hourly rows lie by the hour, so those of one action are all over the table. What becomes of them is noted, and done
/// for all edits in one pass at the end: to forget hours, before or after, makes no difference to that.
struct StateEditor {
  private let statements: Statements
  private let connection: Connection
  private let readAction: Statement
  private let deleteAction: Statement
  /// The numbers of actions that are gone.
  private var forgotten: Set<Int64> = []
  /// By the number of an action that is gone, the one that takes its hourly uses.
  private var heirs: [Int64: Int64] = [:]

  /// How many rows are looked at before those of them that change are written.
  private static let rowsInPass = 10_000

  init(_ statements: Statements, _ connection: Connection) throws(StorageError) {
    self.statements = statements
    self.connection = connection
    readAction = try connection.prepare("SELECT * FROM actions WHERE app = ? AND action = ?")
    deleteAction = try connection.prepare("DELETE FROM actions WHERE app = ? AND action = ?")
  }

  /// Drops all actions but these, by their numbers, and their hourly uses.
  ///
  /// - Complexity: O(actions + hourly rows).
  mutating func keepOnly(_ kept: Set<Int64>, _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    let query = try connection.prepare(
      """
      SELECT app, action, action_number FROM actions WHERE (app, action) > (?, ?)
        ORDER BY app, action LIMIT \(Self.rowsInPass)
      """)
    var last = ActionName(app: [], action: [])
    var rows = 0
    repeat {
      var goes = ActionNameList()
      rows = 0
      query.bind(0, text: last.app)
      query.bind(1, text: last.action)
      while try query.step() {
        guard let app = query.text(0), let action = query.text(1), let number = query.integer(2) else {
          throw StorageError("drop actions", kind: .damaged, message: "a row of actions is damaged")
        }
        last = ActionName(app: app, action: action)
        rows += 1
        if !kept.contains(number) { goes.append(last) }
      }
      try forget(goes)
    } while rows == Self.rowsInPass
    if !forgotten.isEmpty { try settleHours(&next) }
  }

  /// - Complexity: O(edits · log(actions)), and O(hourly rows) once, if actions are forgotten or merged.
  mutating func apply(
    _ edits: some Collection<StateEdit>, _ next: inout StateDatabase.Bookkeeping
  ) throws(StorageError) {
    for edit in edits {
      switch edit {
      case .forgetAction(let app, let action): try forget(app, action)
      case .forgetApp(let app): try forget(app, &next)
      case .forgetHours(let hour):
        let delete = try connection.prepare("DELETE FROM hourly_uses WHERE hour >= ?")
        delete.bind(0, hour)
        try delete.run()
        next.hourlyRows -= connection.changes
      case .forgetEverything: try forgetEverything(&next)
      case .drop(let names):
        try forget(names.actions)
        let delete = try connection.prepare("DELETE FROM apps WHERE app = ?")
        for app in names.apps {
          delete.bind(0, text: app)
          try delete.run()
        }
      case .moveAction(let action, let from, let to): try move(action, from: from, to: to)
      }
    }
    if !forgotten.isEmpty || !heirs.isEmpty { try settleHours(&next) }
  }

  private mutating func forget(_ app: [UInt8], _ action: [UInt8]) throws(StorageError) {
    guard let number = try statements.number(app: app, action: action) else { return }
    try delete(app, action)
    forgotten.insert(number)
  }

  private mutating func forget(_ names: ActionNameList) throws(StorageError) {
    for place in 0..<names.count {
      let name = names[place]
      try forget(name.app, name.action)
    }
  }

  private mutating func forget(
    _ app: [UInt8], _ next: inout StateDatabase.Bookkeeping
  ) throws(StorageError) {
    let numbers = try connection.prepare("SELECT action_number FROM actions WHERE app = ?")
    numbers.bind(0, text: app)
    while try numbers.step() {
      if let number = numbers.integer(0) { forgotten.insert(number) }
    }
    for table in ["actions", "apps", "daily_hits"] {
      let delete = try connection.prepare("DELETE FROM \(table) WHERE app = ?")
      delete.bind(0, text: app)
      try delete.run()
      if table == "daily_hits" { next.dailyRows -= connection.changes }
    }
  }

  private mutating func forgetEverything(_ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    for table in ["actions", "hourly_uses", IDTable.name(of: .importedIDs), "apps", "daily_hits"] {
      try connection.execute("DELETE FROM \(table)", "forget everything")
    }
    (next.hourlyRows, next.dailyRows) = (0, 0)
    next.importedIDs = next.importedIDs.upperBound..<next.importedIDs.upperBound
    (forgotten, heirs) = ([], [:])
  }

  private mutating func move(_ action: [UInt8], from: [UInt8], to: [UInt8]) throws(StorageError) {
    guard from != to, let number = try statements.number(app: from, action: action) else { return }
    if let heir = try statements.number(app: to, action: action) {
      heirs[number] = heir
      return try delete(from, action)
    }
    readAction.bind(0, text: from)
    readAction.bind(1, text: action)
    defer { readAction.reset() }
    guard try readAction.step(), var record = ActionRecord(readAction) else {
      throw StorageError("move an action", kind: .damaged, message: "a row of actions is damaged")
    }
    readAction.reset()
    try delete(from, action)
    record.row.app = to
    record.bind(to: statements.insertAction)
    try statements.insertAction.run()
  }

  private func delete(_ app: [UInt8], _ action: [UInt8]) throws(StorageError) {
    deleteAction.bind(0, text: app)
    deleteAction.bind(1, text: action)
    try deleteAction.run()
  }

  /// The action that has the hourly uses of another one in the end; nil if they are forgotten.
  private func heir(of number: Int64) -> Int64? {
    var last = number
    while let heir = heirs[last] { last = heir }
    return forgotten.contains(last) ? nil : last
  }

  /// Drops the hourly rows of actions that are gone, and adds them to those of their heirs.
  private func settleHours(_ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    let query = try connection.prepare(
      """
      SELECT hour, action_number, uses, checksum FROM hourly_uses WHERE (hour, action_number) > (?, ?)
        ORDER BY hour, action_number LIMIT \(Self.rowsInPass)
      """)
    let delete = try connection.prepare("DELETE FROM hourly_uses WHERE hour = ? AND action_number = ?")
    var last = (hour: Int64.min, number: Int64.min)
    var rows = 0
    repeat {
      var concerned: [HourlyRecord] = []
      rows = 0
      query.bind(0, last.hour)
      query.bind(1, last.number)
      while try query.step(), let hour = query.integer(0), let number = query.integer(1) {
        last = (hour, number)
        rows += 1
        guard forgotten.contains(number) || heirs[number] != nil else { continue }
        // What does not fit its checksum is no count.
        concerned.append(HourlyRecord(query) ?? HourlyRecord(hour: hour, actionNumber: number, uses: 0))
      }
      for record in concerned {
        delete.bind(0, record.hour)
        delete.bind(1, record.actionNumber)
        try delete.run()
        next.hourlyRows -= 1
        guard let heir = heir(of: record.actionNumber) else { continue }
        try statements.add(record.uses, to: heir, hour: record.hour, subtracts: false, &next)
      }
    } while rows == Self.rowsInPass
  }
}
