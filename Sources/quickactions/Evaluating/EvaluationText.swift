import Evaluation

/// What an evaluation has found, for people.
struct EvaluationText {
  private let report: Report
  private let options: EvaluationOptions

  init(_ report: Report, _ options: EvaluationOptions) { (self.report, self.options) = (report, options) }

  /// What the trace holds, a table with the ranker of the most hits first, and what others would have done if asked for.
  func lines(colours: Bool) -> [String] {
    var parts = [contents, table.lines(colours: colours)]
    if options.asksWhatIf { parts.append(WhatIf.all(report, options).map(\.sentence)) }
    return Array(parts.joined(separator: [""]))
  }

  private var contents: [String] {
    let refused = report.refusedLines > 0 ? ", \(AmountText.count(report.refusedLines, "refused line"))" : ""
    let best = report.bestFixed.map { "; the best fixed half-life is \($0.name)" } ?? ""
    return [
      "\(AmountText.count(report.users, "user")), \(AmountText.count(report.uses, "use")), "
        + "\(AmountText.count(report.actions, "action"))\(refused)",
      "\(AmountText.percent(report.repeats.mean)) of a user's uses were of an action used before\(best)",
    ]
  }

  private var table: Table {
    var table = Table([
      ("ranker", .left), ("of best", .right), ("hit@4", .right), ("pooled", .right), ("MRR@4", .right),
      ("pooled", .right), ("churn", .right), ("pooled", .right),
    ])
    // By the mean of users; of equal ones the one that took part earlier.
    let shown = report.rows.filter { options.isShown($0.name) }.enumerated()
      .sorted { ($1.element.hit.mean, $0.offset) < ($0.element.hit.mean, $1.offset) }.map(\.element)
    for row in shown {
      let share = report.shareOfBest(row).map { Self.fixed($0, digits: 3) } ?? "–"
      let figures = [row.hit, row.reciprocalRank, row.churn].flatMap { [$0.mean, $0.pooled] }
      table.add(
        [.init(row.name, row.name == EvaluationOptions.daemon ? .bold : nil), .init(share, .cyan)]
          + figures.map { .init(Self.fixed($0, digits: 4)) })
    }
    return table
  }

  /// A number that is not negative, with so many digits after the point.
  private static func fixed(_ value: Double, digits: Int) -> String {
    let unit = (0..<digits).reduce(1) { product, _ in product * 10 }
    let scaled = Int((value * Double(unit)).rounded(.toNearestOrEven))
    let fraction = String(scaled % unit)
    return "\(scaled / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
