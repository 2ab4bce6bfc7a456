import CSQLite
import Ranking

/// Why a database cannot be used as it is.
enum OpeningFailure: Error {
  /// What it holds is damaged, said in words.
  case damage(String)
  /// Something else went wrong, which leaves the file as it is.
  case error(StorageError)

  init(_ error: StorageError) {
    let damage = [
      SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_CONSTRAINT, SQLITE_TOOBIG,
      SQLITE_RANGE, SQLITE_EMPTY, SQLITE_INTERNAL,
    ]
    // Short read and "corrupt file system", whose constants are expressions that Swift does not import.
    let isDamagedFile = [SQLITE_IOERR | 2 << 8, SQLITE_IOERR | 33 << 8].contains(error.code)
    self = damage.contains(error.code & 0xff) || isDamagedFile ? .damage(error.message) : .error(error)
  }
}

extension Session {
  /// Opens a database and finds out whether it is whole, and ours; where somebody takes it over, the former is said by
  /// ``load(into:log:)``, and found out while that reads.
  ///
  /// - Parameter progress: who takes it over, and hears that it goes on, now and until the state is loaded.
  /// - Complexity: O(size of the database).
  convenience init(
    checking path: String, alone: Bool = false, steps: [Schema.Step] = Schema.steps,
    progress: (any StateReceiver)? = nil
  ) throws(OpeningFailure) {
    do throws(StorageError) { try self.init(opening: path, alone: alone) } catch { throw OpeningFailure(error) }
    if let progress {
      connection.report {
        progress.progress()
        return true
      }
    }
    let version = try checkVersion(path, steps)
    if alone || progress == nil || version < steps.count {
      findings = try Inspection.inspect(connection)
      try checking { () throws(StorageError) in try Schema.migrate(self.connection, from: version, steps: steps) }
      try checkTables(steps)
      return
    }
    try checkTables(steps)
    // Without a second thread it takes longer.
    do { inspection = try Inspection(of: path) } catch { findings = try Inspection.inspect(connection) }
  }

  private func checkVersion(_ path: String, _ steps: [Schema.Step]) throws(OpeningFailure) -> Int {
    let (version, recorded) = try checking { () throws(StorageError) in
      (
        Int(try connection.integer("PRAGMA user_version") ?? -1),
        Int(try connection.integer("SELECT max(version) FROM schema_versions") ?? -1)
      )
    }
    if version != recorded { throw .damage("it says that it is of version \(version), and of version \(recorded)") }
    if version > steps.count {
      throw .error(
        StorageError(
          "use \(path)", kind: .newerSchema,
          message: "it is of version \(version), made by a later quickactionsd; this one knows version \(steps.count)"))
    }
    if version < 1 { throw .damage("it has no version") }
    return version
  }

  private func checkTables(_ steps: [Schema.Step]) throws(OpeningFailure) {
    if steps.count != Schema.version { return }
    let areThere = try checking { () throws(StorageError) in
      Set(try Schema.definitions(in: connection)).isSuperset(of: try Schema.expectedDefinitions())
    }
    if !areThere { throw .damage("its tables are not those of version \(steps.count)") }
  }

  /// Reads the bytes of the write-ahead log, if there are not too many.
  typealias LogContents = () throws(StorageError) -> [UInt8]?

  /// Reads everything, row by row, each held against its checksum.
  ///
  /// - Parameters:
  ///   - receiver: takes over what is read.
  ///   - log: asked for the bytes of the write-ahead log once the state to be read is settled; nil if rows are not to be read
  ///     by the page.
  /// - Returns: what has to be known to write.
  func load(
    into receiver: (any StateReceiver)?, log: LogContents = { () throws(StorageError) in nil }
  ) throws(OpeningFailure) -> StateDatabase.Bookkeeping {
    if let inspection {
      connection.report {
        receiver?.progress()
        // What is read of a damaged database may never end.
        return !inspection.hasFailed
      }
    }
    defer { connection.endReports() }
    var known: StateDatabase.Bookkeeping
    do { known = try read(into: receiver, log) } catch {
      // What the inspection has found comes first: by that the reading was ended. Once it is over nothing else has the
      // file open any more.
      if let inspection, !inspection.callOff() { _ = try inspection.findings {} }
      throw error
    }
    if let inspection { findings = try inspection.findings { receiver?.progress() } }
    inspection = nil
    known.hourlyRows = findings.hourlyRows
    known.nextActionNumber = max(known.nextActionNumber, findings.numbersEnd)
    return known
  }

  private func read(
    into receiver: (any StateReceiver)?, _ log: LogContents
  ) throws(OpeningFailure) -> StateDatabase.Bookkeeping {
    let connection = connection
    try checking { () throws(StorageError) in try connection.execute("BEGIN", "read the state") }
    defer { try? connection.execute("ROLLBACK", "read the state") }
    let daemon = try checking { () throws(StorageError) in
      let query = try connection.prepare("SELECT * FROM daemon")
      return try query.step() ? DaemonRecord(query) : nil
    }
    guard let daemon else { throw .damage("the daemon's own row is damaged") }
    var known = StateDatabase.Bookkeeping(idSecret: daemon.idSecret)
    known.commitNumber = daemon.commitNumber
    known.wipeIsOwed = daemon.wipeIsOwed
    let state = try loadAllButActions(daemon, &known)
    var numbers: [Int64] = []
    if !readActionsByPage(log, state, into: receiver, &numbers) {
      try readActions(state, into: receiver, &numbers)
    }
    guard let end = Self.end(of: numbers) else { throw .damage("two actions have one number") }
    known.nextActionNumber = max(known.nextActionNumber, end)
    return known
  }

  private func readActions(
    _ state: StoredState, into receiver: (any StateReceiver)?, _ numbers: inout [Int64]
  ) throws(OpeningFailure) {
    let connection = connection
    let count = try checking { () throws(StorageError) in try connection.integer("SELECT count(*) FROM actions") ?? 0 }
    receiver?.begin(state, actionCount: Int(count))
    numbers = []
    numbers.reserveCapacity(Int(count))
    let areSound = try checking { () throws(StorageError) in
      try connection.each("actions") { query in
        Self.hand(query, to: receiver, &numbers)
      }
    }
    if !areSound { throw .damage("a row of actions is damaged") }
  }

  /// Hands an action over; false if its row is damaged.
  @inline(__always)
  private static func hand(_ row: some RowSource, to receiver: (any StateReceiver)?, _ numbers: inout [Int64]) -> Bool {
    guard let app = unsafe row.rawID(0), let action = unsafe row.rawID(1),
      let columns = unsafe ActionColumns(row, app: app, action: action)
    else { return false }
    numbers.append(columns.number)
    unsafe receiver?.receive(StoredAction(app: app, action: action, number: columns.number, values: columns.values))
    return true
  }

  /// The same as ``readActions(_:into:_:)`` without SQLite, while that looks through the database on another thread: only
  /// what it finds nothing wrong with is taken over.
  ///
  /// - Returns: false if it has to be done otherwise, for nobody looks, or because something makes no sense.
  private func readActionsByPage(
    _ log: LogContents, _ state: StoredState, into receiver: (any StateReceiver)?, _ numbers: inout [Int64]
  ) -> Bool {
    guard let inspection, let receiver else { return false }
    do {
      let root = try connection.integer("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'actions'")
      guard let root = root.flatMap({ UInt32(exactly: $0) }) else { return false }
      guard let log = try log() else { return false }
      var table = TableReader(of: connection, log: log)
      let count = try table.estimatedRows(root: root)
      receiver.begin(state, actionCount: count)
      numbers.reserveCapacity(count)
      let goesOn = {
        receiver.progress()
        return !inspection.hasFailed
      }
      let expect = { (row: PageRow) in if let action = unsafe row.rawID(1) { unsafe receiver.expect(action) } }
      try table.eachRow(root: root, goesOn: goesOn, expect: expect) { row in
        ActionRecord.columns.contains(row.count) && Self.hand(row, to: receiver, &numbers)
      }
      return true
    } catch {
      return false
    }
  }

  private func loadAllButActions(
    _ daemon: DaemonRecord, _ known: inout StateDatabase.Bookkeeping
  ) throws(OpeningFailure) -> StoredState {
    let connection = connection
    var state = StoredState(idSecret: daemon.idSecret)
    state.halfLife = daemon.halfLife
    state.clock = daemon.clock
    state.logPosition = daemon.logPosition
    state.nextConnection = daemon.nextConnection
    state.arrivals = daemon.arrivals
    let problem = try checking { () throws(StorageError) -> String? in
      guard let ids = try connection.ids(of: .rememberedIDs) else { return "a row of remembered_ids" }
      (state.ids, known.ids) = ids
      guard let imported = try connection.ids(of: .importedIDs) else { return "a row of imported_ids" }
      (state.importedIDs, known.importedIDs) = imported
      let registrations = try connection.rows("registered_actions ORDER BY app, position, action") {
        RegistrationRecord($0)?.row
      }
      guard let registrations else { return "a row of registered_actions" }
      state.registrations = registrations
      guard let choices = try connection.rows("choices", { ChoiceRecord($0)?.row }) else { return "a row of choices" }
      state.choices = choices
      guard let apps = try connection.rows("apps", { AppRecord($0)?.row }) else { return "a row of apps" }
      state.apps = apps
      guard let days = try connection.rows("daily_hits ORDER BY day, app", { DailyHitsRecord($0)?.row }) else {
        return "a row of daily_hits"
      }
      known.dailyRows = days.count
      state.latestDailyHits = Dictionary(days.map { ($0.app, $0) }) { $1 }.values.sorted {
        $0.app.lexicographicallyPrecedes($1.app)
      }
      let totals = try connection.rows("totals") { query in TotalRecord(query).map { ($0.name, $0.value) } }
      guard let totals else { return "a row of totals" }
      state.totals = totals
      guard let connections = try connection.rows("connections", { ConnectionRecord($0)?.row }) else {
        return "a row of connections"
      }
      state.connections = connections
      let input = try connection.each("pending_input ORDER BY start_offset") { query in
        guard let row = InputRecord(query) else { return false }
        return PendingInput.append(row, to: &state.pendingInput, from: daemon.logPosition)
      }
      if !input { return "a row of pending_input" }
      known.inputEnd = state.pendingInput?.end ?? daemon.logPosition
      return nil
    }
    if let problem { throw .damage("\(problem) is damaged") }
    return state
  }

  /// The end of the numbers of actions, exclusive; nil if two have the same.
  ///
  /// - Complexity: O(n) as long as few numbers are missing.
  private static func end(of numbers: [Int64]) -> Int64? {
    let end = (numbers.max() ?? -1).saturatingAdding(1)
    guard end <= Int64(numbers.count) * 64 + 1_000 else {
      let sorted = numbers.sorted()
      for (one, next) in zip(sorted, sorted.dropFirst()) where one == next { return nil }
      return end
    }
    var known = [UInt64](repeating: 0, count: Int(end) / 64 + 1)
    for number in numbers {
      let bit = UInt64(1) << UInt64(number % 64)
      if known[Int(number / 64)] & bit != 0 { return nil }
      known[Int(number / 64)] |= bit
    }
    return end
  }

  private func checking<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(OpeningFailure) -> Result {
    do { return try body() } catch { throw OpeningFailure(error) }
  }
}

extension Connection {
  /// Reads all rows of a table until `body` says that one is damaged; returns whether none is.
  func each(_ table: String, _ body: (Statement) -> Bool) throws(StorageError) -> Bool {
    let query = try prepare("SELECT * FROM \(table)")
    while try query.step() {
      if !body(query) { return false }
    }
    return true
  }

  /// All rows of a table; nil if `row` says of one that it is damaged.
  func rows<Row>(_ table: String, _ row: (Statement) -> Row?) throws(StorageError) -> [Row]? {
    var rows: [Row] = []
    let areSound = try each(table) { query in
      guard let row = row(query) else { return false }
      rows.append(row)
      return true
    }
    return areSound ? rows : nil
  }

  /// The ids of a table, the oldest first, and their arrivals; nil if one is damaged.
  func ids(of table: RowChecksum.Table) throws(StorageError) -> ([RememberedID], Range<Int64>)? {
    var (ids, arrivals): ([RememberedID], Range<Int64>) = ([], 0..<0)
    let areSound = try each(IDTable.name(of: table)) { query in
      guard let id = IDRecord(query, of: table) else { return false }
      if ids.isEmpty { arrivals = id.number..<id.number }
      guard id.number == arrivals.upperBound, id.number < .max else { return false }
      arrivals = arrivals.lowerBound..<id.number + 1
      ids.append(id.id)
      return true
    }
    return areSound ? (ids, arrivals) : nil
  }
}
