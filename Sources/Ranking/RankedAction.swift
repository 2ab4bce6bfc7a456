/// One row of a ranking.
package struct RankedAction: Equatable, Sendable {
  /// The action's number, below ``ActionRanking/actionSlots``.
  package let number: UInt32
  /// The app's id.
  package let app: [UInt8]
  /// The action's id, `TYPE` or `TYPE#TARGET`.
  package let id: [UInt8]
  /// What its uses are worth at the moment asked for: finite, never negative.
  package let score: Double
  /// How many uses were counted.
  package let uses: UInt64
  /// Wall time of the latest use, Unix nanoseconds; nil if it was never used.
  package let lastUsed: Int64?

  package init(number: UInt32, app: [UInt8], id: [UInt8], score: Double, uses: UInt64, lastUsed: Int64?) {
    self.number = number
    self.app = app
    self.id = id
    self.score = score
    self.uses = uses
    self.lastUsed = lastUsed
  }
}
