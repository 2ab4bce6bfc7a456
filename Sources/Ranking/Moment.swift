/// One instant, seen by both faces of time.
///
/// Every time in this package is a whole number of nanoseconds in 64 bits (292 years), so that neither a
/// half-life of one second nor one of a hundred years loses precision.
package struct Moment: Equatable, Sendable, BitwiseCopyable {
  /// Decay time: moves with CLOCK_BOOTTIME and never steps. Only differences mean anything.
  package var decay: Int64
  /// Wall time, nanoseconds since 1970: for display, and to turn a client's time into an age.
  package var wall: Int64

  package init(decay: Int64, wall: Int64) {
    self.decay = decay
    self.wall = wall
  }
}

/// When a use happened, as the counters take it.
package struct UseTime: Equatable, Sendable {
  /// The instant of the use on both faces of time.
  package var moment: Moment
  /// Whether the client's time was in the future, or more than ten years back, and so was moved.
  package var wasClamped: Bool
  /// How long before it was reported, nanoseconds, at least 0.
  package var age: Int64 = 0

  /// The oldest age that a use may have: ten years of 365.25 days.
  package static let oldestAge: Int64 = 315_576_000 * 1_000_000_000

  /// The time of a use that is reported at `now` and dated `clientTime` (Unix nanoseconds; nil means now).
  ///
  /// A client's time only ever becomes an age, so a step of the wall clock between two reports of it changes
  /// what the use is worth by no more than the step itself, and changes nothing that was counted before.
  package init(clientTime: Int64?, now: Moment) {
    guard let clientTime else {
      self.moment = now
      self.wasClamped = false
      return
    }
    let age = now.wall.saturatingSubtracting(clientTime)
    let kept = min(max(age, 0), Self.oldestAge)
    self.moment = Moment(
      decay: now.decay.saturatingSubtracting(kept), wall: now.wall.saturatingSubtracting(kept))
    self.wasClamped = kept != age
    self.age = kept
  }
}
