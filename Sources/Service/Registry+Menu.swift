import Ranking
import Snapshots

// What an app offers.
extension Registry {
  /// The lists of one app at a moment.
  struct Menu {
    /// How many shortcuts it shows at most.
    var limit: Int
    /// The static actions, then the pinned ones, then the best of the others.
    var shortcuts: [Shortcut]
    /// The same without the static ones.
    var dynamic: [Shortcut]
  }

  /// What an app offers: the static actions in declared order, the pinned ones in the order of pinning, and then the
  /// dynamic ones by score; each once.
  ///
  /// An app that is blocked offers nothing.
  ///
  /// - Parameters:
  ///   - count: how many rows at most; nil for the app's limit.
  /// - Complexity: O(limit); with a `count` beyond the limit O(actions).
  func menu(ofApp app: UInt32, count: Int? = nil, at time: Int64) -> Menu {
    let limit = ledger.ranking.limit(ofApp: app)
    let count = count ?? limit
    let entry = apps[app]
    if entry?.choice.blockedAt != nil { return Menu(limit: limit, shortcuts: [], dynamic: []) }
    let statics = (entry?.statics ?? []).filter { entries[$0].map(isShown) ?? false }
    let pinned = (entry?.pinned ?? []).filter { entries[$0].map { isShown($0) && !$0.isStatic } ?? false }
    let first = pinned.map { ledger.ranking.row($0, at: time) }
    let isPinned = Set(pinned)
    let ranked =
      count <= limit ? ledger.ranking.ranking(ofApp: app, at: time) : ledger.ranking.best(count, ofApp: app, at: time)
    let dynamic = (first + ranked.filter { !isPinned.contains($0.number) }).map(shortcut).prefix(count)
    let shortcuts = statics.map { shortcut(ledger.ranking.row($0, at: time)) } + dynamic
    return Menu(limit: limit, shortcuts: Array(shortcuts.prefix(count)), dynamic: Array(dynamic))
  }

  /// The best actions over all apps.
  func top(count: Int? = nil, at time: Int64) -> [Shortcut] {
    let count = count ?? ledger.ranking.limit
    let ranked =
      count <= ledger.ranking.limit
      ? Array(ledger.ranking.ranking(at: time).prefix(count)) : ledger.ranking.best(count, ofApp: nil, at: time)
    return ranked.map(shortcut)
  }

  /// Whether an action may stand in a list at all.
  func isShown(_ entry: Entry) -> Bool {
    entry.choice.blockedAt == nil && entry.isEnabled && (entry.definition != nil || !onlyDefined)
  }

  private func shortcut(_ action: RankedAction) -> Shortcut {
    let entry = entries[action.number]
    return Shortcut(
      action: action, isStatic: entry?.isStatic ?? false, definition: entry?.definition)
  }
}
