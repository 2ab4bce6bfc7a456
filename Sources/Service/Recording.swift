import Ranking

/// Whether uses are recorded.
struct Recording: Equatable {
  /// `[Privacy] Record=`.
  var isAllowed = true
  /// Decay time until which nothing is recorded; `.max` for good, nil if it goes on.
  var pausedUntil: Int64?

  /// The name among the totals of the end of a pause.
  static let total = "pausedUntilDecay"

  /// - Parameter stored: the value among the totals.
  init(stored: UInt64?) {
    // 0 stands for no pause, as totals hold whole numbers only; decay time is never negative.
    if let stored, stored > 0 { pausedUntil = Int64(clamping: stored) }
  }

  /// As it is stored.
  var stored: UInt64 { UInt64(clamping: pausedUntil ?? 0) }

  /// Whether a use counts at a decay time.
  @inline(__always)
  func isOn(at time: Int64) -> Bool {
    isAllowed && (pausedUntil.map { time >= $0 } ?? true)
  }
}
