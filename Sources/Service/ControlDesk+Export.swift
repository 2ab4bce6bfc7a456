import Ranking
import Storage
import Wire

// Everything, as lines that the control socket takes.
extension ControlDesk {
  /// Rows of the history in one page; with names of 255 bytes each line has under 700 bytes when it is escaped twice.
  private static let historyRows = 64
  /// As many bytes as leave room within 48 KiB for one more definition, and for all to double when they are escaped.
  private static let definitionBytes = 15_000
  /// Actions in a page of uses without an hour, of two lines or more each.
  private static let hourlessRows = 64

  /// A page of the export. First come the definitions and choices, then the uses that the history does not have any
  /// more, then the history.
  ///
  /// A page is named by what comes next: `d` and a number; `u` and an action's number; or `h`, the hour and the
  /// action's number.
  func exportPage(after cursor: String?, at now: Moment) throws(LineError) -> (inout JSONWriter) -> Void {
    guard let place = Place(cursor ?? "d0") else {
      throw LineError(code: .invalidArgument, reason: .argument(.after, .outOfRange))
    }
    switch place {
    case .definitions(let start):
      let (lines, end) = registry.exportedLines(from: start, bytes: Self.definitionBytes)
      return Self.reply(lines, next: end.map { .definitions($0) } ?? .hourless(nil))
    case .hourless(let number):
      let page: [HourlessUses]
      do throws(StorageError) { page = try hourlessUses(number, Self.hourlessRows) } catch {
        throw Self.unreadable(error)
      }
      let next = page.count < Self.hourlessRows ? nil : page.last?.actionNumber
      return Self.reply(page.flatMap(Self.lines), next: next.map { .hourless($0) } ?? .history(nil))
    case .history(let cursor):
      let page: HourlyPage
      do throws(StorageError) { page = try historyPage(cursor, Self.historyRows) } catch {
        throw Self.unreadable(error)
      }
      return Self.reply(page.rows.flatMap(lines), next: page.end.map { .history($0) })
    }
  }

  static func unreadable(_ error: StorageError) -> LineError {
    .refusedOp("the history can't be read now: \(error.description); try again")
  }

  private static func reply(_ lines: [[UInt8]], next: Place?) -> (inout JSONWriter) -> Void {
    { json in
      json.member("lines", array: { json in for line in lines { json.string(utf8: line) } })
      json.member("next", next?.text)
    }
  }

  /// Where an export goes on.
  private enum Place {
    case definitions(Int)
    case hourless(Int64?)
    case history(HourlyCursor?)

    init?(_ text: String) {
      let parts = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      switch text.first {
      case "d":
        guard parts.count == 1, let start = Int(parts[0]), start >= 0 else { return nil }
        self = .definitions(start)
      case "u" where text.count == 1: self = .hourless(nil)
      case "u":
        guard parts.count == 1, let number = Int64(parts[0]) else { return nil }
        self = .hourless(number)
      case "h" where text.count == 1: self = .history(nil)
      case "h":
        guard parts.count == 2, let hour = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self = .history(HourlyCursor(hour: hour, actionNumber: number))
      default: return nil
      }
    }

    var text: String {
      switch self {
      case .definitions(let start): "d\(start)"
      case .hourless(let number): "u" + (number.map(String.init) ?? "")
      case .history(nil): "h"
      case .history(let cursor?): "h\(cursor.hour),\(cursor.actionNumber)"
      }
    }
  }

  /// The uses of one hour as lines: the very first use and the last one at their times, the others in the middle.
  private func lines(_ row: HourlyRow) -> [[UInt8]] {
    var middle = UseHour.middle(of: row.hour)
    var left = row.uses
    var lines: [[UInt8]] = []
    if let number = ledger.ranking.find(row.action, app: row.app) {
      let report = ledger.ranking.report(number, at: ledger.now().decay)
      // In the hours of the first and the last use the middle may be before the one or behind the other.
      if let first = report.firstUsed, let last = report.lastUse?.wall { middle = min(max(middle, first), last) }
      let ends = [report.lastUse?.wall, report.uses > 1 ? report.firstUsed : nil]
      for case let time? in ends where left > 0 && UseHour.number(of: time) == row.hour {
        lines.append(Self.line(row.app, row.action, uses: 1, at: time))
        left -= 1
      }
    }
    return lines + Self.lines(row.app, row.action, uses: left, at: middle)
  }

  /// Uses whose hours are not known: at the time of the first one, and the last one at its own if no hour has it.
  private static func lines(_ row: HourlessUses) -> [[UInt8]] {
    let early = row.hasHours ? row.uses : row.uses - 1
    return lines(row.app, row.action, uses: early, at: row.firstUsed)
      + lines(row.app, row.action, uses: row.uses - early, at: row.lastUsed)
  }

  private static func lines(_ app: [UInt8], _ action: [UInt8], uses: UInt64, at time: Int64) -> [[UInt8]] {
    var left = uses
    var lines: [[UInt8]] = []
    while left > 0 {
      let uses = min(left, UInt64(LineParser.maxCount))
      lines.append(line(app, action, uses: uses, at: time))
      left -= uses
    }
    return lines
  }

  private static func line(_ app: [UInt8], _ action: [UInt8], uses: UInt64, at time: Int64) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", utf8: action)
      json.member("app", utf8: app)
      json.member("count", uses)
      json.member("time", RFC3339.string(nanoseconds: time, fractionDigits: 0))
    }
    return json.bytes
  }
}

extension Registry {
  /// One line of what is exported.
  private enum ExportItem {
    case definition(UInt32)
    case choice(OpName, UInt32)
    case blockedApp(UInt32)
  }

  /// What is registered and chosen, as requests, from one on and until they have so many bytes.
  ///
  /// - Returns: the lines, and which one is the next, if there is one.
  /// - Complexity: O(entries · log(entries)); only the lines returned are made.
  fileprivate func exportedLines(from start: Int, bytes most: Int) -> (lines: [[UInt8]], end: Int?) {
    let items = exportItems
    var lines: [[UInt8]] = []
    var (end, bytes) = (start, 0)
    while end < items.count, bytes < most {
      let line = line(items[end])
      bytes += line.count
      lines.append(line)
      end += 1
    }
    return (lines, end < items.count ? end : nil)
  }

  /// In an order that does not change from page to page.
  private var exportItems: [ExportItem] {
    let numbers = entries.keys.sorted()
    var items: [ExportItem] = []
    for number in numbers {
      guard let entry = entries[number] else { continue }
      if entry.registered != nil { items.append(.definition(number)) }
      let ops = [
        (entry.choice.disabledAt, OpName.disable), (entry.choice.enabledAt, .enable), (entry.choice.blockedAt, .block),
      ]
      for (time, op) in ops where time != nil { items.append(.choice(op, number)) }
    }
    let pinned = numbers.filter { entries[$0]?.choice.pinnedAt != nil }
    items += pinned.sorted { entries[$0]?.choice.pinPosition ?? 0 < entries[$1]?.choice.pinPosition ?? 0 }
      .map { .choice(.pin, $0) }
    return items + apps.keys.sorted().filter { apps[$0]?.choice.blockedAt != nil }.map { .blockedApp($0) }
  }

  private func line(_ item: ExportItem) -> [UInt8] {
    switch item {
    case .choice(let op, let number):
      let name = ledger.ranking.name(number)
      return Self.line(op, name.app, name.id)
    case .blockedApp(let app): return Self.line(.block, ledger.ranking.appID(app), nil)
    case .definition(let number):
      var json = JSONWriter()
      json.object { json in
        json.member("op", OpName.define.rawValue)
        json.member("app", utf8: ledger.ranking.name(number).app)
        // The text is an object already.
        if let text = entries[number]?.registered?.text, let node = try? JSONNode.object(text) {
          json.member("action", node)
        }
      }
      return json.bytes
    }
  }

  private static func line(_ op: OpName, _ app: [UInt8], _ action: [UInt8]?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("op", op.rawValue)
      if let action { json.member("action", utf8: action) }
      json.member("app", utf8: app)
    }
    return json.bytes
  }
}
