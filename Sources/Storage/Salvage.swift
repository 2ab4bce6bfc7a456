import Posix
import Ranking

/// What can still be read of a database, page by page.
struct Salvage {
  /// Names an action in a dictionary.
  struct Key: Hashable {
    var app: [UInt8]
    var action: [UInt8]
  }

  /// Names an hourly row.
  struct Hour: Hashable {
    var hour: Int64
    var actionNumber: Int64
  }

  /// Names a row of `daily_hits`.
  struct Day: Hashable {
    var day: Int64
    var app: [UInt8]
  }

  private(set) var actions: [Key: ActionRecord] = [:]
  private(set) var hourly: [Hour: UInt64] = [:]
  /// By arrival.
  private(set) var ids: [Int64: RememberedID] = [:]
  /// By arrival.
  private(set) var importedIDs: [Int64: RememberedID] = [:]
  private(set) var registrations: [Key: RegistrationRow] = [:]
  private(set) var choices: [Key: ChoiceRow] = [:]
  private(set) var apps: [[UInt8]: AppRow] = [:]
  private(set) var dailyHits: [Day: DailyHitsRow] = [:]
  private(set) var totals: [String: UInt64] = [:]
  private(set) var connections: [UInt64: ConnectionRow] = [:]
  /// By where they begin. Some may be older than the other tables.
  private(set) var input: [UInt64: InputRecord] = [:]
  private(set) var daemon: DaemonRecord?
  /// Which action has a number, as the newest page says that holds it.
  private var keys: [Int64: Key] = [:]

  /// Reads every page of a database and of its log. A row is taken where its checksum fits; of several states of one
  /// row, which only a page that is damaged in its newest state gives, the latest.
  ///
  /// Where a wipe is owed only the newest state of each page is read: an older one may hold what was forgotten since.
  ///
  /// - Complexity: O(size of the files).
  init(database: String, log: String, in directory: borrowing Directory) throws(StorageError) {
    try read(database, log, in: directory, newestOnly: false)
    if daemon?.wipeIsOwed == true {
      self = Salvage()
      try read(database, log, in: directory, newestOnly: true)
    }
  }

  private init() {}

  private mutating func read(
    _ database: String, _ log: String, in directory: borrowing Directory, newestOnly: Bool
  ) throws(StorageError) {
    let pageSize = DatabaseHeader.pageSize
    let file = try storing { () throws(SystemError) in try directory.openToRead(database) }
    guard let size = try storing({ () throws(SystemError) in try file.regularSize() }) else { return }
    var written = WriteAheadLog([])
    if try storing({ () throws(SystemError) in try directory.kind(of: log) }) == .regular {
      written = WriteAheadLog(
        try storing { () throws(SystemError) in
          let log = try directory.openToRead(log)
          return try log.contents(count: log.regularSize() ?? 0)
        })
    }
    let newest = written.newestPages
    // A sector that the disk cannot read any more loses its page, not the rest.
    func page(_ number: UInt32) -> ArraySlice<UInt8>? {
      let page = try? file.contents(count: pageSize, at: Int(number - 1) * pageSize)
      return page?.count == pageSize ? page?[...] : nil
    }
    func newestPage(_ number: UInt32) -> ArraySlice<UInt8>? { newest[number] ?? page(number) }

    // Pages whose newest state was read in full: older ones of them say nothing more.
    var done: Set<UInt32> = []
    written.eachPageNewestFirst { number, page in
      guard !done.contains(number) else { return }
      let isSound = read(page, number, newestPage)
      if isSound || newestOnly { done.insert(number) }
    }
    for number in 1...UInt32(clamping: max(1, size / pageSize)) where !done.contains(number) {
      guard let page = page(number) else { continue }
      _ = read(page, number, newestPage)
    }
  }

  /// Takes every row of a page; returns whether all are sound.
  private mutating func read(_ page: ArraySlice<UInt8>, _ number: UInt32, _ others: PageReader.Others) -> Bool {
    unsafe page.withUnsafeBytes { page in
      unsafe PageReader(page, number: number).eachRow(others: others) { take($0) }
    }
  }

  /// Takes a row into the table that it belongs to; false if it is damaged.
  private mutating func take(_ row: PageRow) -> Bool {
    switch row.count {
    case ActionRecord.columns[0], ActionRecord.columns[1]: takeAction(row)
    case DaemonRecord.columns[0], DaemonRecord.columns[1]: takeDaemon(row)
    case HourlyRecord.columns: takeHour(row) || takeID(row)
    case TotalRecord.columns: takeTotal(row)
    case ConnectionRecord.columns[0], ConnectionRecord.columns[1]: takeConnection(row)
    case RegistrationRecord.columns, DailyHitsRecord.columns: takeRegistration(row) || takeDay(row)
    case ChoiceRecord.columns: takeChoice(row)
    case AppRecord.columns: takeApp(row)
    case InputRecord.columns: takeInput(row)
    default: false
    }
  }

  private mutating func takeAction(_ row: PageRow) -> Bool {
    guard let action = ActionRecord(row) else { return false }
    let key = Key(app: action.row.app, action: action.row.action)
    if let holder = keys[action.number], holder != key, let known = actions[holder] {
      // One of them is what the other was before it moved to another app.
      if action.row.lastArrival <= known.row.lastArrival { return true }
      actions[holder] = nil
    }
    if let known = actions[key], !action.isLater(than: known) { return true }
    keys[action.number] = key
    actions[key] = action
    return true
  }

  private mutating func takeHour(_ row: PageRow) -> Bool {
    guard let record = HourlyRecord(row) else { return false }
    let key = Hour(hour: record.hour, actionNumber: record.actionNumber)
    hourly[key] = max(hourly[key] ?? 0, record.uses)
    return true
  }

  private mutating func takeID(_ row: PageRow) -> Bool {
    if let record = IDRecord(row, of: .rememberedIDs) {
      ids[record.number] = record.id
    } else if let record = IDRecord(row, of: .importedIDs) {
      importedIDs[record.number] = record.id
    } else {
      return false
    }
    return true
  }

  // Of these nothing in the row says which state of it is the later one: newer pages are read first.

  private mutating func takeRegistration(_ row: PageRow) -> Bool {
    guard let registration = RegistrationRecord(row)?.row else { return false }
    let key = Key(app: registration.app, action: registration.action)
    if registrations[key] == nil { registrations[key] = registration }
    return true
  }

  private mutating func takeChoice(_ row: PageRow) -> Bool {
    guard let choice = ChoiceRecord(row)?.row else { return false }
    let key = Key(app: choice.app, action: choice.action)
    if choices[key] == nil { choices[key] = choice }
    return true
  }

  private mutating func takeApp(_ row: PageRow) -> Bool {
    guard let app = AppRecord(row)?.row else { return false }
    if apps[app.app] == nil { apps[app.app] = app }
    return true
  }

  private mutating func takeDay(_ row: PageRow) -> Bool {
    guard let hits = DailyHitsRecord(row)?.row else { return false }
    let key = Day(day: hits.day, app: hits.app)
    if dailyHits[key] == nil { dailyHits[key] = hits }
    return true
  }

  private mutating func takeTotal(_ row: PageRow) -> Bool {
    guard let total = TotalRecord(row) else { return false }
    totals[total.name] = max(totals[total.name] ?? 0, total.value)
    return true
  }

  private mutating func takeConnection(_ row: PageRow) -> Bool {
    guard let connection = ConnectionRecord(row)?.row else { return false }
    if let known = connections[connection.number], known.lineNumber > connection.lineNumber { return true }
    connections[connection.number] = connection
    return true
  }

  private mutating func takeInput(_ row: PageRow) -> Bool {
    guard let record = InputRecord(row) else { return false }
    if input[record.start.offset] == nil { input[record.start.offset] = record }
    return true
  }

  private mutating func takeDaemon(_ row: PageRow) -> Bool {
    guard let record = DaemonRecord(row) else { return false }
    if record.commitNumber > daemon?.commitNumber ?? -1 { daemon = record }
    return true
  }
}
