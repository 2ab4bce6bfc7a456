import Ranking
import Snapshots
import Storage
import Wire

// How often the lists were right.
extension ControlDesk {
  private static let dayLength: Int64 = 86_400_000_000_000
  /// Apps that are listed one by one where all are asked for.
  private static let mostApps = 50

  /// What `stats` says of an app, or with nil of all together.
  func stats(
    ofApp id: [UInt8]?, days: Int, at now: Moment
  ) throws(LineError) -> (inout JSONWriter) -> Void {
    let today = UseHour.number(of: now.wall).quotientAndRemainder(dividingBy: 24).quotient
    var rows: [DailyHitsRow]
    do throws(StorageError) { rows = try dailyHits(id, today - Int64(days) + 1) } catch {
      throw .refusedOp("the days can't be read now: \(error.description); try again")
    }
    rows.sort { $0.day < $1.day }
    let apps = ledger.ranking.appNumbers
    let app = id.flatMap { ledger.ranking.findApp($0) }
    let hits = (id == nil ? apps : app.map { [$0] } ?? []).map { ledger.ranking.hits(ofApp: $0) }
    let totals = hits.reduce(into: Totals()) { $0.add($1.published) }
    let current = Self.today(hits, day: today)
    rows.removeAll { $0.day == today }
    if current.trials > 0 || current.changes > 0 { rows.append(current) }
    return { [self] json in
      if let id { json.member("app", utf8: id) } else { json.memberNull("app") }
      totals.write(to: &json)
      json.member(
        "changesPerDay", rate: rows.isEmpty ? nil : Double(rows.reduce(0) { $0 + $1.changes }) / Double(rows.count))
      json.member("today", object: { Self.write(current, to: &$0) })
      json.member("days", array: { json in for row in rows { json.object { Self.write(row, to: &$0) } } })
      if let app { writeLists(of: app, totals, to: &json) } else { writeNothingOfLists(to: &json) }
      if id == nil { writeApps(apps, to: &json) }
    }
  }

  /// Published hits, of one app or added up over several.
  private struct Totals {
    var trials: UInt64 = 0
    var hits: UInt64 = 0
    var changes: UInt64 = 0
    var recentTrials = 0.0
    var recentHits = 0.0

    mutating func add(_ published: PublishedHits) {
      trials += published.trials
      hits += published.hits
      changes += published.changes
      recentTrials += Double(published.recentTrials)
      recentHits += Double(published.recentHits)
    }

    func write(to json: inout JSONWriter) {
      ListHits(trials: trials, hits: hits, recentRate: recentTrials > 0 ? recentHits / recentTrials : nil)
        .write(to: &json)
      json.member("changes", changes)
    }
  }

  private static func today(_ hits: [AppHits], day: Int64) -> DailyHitsRow {
    hits.map(\.published.today).filter { $0.day == day }
      .reduce(into: DailyHitsRow(day: day, app: [], trials: 0, hits: 0, changes: 0)) {
        $0.trials += $1.trials
        $0.hits += $1.hits
        $0.changes += $1.changes
      }
  }

  private static func write(_ row: DailyHitsRow, to json: inout JSONWriter) {
    let midnight = row.day.multipliedReportingOverflow(by: dayLength).partialValue
    json.member("day", String(RFC3339.string(nanoseconds: midnight, fractionDigits: 0).prefix(10)))
    json.member("trials", row.trials)
    json.member("hits", row.hits)
    json.member("changes", row.changes)
  }

  private func writeLists(of app: UInt32, _ totals: Totals, to json: inout JSONWriter) {
    json.member("method", object: { [registry] in registry.method(ofApp: app).write(to: &$0) })
    let hits = ledger.ranking.hits(ofApp: app)
    let decays = Decay.allCases.filter { hits.listHits[Int($0.rawValue)] > 0 }
    guard hits.listTrials > 0,
      let best = decays.max(by: { hits.listHits[Int($0.rawValue)] < hits.listHits[Int($1.rawValue)] })
    else {
      for name in ["lists", "bestInHindsight", "shareOfBest"] { json.memberNull(name) }
      return
    }
    json.member(
      "lists",
      array: { json in
        for decay in decays {
          let count = hits.listHits[Int(decay.rawValue)]
          json.object { json in
            json.member("halfLife", registry.name(of: decay, inApp: app))
            json.member("hits", count)
            json.member("hitRate", rate: Double(count) / Double(hits.listTrials))
          }
        }
      })
    json.member("bestInHindsight", registry.name(of: best, inApp: app))
    let bestRate = Double(hits.listHits[Int(best.rawValue)]) / Double(hits.listTrials)
    json.member("shareOfBest", rate: totals.trials > 0 ? Double(totals.hits) / Double(totals.trials) / bestRate : nil)
  }

  private func writeNothingOfLists(to json: inout JSONWriter) {
    for name in ["method", "lists", "bestInHindsight", "shareOfBest"] { json.memberNull(name) }
  }

  private func writeApps(_ apps: [UInt32], to json: inout JSONWriter) {
    let rows = apps.map { (app: $0, hits: ledger.ranking.hits(ofApp: $0).published) }.filter { $0.hits.trials > 0 }
      .sorted { ($1.hits.trials, $0.app) < ($0.hits.trials, $1.app) }
    json.member(
      "apps",
      array: { json in
        for row in rows.prefix(Self.mostApps) {
          json.object { json in
            json.member("app", utf8: ledger.ranking.appID(row.app))
            json.member("trials", row.hits.trials)
            json.member("hits", row.hits.hits)
            json.member("hitRate", rate: Double(row.hits.hits) / Double(row.hits.trials))
            json.member("changes", row.hits.changes)
          }
        }
      })
  }
}
