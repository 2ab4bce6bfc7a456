/// What an action has to be worth at least to lead the lowest of each list of counted decays that is full; nothing where
/// that is not known. The lowest of a list only ever rises, so what was true once does as a bound, if it fades as counts
/// do.
struct ListBars: BitwiseCopyable {
  private var fast = SIMD4<Float>.zero
  private var slow = SIMD4<Float>.zero
  /// The decay time that those of time-counted decays are as of: not before any use of the app.
  private var time = Int64.min

  /// Bounds are so much too low each time that rounding does not matter.
  @inline(__always)
  private static var caution: Float { 1 - 0x1p-20 }

  /// Fades at so many uses of the app.
  @inline(__always)
  mutating func fade(by uses: UInt32, in fading: borrowing FadingTable) {
    let factors = fading.factors(uses: uses) * Self.caution
    fast *= factors.lowHalf
    slow *= factors.highHalf
  }

  /// Fades until a decay time, if that is later.
  @inline(__always)
  mutating func fade(until time: Int64) {
    if time <= self.time { return }
    let nanoseconds = time.saturatingSubtracting(self.time)
    self.time = time
    slow *= Fading.factors(nanoseconds: nanoseconds.magnitude) * Self.caution
  }

  /// Knows how much the lowest of a list is worth by now, and by what margin that is to be led.
  @inline(__always)
  mutating func set(_ decay: Decay, lowest: Float, margin: Double) {
    let bar = lowest * Float(1 + margin) * (1 - 0x1p-12)
    switch decay {
    case .use1: fast[0] = bar
    case .uses5: fast[1] = bar
    case .uses20: fast[2] = bar
    case .uses100: fast[3] = bar
    case .uses500: slow[0] = bar
    case .hour: slow[1] = bar
    case .day: slow[2] = bar
    case .month: slow[3] = bar
    case .power, .fixed: break
    }
  }

  /// What is left by now of what was counted until a decay time.
  func fading(_ lane: Int, since time: Int64) -> Float {
    Fading.factors(nanoseconds: self.time.saturatingSubtracting(time).magnitude)[lane - 4]
  }

  /// The lists whose lowest may be led by counts that are worth so much by now, or less.
  @inline(__always)
  func lists(openTo values: SIMD8<Float>) -> DecaySet {
    let bits = Self.signs(fast - values.lowHalf) | Self.signs(slow - values.highHalf) << 4
    return DecaySet(rawValue: UInt16(truncatingIfNeeded: bits))
  }

  /// A bit for each lane that is negative.
  @inline(__always)
  private static func signs(_ lanes: SIMD4<Float>) -> UInt32 {
    let bits = unsafe unsafeBitCast(lanes, to: SIMD4<UInt32>.self) &>> 31
    return bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3
  }
}
