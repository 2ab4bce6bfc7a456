package import Wire

extension Report {
  /// Writes the members of the report as JSON, with the rows that are wanted in the order in which they took part.
  package func write(to json: inout JSONWriter, rows wanted: (Row) -> Bool = { _ in true }) {
    json.member("users", users)
    json.member("uses", uses)
    json.member("actions", actions)
    json.member("refusedLines", refusedLines)
    json.member("repeats", repeats)
    json.member("bestFixed", bestFixed?.name)
    json.member(
      "rankers",
      array: { json in
        for row in rows where wanted(row) { json.object { write(row, to: &$0) } }
      })
  }

  private func write(_ row: Row, to json: inout JSONWriter) {
    json.member("name", row.name)
    json.member("hit4", row.hit)
    json.member("mrr4", row.reciprocalRank)
    json.member("churn", row.churn)
    json.key("shareOfBest")
    if let share = shareOfBest(row) { json.number(share) } else { json.null() }
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
