import QuickActionsClient

/// What `watch` shows: a list, how its rows have moved, and whether the daemon is there.
struct WatchView {
  private enum Move { case up, down, entered }

  private struct Key: Hashable {
    let app: AppID?
    let action: ActionID
  }

  private let app: AppID?
  private var rows: [Shortcut] = []
  private var moves: [Key: Move] = [:]
  private var hasList = false
  /// Since when no daemon answers; nil while one does.
  var goneSince: UnixTime?

  /// - Parameter app: whose list; nil for the one over all apps.
  init(app: AppID?) { self.app = app }

  /// Takes a new list. What moved stays marked until the order changes the next time.
  mutating func show(_ shortcuts: [Shortcut]) {
    let (before, after) = (rows.map(Self.key), shortcuts.map(Self.key))
    if hasList, before != after {
      let places = Dictionary(before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      moves = [:]
      for (place, key) in after.enumerated() {
        guard let old = places[key] else {
          moves[key] = .entered
          continue
        }
        if old != place { moves[key] = old > place ? .up : .down }
      }
    }
    rows = shortcuts
    hasList = true
  }

  /// Forgets what moved: a list of another length begins.
  mutating func restart() { (hasList, moves) = (false, [:]) }

  private static func key(_ row: Shortcut) -> Key { Key(app: row.app, action: row.action) }

  /// How many rows of the list fit on a screen.
  static func capacity(rows: Int) -> Int { max(1, rows - frameRows) }

  /// The title, the table's header, an empty line and the footer.
  private static let frameRows = 4
  private static let barColumns = 5...30
  private static let leastTitle = 20

  /// The lines of the screen, at most `size.rows`, none wider than it.
  func lines(_ size: (columns: Int, rows: Int), now: UnixTime, colours: Bool) -> [String] {
    func styled(_ text: String, _ style: Style) -> String {
      let text = DisplayWidth.fit(text, columns: size.columns)
      return colours ? style.apply(text) : text
    }
    let title = styled(VisibleText.of(app.map { "The best of \($0.text)" } ?? "The best of all apps"), .bold)
    let footer =
      if let goneSince {
        styled(
          "The daemon went away \(TimeText.ago(goneSince, now: now)); waiting for it. q quits", .red)
      } else {
        styled("q quits", .faint)
      }
    var table = table(now: now, size.columns).lines(colours: colours)
    if rows.isEmpty { table = [styled(hasList ? "Nothing has been used yet." : "", .faint)] }
    return Array(([title] + table.prefix(max(0, size.rows - 3)) + ["", footer]).suffix(max(size.rows, 1)))
  }

  /// The table: titles are cut to what the other columns leave of the screen, and where that is little bars are shorter.
  private func table(now: UnixTime, _ columns: Int) -> Table {
    let bar = min(max(columns / 5, Self.barColumns.lowerBound), Self.barColumns.upperBound)
    let left = columns - width(of: table(now: now, bar: bar, title: 0)) - 2
    let shorter = max(0, bar - max(0, Self.leastTitle - left))
    return table(now: now, bar: shorter, title: max(1, left + bar - shorter))
  }

  private func width(of table: Table) -> Int {
    // Without the header, whose last column is the title's.
    table.lines(colours: false).dropFirst().map(DisplayWidth.of).max() ?? 0
  }

  private func table(now: UnixTime, bar: Int, title columns: Int) -> Table {
    let best = rows.map(\.score).max() ?? 0
    var table = Table([
      ("#", .right), ("", .left), ("", .left), ("score", .right), ("uses", .right), ("last use", .left),
      ("title", .left),
    ])
    for row in rows {
      let mark = mark(of: row)
      let title = VisibleText.of(row.localizedTitle ?? row.action.text)
      table.add([
        .init("\(row.rank)", .bold), .init(mark.text, mark.style), .init(Self.bar(row.score, of: best, bar), .cyan),
        .init(AmountText.score(row.score)), .init("\(row.uses)"), .init(TimeText.ago(row.lastUsed, now: now)),
        .init(DisplayWidth.fit(title, columns: columns)),
      ])
    }
    return table
  }

  private func mark(of row: Shortcut) -> (text: String, style: Style) {
    switch moves[Self.key(row)] {
    case .up: ("↑", .green)
    case .down: ("↓", .red)
    case .entered: ("+", .green)
    case nil: (" ", .faint)
    }
  }

  /// A bar in eighths of a column.
  static func bar(_ score: Double, of best: Double, _ columns: Int) -> String {
    guard best > 0, score > 0, columns > 0 else { return "" }
    let eighths = max(1, Int((score / best * Double(columns) * 8).rounded()))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
