import Ranking

/// The hour by which the history of hourly counts is cut off at its far end.
///
/// It follows the wall clock back at once and forward only as fast as decay time goes, so that no clock that jumps
/// ahead by years takes the history with it; where it lags, more is kept, bounded by the number of rows.
struct HistoryHour: Equatable {
  /// Its name among the totals: the believed wall time, nanoseconds.
  static let total = "inForce.historyTime"

  /// Wall time that is believed for this purpose, and the decay time at which that was.
  private(set) var wall: Int64
  private var decay: Int64

  /// - Parameter wall: what was believed at the moment before; nil to begin with the clock as it is.
  init(wall: Int64?, at moment: Moment) {
    self.wall = min(wall ?? moment.wall, moment.wall)
    decay = moment.decay
  }

  /// Goes on to another moment.
  mutating func advance(to moment: Moment) {
    wall = min(moment.wall, wall.saturatingAdding(max(0, moment.decay.saturatingSubtracting(decay))))
    decay = moment.decay
  }

  /// Whole hours since 1970.
  var number: Int64 { max(0, wall) / UseHour.length }
}
