import Catalogue
import KeyFiles
import Ranking
import Snapshots
import Wire

/// Why an action stands where it stands: the answer to `explain`.
struct Explanation {
  private let registry: Registry
  private let number: UInt32
  private let now: Moment
  private let name: (app: [UInt8], id: [UInt8])
  private let entry: Registry.Entry?
  private let app: Registry.AppEntry?
  private let report: ActionReport
  private let menu: Registry.Menu

  /// Looks at a known action.
  ///
  /// - Complexity: O(actions).
  init(_ number: UInt32, _ registry: Registry, at now: Moment) {
    self.registry = registry
    self.number = number
    self.now = now
    registry.ledger.ranking.refreshLists()
    name = registry.ledger.ranking.name(number)
    entry = registry.entries[number]
    report = registry.ledger.ranking.report(number, at: now.decay)
    app = registry.apps[report.app]
    menu = registry.menu(ofApp: report.app, at: now.decay)
  }

  /// Why an action stands in no list.
  private enum Absence: String { case outranked, blocked, disabled, undefined, neverUsed }

  private var rank: Int? { menu.shortcuts.firstIndex { $0.action.number == number }.map { $0 + 1 } }

  private var absence: Absence? {
    if rank != nil { return nil }
    if entry?.choice.blockedAt != nil { return .blocked }
    if app?.choice.blockedAt != nil { return .blocked }
    if entry?.isEnabled == false { return .disabled }
    if registry.onlyDefined, entry?.definition == nil { return .undefined }
    return report.uses == 0 && entry?.definition == nil ? .neverUsed : .outranked
  }

  private var defined: String? {
    guard let entry else { return nil }
    if entry.isStatic { return "static" }
    return entry.registered != nil ? "registered" : entry.declared != nil ? "catalogue" : nil
  }

  private static func time(_ wall: Int64?) -> String? {
    wall.map { RFC3339.string(nanoseconds: $0, fractionDigits: 0) }
  }

  /// Writes the members of the reply.
  func write(to json: inout JSONWriter) {
    json.member("app", utf8: name.app)
    json.member("action", utf8: name.id)
    json.member("kind", entry?.isStatic == true ? "static" : "dynamic")
    json.member("localizedTitle", entry?.definition?.localizedTitle)
    json.member("defined", defined)
    json.member("enabled", entry?.isEnabled ?? true)
    json.member("disabledSince", Self.time(entry?.choice.disabledAt))
    json.member("blockedSince", Self.time(entry?.choice.blockedAt ?? app?.choice.blockedAt))
    json.member("pinnedSince", Self.time(entry?.choice.pinnedAt))
    json.member("uses", report.uses)
    json.member("firstUsed", Self.time(report.firstUsed))
    json.member("lastUsed", Self.time(report.lastUse?.wall))
    json.member("score", number: report.score)
    let halfLife = registry.ledger.ranking.listHalfLife(ofApp: report.app)
    let method = registry.method(ofApp: report.app)
    json.member("halfLife", method.halfLife)
    json.member("halfLifeOfApp", registry.ledger.ranking.hasOwnHalfLife(app: report.app))
    json.member("method", object: method.write)
    if let lastUse = report.lastUse {
      let age = max(0, now.decay.saturatingSubtracting(lastUse.decay))
      json.member("sinceLastUse", age / 1_000_000_000)
      // Where a half-life is counted in uses, time makes no difference.
      if let halfLife {
        json.member("weightOfLastUse", number: halfLife.weight(ofAge: age))
      } else {
        json.memberNull("weightOfLastUse")
      }
    } else {
      json.memberNull("sinceLastUse")
      json.memberNull("weightOfLastUse")
    }
    if let rank { json.member("rank", rank) } else { json.memberNull("rank") }
    json.member("limit", menu.limit)
    json.member("place", object: writePlace)
    json.member("absent", absence?.rawValue)
    let effect = registry.ledger.ranking.marginEffect(on: number)
    for (name, other) in [("heldAgainst", effect.heldBy), ("keptOutBy", effect.keptOutBy)] {
      if let other { json.member(name, utf8: registry.ledger.ranking.name(other).id) } else { json.memberNull(name) }
    }
  }

  private func writePlace(to json: inout JSONWriter) {
    let place = registry.ledger.ranking.place(of: number)
    if let place { json.member("dynamic", place.place) } else { json.memberNull("dynamic") }
    json.member("of", place?.count ?? 0)
    json.member("statics", menu.shortcuts.count { $0.isStatic })
    json.member("pinned", app?.pinned.count { registry.entries[$0].map(registry.isShown) ?? false } ?? 0)
    guard let place, let ahead = place.ahead else { return json.memberNull("ahead") }
    json.member(
      "ahead",
      object: { json in
        let other = registry.ledger.ranking.name(ahead)
        json.member("action", utf8: other.id)
        json.member("score", number: registry.ledger.ranking.report(ahead, at: now.decay).score)
        json.member("by", registry.ledger.ranking.rule(between: ahead, and: number, ofApp: report.app).rawValue)
      })
  }
}
