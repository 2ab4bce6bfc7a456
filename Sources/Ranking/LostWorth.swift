/// What actions may have lost by being purged: for each decay a bound of what those uses of one action are worth that
/// are not counted any more. (docs/RANKING.md has the proof.)
struct LostWorth: ~Copyable {
  /// Under the half-life of the ranking.
  var common = DecayedCount.zero
  /// Under each of ``Decay/hour``, ``Decay/day`` and ``Decay/month``.
  var timed = InlineArray<3, DecayedCount>(repeating: .zero)
  /// Under the use-counted decays, in an app that is there.
  var ofApps = GrowingBuffer<UseLoss>()
  /// Under the same in any app that is gone: while it is away nobody uses it, so nothing fades.
  var ofGoneApps = SIMD8<Float>.zero
  /// Under the half-life of an app that has one of its own.
  var own: [UInt32: DecayedCount] = [:]
  /// How often actions were purged, and how many.
  var purges: UInt64 = 0
  var purged: UInt64 = 0

  /// The use-counted decays, by lane; those after them are counted by time.
  static let useLanes = 0..<5

  /// Takes note of a new app, or one that is there again: its number is known from an earlier one or is the next.
  mutating func addApp(_ app: UInt32) {
    let loss = UseLoss(values: ofGoneApps)
    if app < ofApps.count { ofApps[app] = loss } else { _ = ofApps.append(loss) }
  }

  /// Takes note that an app is gone, which has had so many uses.
  mutating func removeApp(_ app: UInt32, steps: UInt32) {
    ofGoneApps = pointwiseMax(ofGoneApps, ofApps[app].values(atStep: steps))
    own[app] = nil
  }
}

/// A bound under the use-counted decays, in the first lanes, as of a step of its app.
struct UseLoss: BitwiseCopyable {
  private var fast: SIMD4<Float>
  private var slow: Float
  private var step: UInt32

  init(values: SIMD8<Float> = .zero, step: UInt32 = 0) {
    (fast, slow, self.step) = (values.lowHalf, values[4], step)
  }

  private var values: SIMD8<Float> { SIMD8(lowHalf: fast, highHalf: SIMD4(slow, 0, 0, 0)) }

  /// What is left of it once the app has had so many uses.
  func values(atStep steps: UInt32) -> SIMD8<Float> {
    values == .zero ? .zero : values * Fading.factors(uses: steps &- step)
  }

  /// Adds what is lost once the app has had so many uses, and a little for the rounding of it.
  mutating func add(_ lost: SIMD8<Float>, atStep steps: UInt32) {
    self = UseLoss(values: values(atStep: steps) + lost * (1 + 0x1p-20), step: steps)
  }
}

extension InlineArray where Element == DecayedCount {
  /// Takes the greater of each two.
  mutating func raise(_ place: Int, to count: DecayedCount) {
    if count.isGreater(than: self[place]) { self[place] = count }
  }
}
