/// What is kept of an action beside its record: the counts that lists go by, and where it stands. One cache line.
struct ActionCounters: BitwiseCopyable {
  /// What its uses are worth under each of ``DecaySet/counted``, as of its latest use.
  var values = SIMD8<Float>.zero
  /// What they are worth under the half-life of its app; nothing if that has none of its own.
  var ownScore = DecayedCount.zero
  /// How many uses its app had had before its latest one.
  var step: UInt32 = 0
  /// The lists that it stands in.
  var lists: DecaySet = []
  /// The lists of which it is known to be the lowest.
  var lowestOf: DecaySet = []
  /// Its place among those that are shown, from 1 on; 0 for none.
  var place: UInt8 = 0
  /// Whether it is among those that are published of its app.
  var isPublished = false

  @inline(__always)
  private static var timed: SIMDMask<SIMD8<Int32>> { SIMD8<Int32>(0, 0, 0, 0, 0, 1, 1, 1) .!= 0 }

  /// Adds uses.
  ///
  /// - Parameters:
  ///   - step: how many uses the app has had.
  ///   - nanoseconds: how long after the latest use; negative for uses before it, which stays the latest.
  @inline(__always)
  mutating func add(_ uses: Float, step: UInt32, after nanoseconds: Int64) {
    let factors = Fading.factors(uses: step &- self.step, nanoseconds: nanoseconds.magnitude)
    if nanoseconds >= 0 {
      values = values * factors + uses
    } else {
      let worth = SIMD8<Float>(repeating: 1).replacing(with: factors, where: Self.timed)
      values = values * factors.replacing(with: 1, where: Self.timed) + worth * uses
    }
    self.step = step
  }

  /// Adds what another has that counts in the same app.
  ///
  /// - Parameters:
  ///   - steps: how many uses the app has had.
  ///   - otherSteps: how many the other's had had when its `step` was noted.
  ///   - nanoseconds: how long after this one's latest use the other's was; negative if before.
  mutating func merge(_ other: ActionCounters, steps: UInt32, otherSteps: UInt32, after nanoseconds: Int64) {
    let (age, otherAge) = (steps &- step, otherSteps &- other.step)
    let kept = values == .zero ? otherAge : other.values == .zero ? age : min(age, otherAge)
    let isLater = nanoseconds >= 0
    values =
      values * Fading.factors(uses: age &- kept, nanoseconds: isLater ? nanoseconds.magnitude : 0)
      + other.values * Fading.factors(uses: otherAge &- kept, nanoseconds: isLater ? 0 : nanoseconds.magnitude)
    step = steps &- kept
  }

  /// Gives it counts that are worth `now` under the use-counted decays, once an app has had so many uses, and `then`
  /// under the others at the time of its latest use.
  mutating func start(now: Float, then: Float, steps: UInt32) {
    values = SIMD8(repeating: then).replacing(with: now, where: .!Self.timed)
    step = steps &- 1
  }

  /// Makes it one that was never used, wherever it stands.
  mutating func clearCounts() {
    values = .zero
    ownScore = .zero
    step = 0
  }
}
