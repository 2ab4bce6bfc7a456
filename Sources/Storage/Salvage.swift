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

  private(set) var actions: [Key: ActionRecord] = [:]
  private(set) var hourly: [Hour: UInt64] = [:]
  /// By arrival.
  private(set) var ids: [Int64: RememberedID] = [:]
  private(set) var totals: [String: UInt64] = [:]
  private(set) var connections: [UInt64: ConnectionRow] = [:]
  private(set) var daemon: DaemonRecord?

  /// Reads every page of a database and of its log. A row is taken where its checksum fits; of several states of one
  /// row, which only a page that is damaged in its newest state gives, the latest.
  ///
  /// - Complexity: O(size of the files).
  init(database: String, log: String, in directory: borrowing Directory) throws(StorageError) {
    // Pages whose newest state was read in full: older ones of them say nothing more.
    var done: Set<UInt32> = []
    if try storing({ () throws(SystemError) in try directory.kind(of: log) }) == .regular {
      let bytes = try storing { () throws(SystemError) in
        let file = try directory.openToRead(log)
        return try file.contents(count: file.regularSize() ?? 0)
      }
      WriteAheadLog(bytes).eachPageNewestFirst { number, page in
        guard !done.contains(number) else { return }
        if PageReader(page, number: number).eachRow({ take($0) }) { done.insert(number) }
      }
    }
    try storing { () throws(SystemError) in
      let file = try directory.openToRead(database)
      guard let size = try file.regularSize() else { return }
      let pageSize = DatabaseHeader.pageSize
      for number in 1...UInt32(clamping: max(1, size / pageSize)) where !done.contains(number) {
        // A sector that the disk cannot read any more loses its page, not the rest.
        guard let page = try? file.contents(count: pageSize, at: Int(number - 1) * pageSize) else { continue }
        if page.count == pageSize { _ = PageReader(page[...], number: number).eachRow { take($0) } }
      }
    }
  }

  /// Takes a row into the table that it belongs to; false if it is damaged.
  private mutating func take(_ row: PageRow) -> Bool {
    switch row.count {
    case ActionRecord.columns: takeAction(row)
    case HourlyRecord.columns: takeHour(row) || takeID(row)
    case TotalRecord.columns: takeTotal(row)
    case ConnectionRecord.columns: takeConnection(row)
    case DaemonRecord.columns: takeDaemon(row)
    default: false
    }
  }

  private mutating func takeAction(_ row: PageRow) -> Bool {
    guard let action = ActionRecord(row) else { return false }
    let key = Key(app: action.row.app, action: action.row.action)
    if let known = actions[key], !action.isLater(than: known) { return true }
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
    guard let record = IDRecord(row) else { return false }
    ids[record.number] = record.id
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

  private mutating func takeDaemon(_ row: PageRow) -> Bool {
    guard let record = DaemonRecord(row) else { return false }
    if record.commitNumber >= daemon?.commitNumber ?? 0 { daemon = record }
    return true
  }
}
