/// What an evaluation has found.
package struct Report: Equatable, Sendable {
  /// A share or count by use.
  package struct Figure: Equatable, Sendable {
    /// Of users, each worth the same.
    package let mean: Double
    /// Of uses, each worth the same.
    package let pooled: Double

    /// - Parameter values: for each user the sum over uses, and how many uses these are.
    init(_ values: [(sum: Double, uses: Int)]) {
      let uses = values.reduce(0) { $0 + $1.uses }
      mean = values.isEmpty ? 0 : values.reduce(0) { $0 + $1.sum / Double($1.uses) } / Double(values.count)
      pooled = values.isEmpty ? 0 : values.reduce(0) { $0 + $1.sum } / Double(uses)
    }
  }

  /// How one ranker did.
  package struct Row: Equatable, Sendable {
    /// The ranker's.
    package let name: String
    /// Share of uses whose action was among the best four just before.
    package let hit: Figure
    /// Mean of the reciprocal of that action's place, 0 if it was not among the best four.
    package let reciprocalRank: Figure
    /// Actions that came into the best four, by use.
    package let churn: Figure

    init(name: String, _ users: [UserFigures]) {
      self.name = name
      hit = Figure(users.map { (Double($0.hits), $0.uses) })
      reciprocalRank = Figure(users.map { ($0.reciprocals, $0.uses) })
      churn = Figure(users.map { (Double($0.changes), $0.uses) })
    }
  }

  /// How many users the trace has.
  package let users: Int
  /// All their uses.
  package let uses: Int
  /// Their actions, added up.
  package let actions: Int
  /// Lines of the trace that were refused.
  package let refusedLines: Int
  /// Share of uses whose action was used before: no ranker hits more.
  package let repeats: Figure
  /// In the order of the rankers that took part.
  package let rows: [Row]

  init(trace: Trace, rows: [Row]) {
    users = trace.users.count
    uses = trace.useCount
    actions = trace.users.reduce(0) { $0 + $1.actionCount }
    refusedLines = trace.refusedLines
    repeats = Figure(trace.users.map { (Double($0.uses.count - $0.actionCount), $0.uses.count) })
    self.rows = rows
  }

  /// Of ``Contender/fixedHalfLives`` that took part the one with the most hits, by the mean of users.
  package var bestFixed: Row? {
    let names = Set(Contender.fixedHalfLives.map(\.name))
    return rows.filter { names.contains($0.name) }.max { $0.hit.mean < $1.hit.mean }
  }

  /// A ranker's hits by those of the best fixed half-life, which was chosen in hindsight; nil if that had none.
  package func shareOfBest(_ row: Row) -> Double? {
    guard let best = bestFixed?.hit.mean, best > 0 else { return nil }
    return row.hit.mean / best
  }
}
