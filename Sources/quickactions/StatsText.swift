import QuickActionsClient

/// How good and how calm lists were, for people.
struct StatsText {
  private let found: UseStatistics

  private static let barColumns = 20

  init(_ found: UseStatistics) { self.found = found }

  /// What is said where there is nothing to show.
  static let nothing = "nothing was used yet while a list was published"

  /// Whether no use was ever looked for in a published list.
  var isEmpty: Bool { found.total.trials == 0 }

  /// The figures, what decides in a sentence, and then days and apps by themselves; nothing if there are no figures.
  func lines(colours: Bool) -> [String] {
    if isEmpty { return [] }
    var parts = [summary.lines(colours: colours)]
    if let method = found.method { parts.append([VisibleText.of(Self.sentence(method))]) }
    if !found.days.isEmpty { parts.append(days.lines(colours: colours)) }
    if !found.apps.isEmpty { parts.append(apps.lines(colours: colours)) }
    return Array(parts.joined(separator: [""]))
  }

  private var summary: Table {
    var table = Table([("", .left), ("", .right), ("", .left)])
    func add(_ name: String, _ figure: String, _ words: String) {
      table.add([.init(name, .bold), .init(figure, .cyan), .init(words)])
    }
    add("on the menu", AmountText.percent(found.total.hitRate), Self.share(found.total))
    add("recently", AmountText.percent(found.recentHitRate), "where a use counts half after 200 others")
    if let today = found.today { add("today", AmountText.percent(today.tally.hitRate), Self.share(today.tally)) }
    add(
      "changes a day", found.changesPerDay.map { AmountText.score($0) } ?? "–",
      AmountText.count(found.total.changes, "place") + " changed in all")
    if let share = found.shareOfBest, let best = found.bestInHindsight {
      add("of the best", AmountText.percent(share), "of the hits that the best list in hindsight had, that of \(best)")
    }
    return table
  }

  private static func share(_ tally: UseStatistics.Tally) -> String {
    "\(tally.hits) of \(AmountText.count(tally.trials, "use"))"
  }

  /// Which list is in force, and why.
  private static func sentence(_ method: UseStatistics.Method) -> String {
    let isHalfLife = method.halfLife.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    let list = "In force is the list by \(isHalfLife ? "a half-life of " : "the ")\(method.halfLife)"
    switch method.kind {
    case .adaptive:
      guard let rate = method.hitRate else { return "\(list), with which every app begins." }
      return
        "\(list), as it had \(AmountText.percent(rate)) of the latest uses, and no other list had over one use more."
    case .fixed: return "\(list), which is fixed by the settings or for this app."
    case nil: return "\(list)."
    }
  }

  private var days: Table {
    var table = Table([
      ("day", .left), ("uses", .right), ("on the menu", .right), ("", .left), ("changes", .right),
    ])
    for day in found.days {
      table.add([
        .init(day.day), .init("\(day.tally.trials)"), .init(AmountText.percent(day.tally.hitRate)),
        .init(WatchView.bar(day.tally.hitRate ?? 0, of: 1, Self.barColumns), .cyan), .init("\(day.tally.changes)"),
      ])
    }
    return table
  }

  private var apps: Table {
    var table = Table([("app", .left), ("uses", .right), ("on the menu", .right), ("changes", .right)])
    for app in found.apps {
      table.add([
        .init(app.app.text, .bold), .init("\(app.tally.trials)"), .init(AmountText.percent(app.tally.hitRate)),
        .init("\(app.tally.changes)"),
      ])
    }
    return table
  }
}
