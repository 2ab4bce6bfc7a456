package import Ranking

/// One ranked list as it is published: of one app, or over all apps.
package struct Snapshot: Equatable, Sendable {
  /// The app's id; nil for the list over all apps.
  package var app: [UInt8]?
  /// Counts the rounds of writing in which some file changed; the same for all files of a round.
  package var generation: UInt64
  /// Wall time at which the scores hold, Unix nanoseconds.
  package var computedAt: Int64
  /// The most entries that the list may have.
  package var limit: Int
  /// The entries, best first.
  package var shortcuts: [RankedAction]

  package init(app: [UInt8]?, generation: UInt64, computedAt: Int64, limit: Int, shortcuts: [RankedAction]) {
    self.app = app
    self.generation = generation
    self.computedAt = computedAt
    self.limit = limit
    self.shortcuts = shortcuts
  }
}
