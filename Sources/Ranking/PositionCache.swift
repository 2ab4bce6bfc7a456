/// The position of the last time that was asked for: most events of a batch share one.
struct PositionCache {
  private var halfLife = HalfLife(nanoseconds: 1)
  private var time: Int64 = 0
  private var position = HalfLife(nanoseconds: 1).position(of: 0)

  /// The position of a decay time under a half-life.
  @inline(__always)
  mutating func position(of time: Int64, under halfLife: HalfLife) -> DecayPosition {
    if time != self.time || halfLife != self.halfLife {
      position = halfLife.position(of: time)
      (self.time, self.halfLife) = (time, halfLife)
    }
    return position
  }
}
