package import Wire

extension Report {
  /// A table for people: the ranker with the most hits first, by the mean of users.
  package var table: String {
    let width = max(6, rows.map(\.name.count).max() ?? 0)
    let sorted = rows.enumerated().sorted { ($1.element.hit.mean, $0.offset) < ($0.element.hit.mean, $1.offset) }
    var lines = [
      "\(Self.count(users, "user")), \(Self.count(uses, "use")), \(Self.count(actions, "action"))"
        + (refusedLines > 0 ? ", \(Self.count(refusedLines, "refused line"))" : ""),
      "of an action used before: \(Self.fixed(repeats.mean)) (users' mean), \(Self.fixed(repeats.pooled)) (all uses)",
      "",
      Self.padded("", width) + "      hit@4           MRR@4           churn",
      Self.padded("ranker", width) + String(repeating: "    mean  pooled", count: 3),
    ]
    for (_, row) in sorted {
      let figures = [row.hit, row.reciprocalRank, row.churn].flatMap { [$0.mean, $0.pooled] }
      lines.append(Self.padded(row.name, width) + figures.map { "  " + Self.fixed($0) }.joined())
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// With four digits after the point.
  private static func fixed(_ value: Double) -> String {
    let scaled = Int((value * 10_000).rounded(.toNearestOrEven))
    let digits = String(scaled % 10_000)
    return "\(scaled / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The report as one JSON object, rankers in the order in which they took part.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("users", users)
      json.member("uses", uses)
      json.member("actions", actions)
      json.member("refusedLines", refusedLines)
      json.member("repeats", repeats)
      json.member(
        "rankers",
        array: { json in
          for row in rows {
            json.object { json in
              json.member("name", row.name)
              json.member("hit4", row.hit)
              json.member("mrr4", row.reciprocalRank)
              json.member("churn", row.churn)
            }
          }
        })
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ figure: Report.Figure) {
    member(
      name,
      object: { json in
        json.member("mean", number: figure.mean)
        json.member("pooled", number: figure.pooled)
      })
  }
}
