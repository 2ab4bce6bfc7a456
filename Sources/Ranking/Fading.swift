/// What is left of counts, for all half-lives of ``Decay`` at once: lanes 0…4 count uses, 5…7 time.
enum Fading {
  // Constants, not stored properties: those are looked up at each use.
  /// Half-lives a use.
  @inline(__always)
  private static var usePace: SIMD8<Float> { SIMD8(1, 1 / 5, 1 / 20, 1 / 100, 1 / 500, 0, 0, 0) }

  /// Half-lives a second.
  @inline(__always)
  private static var timePace: SIMD8<Float> { SIMD8(0, 0, 0, 0, 0, 1 / 3_600, 1 / 86_400, 1 / 2_592_000) }

  /// What is left after so many uses of the app, and so many nanoseconds: at least 0 and at most 1.
  @inline(__always)
  static func factors(uses: UInt32, nanoseconds: UInt64) -> SIMD8<Float> {
    let pace = usePace * Float(uses) + timePace * (Float(nanoseconds) * 1e-9)
    return exp2(-pace)
  }

  /// What is left of counts so many uses of the app later, for the power law: each use-counted decay weighs the
  /// reciprocal of its half-life.
  static func powerFactors(uses: UInt32) -> SIMD8<Float> { factors(uses: uses, nanoseconds: 0) * usePace }

  /// What counts are worth under the power law.
  @inline(__always)
  static func power(_ values: SIMD8<Float>, _ powerFactors: SIMD8<Float>) -> Float { sum(values * powerFactors) }

  /// By how many of its own half-lives that fades at the next use of the app, at the most.
  @inline(__always)
  static func powerPace(_ values: SIMD8<Float>, _ powerFactors: SIMD8<Float>, power: Float) -> Float {
    sum(values * powerFactors * usePace) / power
  }

  @inline(__always)
  private static func sum(_ worth: SIMD8<Float>) -> Float {
    (worth[0] + worth[1]) + (worth[2] + worth[3]) + worth[4]
  }

  /// Where a use lies, in half-lives.
  @inline(__always)
  static func positions(uses: Double, nanoseconds: Int64) -> SIMD8<Double> {
    let seconds = Double(nanoseconds) * 1e-9
    return SIMD8(
      uses, uses * (1 / 5), uses * (1 / 20), uses * (1 / 100), uses * (1 / 500), seconds * (1 / 3_600),
      seconds * (1 / 86_400), seconds * (1 / 2_592_000))
  }

  /// What the logarithms to base 2 of counts are at most, by less than a tenth too much; a low number for nothing.
  @inline(__always)
  static func logarithms(_ values: SIMD8<Float>) -> SIMD8<Float> {
    // The bits of a number are the whole part of its logarithm, and for the rest a chord that lies 0.0861 below it.
    let bits = unsafe unsafeBitCast(values, to: SIMD8<Int32>.self)
    return SIMD8<Float>(bits) * (1 / 8_388_608) + (0.0862 - 127)
  }

  /// 2 to the power of numbers from 0 down, to 2⁻²³ of the result and exact for whole ones; 0 below −126.
  ///
  /// The C library's function is slower by far, and may differ from one machine to the next.
  @inline(__always)
  private static func exp2(_ x: SIMD8<Float>) -> SIMD8<Float> {
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
    let exponents = unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &<< 23
    let result = unsafe unsafeBitCast(
      unsafeBitCast(sum, to: SIMD8<UInt32>.self) &+ exponents, to: SIMD8<Float>.self)
    return result.replacing(with: 0, where: isGone)
  }
}
