/// The counts of an action that the lists of its app go by, and where it stands.
struct ActionCounters: BitwiseCopyable {
  private var fast = SIMD4<Float>.zero
  private var slow = SIMD4<Float>.zero
  /// How many uses its app had had before its latest one.
  var step: UInt32 = 0
  /// The lists in the lowest ten bits, five for the place, and one for whether it is published.
  private var marks: UInt16 = 0

  private static let listMask: UInt16 = 0x3FF
  private static let placeShift: UInt16 = 10
  private static let publishedMask: UInt16 = 0x8000

  /// What its uses are worth under each of ``DecaySet/counted``, as of its latest use.
  var values: SIMD8<Float> {
    @inline(__always) get { SIMD8(lowHalf: fast, highHalf: slow) }
    @inline(__always) set { (fast, slow) = (newValue.lowHalf, newValue.highHalf) }
  }

  /// The lists that it stands in.
  var lists: DecaySet {
    @inline(__always) get { DecaySet(rawValue: marks & Self.listMask) }
    @inline(__always) set { marks = marks & ~Self.listMask | newValue.rawValue & Self.listMask }
  }

  /// Its place among those that are shown, from 1 on; 0 for none.
  var place: UInt8 {
    @inline(__always) get { UInt8(truncatingIfNeeded: marks &>> Self.placeShift & 31) }
    set { marks = marks & ~(31 << Self.placeShift) | UInt16(newValue & 31) << Self.placeShift }
  }

  /// Whether it is among those that are published of its app.
  var isPublished: Bool {
    @inline(__always) get { marks & Self.publishedMask != 0 }
    set { marks = newValue ? marks | Self.publishedMask : marks & ~Self.publishedMask }
  }

  @inline(__always)
  private static var timed: SIMDMask<SIMD8<Int32>> { SIMD8<Int32>(0, 0, 0, 0, 0, 1, 1, 1) .!= 0 }

  /// Adds uses.
  ///
  /// - Parameters:
  ///   - step: how many uses the app has had.
  ///   - factors: what is left of counts that lie as far apart as the latest use and these.
  ///   - isLatest: whether they are; else the latest use stays the latest.
  @inline(__always)
  mutating func add(_ uses: Float, step: UInt32, factors: SIMD8<Float>, isLatest: Bool) {
    if isLatest { return add(SIMD8(repeating: uses), step: step, factors: factors) }
    addEarlier(uses, factors)
    self.step = step
  }

  /// Adds what uses are worth that belong to the latest of its app, at the moment of the last of those.
  ///
  /// - Parameters:
  ///   - worth: theirs under each decay.
  ///   - step: how many uses the app had had before its latest one.
  ///   - factors: what is left of counts that lie as far apart as this one's latest use and that.
  @inline(__always)
  mutating func add(_ worth: SIMD8<Float>, step: UInt32, factors: SIMD8<Float>) {
    values = values * factors + worth
    self.step = step
  }

  private mutating func addEarlier(_ uses: Float, _ factors: SIMD8<Float>) {
    let worth = SIMD8<Float>(repeating: 1).replacing(with: factors, where: Self.timed)
    values = values * factors.replacing(with: 1, where: Self.timed) + worth * uses
  }

  /// Adds what another has that counts in the same app.
  ///
  /// - Parameters:
  ///   - steps: how many uses the app has had.
  ///   - otherSteps: how many the other's had had when its `step` was noted.
  ///   - nanoseconds: how long after this one's latest use the other's was; negative if before.
  mutating func merge(
    _ other: ActionCounters, steps: UInt32, otherSteps: UInt32, after nanoseconds: Int64,
    fading: borrowing FadingTable
  ) {
    let (age, otherAge) = (steps &- step, otherSteps &- other.step)
    let kept = values == .zero ? otherAge : other.values == .zero ? age : min(age, otherAge)
    let isLater = nanoseconds >= 0
    values =
      values * fading.factors(uses: age &- kept, nanoseconds: isLater ? nanoseconds.magnitude : 0)
      + other.values * fading.factors(uses: otherAge &- kept, nanoseconds: isLater ? 0 : nanoseconds.magnitude)
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
    step = 0
  }
}
