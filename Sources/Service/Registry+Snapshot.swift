import Ranking
import Snapshots
import Wire

extension Registry {
  /// The list of an app as it is published.
  func snapshot(ofApp app: UInt32, count: Int? = nil, generation: UInt64, at now: Moment) -> Snapshot {
    let menu = menu(ofApp: app, count: count, at: now.decay)
    return Snapshot(
      app: ledger.ranking.appID(app), generation: generation, computedAt: now.wall, limit: count ?? menu.limit,
      shortcuts: menu.shortcuts, dynamic: menu.dynamic)
  }

  /// The list over all apps as it is published.
  func topSnapshot(count: Int? = nil, generation: UInt64, at now: Moment) -> Snapshot {
    Snapshot(
      app: nil, generation: generation, computedAt: now.wall, limit: count ?? ledger.ranking.limit,
      shortcuts: top(count: count, at: now.decay))
  }

  /// The list of an app by its id, which may be unknown: then it is empty; or, with nil, that over all apps.
  func snapshot(ofApp id: [UInt8]?, count: Int?, generation: UInt64, at now: Moment) -> Snapshot {
    guard let id else { return topSnapshot(count: count, generation: generation, at: now) }
    if let app = ledger.ranking.findApp(id) {
      return snapshot(ofApp: app, count: count, generation: generation, at: now)
    }
    return Snapshot(
      app: id, generation: generation, computedAt: now.wall, limit: count ?? ledger.ranking.limit, shortcuts: [])
  }

  /// What `apps` says of one app.
  func write(_ summary: AppSummary, _ id: [UInt8], to json: inout JSONWriter) {
    let entry = apps[summary.number]
    json.member("app", utf8: id)
    json.member("localizedName", entry?.localizedName)
    json.member("actions", summary.usedActions)
    json.member("uses", summary.uses)
    json.member("lastUsed", summary.lastUsed.map { RFC3339.string(nanoseconds: $0, fractionDigits: 0) })
    json.member("blocked", entry?.choice.blockedAt != nil)
    json.member("defined", entry?.isDeclared ?? false)
  }
}
