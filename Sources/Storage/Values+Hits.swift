import Ranking

/// Everything stored of one app. Counts are stored up to 2^63 − 1.
package struct AppRow: Equatable, Sendable {
  package var app: [UInt8]
  /// What the ranking keeps of it, in a form that only the ranking knows; one that is longer than ``longestState`` is
  /// stored as an empty one.
  package var state: [UInt8]
  /// Uses that were held against what was published.
  package var trials: UInt64
  /// Of these: uses of what was published.
  package var hits: UInt64
  /// Places in which what is published has changed.
  package var changes: UInt64
  /// The part of the latest trials that were hits, 0 to 1; nil if it is not known.
  package var hitRate: Double?

  /// Bytes.
  package static let longestState = 4_096

  package init(app: [UInt8], state: [UInt8], trials: UInt64, hits: UInt64, changes: UInt64, hitRate: Double?) {
    self.app = app
    self.state = state
    self.trials = trials
    self.hits = hits
    self.changes = changes
    self.hitRate = hitRate
  }
}

/// How the uses of one app in one day compare with what was published. Counts are stored up to 2^63 − 1.
package struct DailyHitsRow: Equatable, Sendable {
  /// Whole days since 1970, UTC.
  package var day: Int64
  /// The app's id; empty where several are added up.
  package var app: [UInt8]
  /// Uses that were held against what was published.
  package var trials: UInt64
  /// Of these: uses of what was published.
  package var hits: UInt64
  /// Places in which what is published has changed.
  package var changes: UInt64

  package init(day: Int64, app: [UInt8], trials: UInt64, hits: UInt64, changes: UInt64) {
    self.day = day
    self.app = app
    self.trials = trials
    self.hits = hits
    self.changes = changes
  }
}
