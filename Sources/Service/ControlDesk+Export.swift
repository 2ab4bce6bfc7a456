import Ranking
import Storage
import Wire

// Everything, as lines that the control socket takes.
extension ControlDesk {
  /// Rows of the history in one page; with names of 255 bytes each line has under 700 bytes when it is escaped twice.
  private static let historyRows = 64
  private static let definitionRows = 5

  /// A page of the export. First come the definitions and choices, then the history.
  ///
  /// A page is named by what comes next: `d` and a number, or `h`, the hour and the action's number.
  func exportPage(after cursor: String?, at now: Moment) throws(LineError) -> (inout JSONWriter) -> Void {
    guard let place = Place(cursor ?? "d0") else {
      throw LineError(code: .invalidArgument, reason: .argument(.after, .outOfRange))
    }
    switch place {
    case .definitions(let start):
      let lines = registry.exportedLines()
      let page = lines.dropFirst(start).prefix(Self.definitionRows)
      let end = start + page.count
      return Self.reply(Array(page), next: end < lines.count ? .definitions(end) : .history(nil))
    case .history(let cursor):
      let page: HourlyPage
      do throws(StorageError) { page = try historyPage(cursor, Self.historyRows) } catch {
        throw .refusedOp("the history can't be read now: \(error.description); try again")
      }
      return Self.reply(page.rows.flatMap(lines), next: page.end.map { .history($0) })
    }
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
    case history(HourlyCursor?)

    init?(_ text: String) {
      let parts = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      switch text.first {
      case "d":
        guard parts.count == 1, let start = Int(parts[0]), start >= 0 else { return nil }
        self = .definitions(start)
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
        lines.append(Self.line(row, uses: 1, at: time))
        left -= 1
      }
    }
    while left > 0 {
      let uses = min(left, UInt64(LineParser.maxCount))
      lines.append(Self.line(row, uses: uses, at: middle))
      left -= uses
    }
    return lines
  }

  private static func line(_ row: HourlyRow, uses: UInt64, at time: Int64) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", utf8: row.action)
      json.member("app", utf8: row.app)
      json.member("count", uses)
      json.member("time", RFC3339.string(nanoseconds: time, fractionDigits: 0))
    }
    return json.bytes
  }
}

extension Registry {
  /// What is registered and chosen, as requests, in an order that does not change from page to page.
  fileprivate func exportedLines() -> [[UInt8]] {
    let numbers = entries.keys.sorted()
    var lines: [[UInt8]] = []
    for number in numbers {
      guard let entry = entries[number] else { continue }
      let name = ledger.ranking.name(number)
      if let registration = entry.registered {
        // The text is an object already.
        var json = JSONWriter()
        json.object { json in
          json.member("op", "define")
          json.member("app", utf8: name.app)
          if let node = try? JSONNode.object(registration.text) { json.member("action", node) }
        }
        lines.append(json.bytes)
      }
      let ops = [
        (entry.choice.disabledAt, OpName.disable), (entry.choice.enabledAt, .enable), (entry.choice.blockedAt, .block),
      ]
      for (time, op) in ops where time != nil { lines.append(Self.line(op, name.app, name.id)) }
    }
    let pinned = numbers.filter { entries[$0]?.choice.pinnedAt != nil }
    for number in pinned.sorted(by: { entries[$0]?.choice.pinPosition ?? 0 < entries[$1]?.choice.pinPosition ?? 0 }) {
      let name = ledger.ranking.name(number)
      lines.append(Self.line(.pin, name.app, name.id))
    }
    for app in apps.keys.sorted() where apps[app]?.choice.blockedAt != nil {
      lines.append(Self.line(.block, ledger.ranking.appID(app), nil))
    }
    return lines
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
