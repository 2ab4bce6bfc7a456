import KeyFiles
import Ranking
import Snapshots
import Wire

extension Registry {
  /// The list of an app as it is published.
  func snapshot(ofApp app: UInt32, count: Int? = nil, generation: UInt64, at now: Moment) -> Snapshot {
    let menu = menu(ofApp: app, count: count, at: now.decay)
    return Snapshot(
      app: ledger.ranking.appID(app), generation: generation, computedAt: now.wall, limit: count ?? menu.limit,
      shortcuts: menu.shortcuts, dynamic: menu.dynamic, method: method(ofApp: app), hits: hits(ofApp: app),
      maxError: ledger.ranking.maxError(ofApp: app, at: now.decay))
  }

  /// The list over all apps as it is published.
  func topSnapshot(count: Int? = nil, generation: UInt64, at now: Moment) -> Snapshot {
    Snapshot(
      app: nil, generation: generation, computedAt: now.wall, limit: count ?? ledger.ranking.limit,
      shortcuts: top(count: count, at: now.decay), method: commonMethod,
      maxError: ledger.ranking.maxError(ofApp: nil, at: now.decay))
  }

  /// The list over all apps goes by the common half-life, as decays counted in uses of different apps can't be compared.
  private var commonMethod: ListMethod {
    ListMethod(kind: RankingMethod.fixed.rawValue, halfLife: DurationText.print(ledger.ranking.halfLife.nanoseconds))
  }

  /// By what an app's list is ordered.
  func method(ofApp app: UInt32) -> ListMethod {
    let report = ledger.ranking.method(ofApp: app)
    let runnerUp = report.runnerUp.flatMap { decay in report.runnerUpRate.map { (decay.name, $0) } }
    return ListMethod(
      kind: report.kind.rawValue, halfLife: name(of: report.decay, inApp: app), hitRate: report.hitRate,
      runnerUp: runnerUp)
  }

  /// A decay for people.
  func name(of decay: Decay, inApp app: UInt32) -> String {
    decay == .fixed ? DurationText.print(ledger.ranking.fixedHalfLife(ofApp: app).nanoseconds) : decay.name
  }

  private func hits(ofApp app: UInt32) -> ListHits {
    let hits = ledger.ranking.hits(ofApp: app).published
    return ListHits(trials: hits.trials, hits: hits.hits, recentRate: hits.rate)
  }

  /// The list of an app by its id, which may be unknown: then it is empty; or, with nil, that over all apps.
  func snapshot(ofApp id: [UInt8]?, count: Int?, generation: UInt64, at now: Moment) -> Snapshot {
    guard let id else { return topSnapshot(count: count, generation: generation, at: now) }
    if let app = ledger.ranking.findApp(id) {
      return snapshot(ofApp: app, count: count, generation: generation, at: now)
    }
    return Snapshot(
      app: id, generation: generation, computedAt: now.wall, limit: count ?? ledger.ranking.limit, shortcuts: [],
      method: commonMethod)
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
