/// What is left of counts, for all half-lives of ``Decay`` at once: lanes 0…4 count uses, 5…7 time.
enum Fading {
  // Constants, not stored properties: those are looked up at each use.
  /// Half-lives a use.
  @inline(__always)
  private static var usePace: SIMD8<Float> { SIMD8(1, 1 / 5, 1 / 20, 1 / 100, 1 / 500, 0, 0, 0) }

  /// Half-lives a second, of lanes 4…7.
  @inline(__always)
  private static var timePace: SIMD4<Float> { SIMD4(0, 1 / 3_600, 1 / 86_400, 1 / 2_592_000) }

  /// What is left after so many uses of the app: at least 0 and at most 1.
  static func factors(uses: UInt32) -> SIMD8<Float> {
    let pace = usePace * Float(uses)
    return SIMD8(lowHalf: exp2(-pace.lowHalf), highHalf: exp2(-pace.highHalf))
  }

  /// What is left after so many nanoseconds, of lanes 4…7.
  @inline(__always)
  static func factors(nanoseconds: UInt64) -> SIMD4<Float> { exp2(-(timePace * (Float(nanoseconds) * 1e-9))) }

  /// What counts are worth under the power law once so much is left of them: each use-counted decay weighs the
  /// reciprocal of its half-life.
  @inline(__always)
  static func power(_ values: SIMD8<Float>, _ factors: SIMD8<Float>) -> Float {
    let worth = values * (factors * usePace)
    return (worth[0] + worth[1]) + (worth[2] + worth[3]) + worth[4]
  }

  /// 2 to the power of numbers from 0 down, to 2⁻²³ of the result and exact for whole ones; 0 below −126.
  ///
  /// The C library's function is slower by far, and may differ from one machine to the next.
  @inline(__always)
  private static func exp2(_ x: SIMD4<Float>) -> SIMD4<Float> {
    // Adding this rounds to a whole number, which then stands in the last bits.
    let shift: Float = 12_582_912
    let isGone = x .< -126
    let shifted = x.replacing(with: 0, where: isGone) + shift
    let whole = shifted - shift
    let f = x.replacing(with: 0, where: isGone) - whole
    // The series of e^(f·ln 2), f from −½ to ½.
    var sum = f * 1.540_353_0e-4 + 1.333_355_8e-3
    sum = sum * f + 9.618_129e-3
    sum = sum * f + 5.550_411e-2
    sum = sum * f + 0.240_226_51
    sum = sum * f + 0.693_147_2
    sum = sum * f + 1
    let exponents = unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self) &<< 23
    let result = unsafe unsafeBitCast(
      unsafeBitCast(sum, to: SIMD4<UInt32>.self) &+ exponents, to: SIMD4<Float>.self)
    return result.replacing(with: 0, where: isGone)
  }
}
