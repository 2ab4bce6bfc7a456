/// ``Fading`` with what is left after some uses of an app looked up, not computed. 48 KiB, of which little is hot.
@safe
struct FadingTable: ~Copyable {
  /// So many uses are looked up, and so many times as many.
  @inline(__always)
  static var size: UInt32 { 512 }
  let few: UnsafePointer<SIMD8<Float>>
  private let many: UnsafePointer<SIMD8<Float>>
  private let means: UnsafePointer<SIMD8<Float>>

  init() {
    unsafe few = Self.table { Fading.factors(uses: $0) }
    unsafe many = Self.table { Fading.factors(uses: $0 * Self.size) }
    // In the order in which they add up without cancelling.
    var sum = SIMD8<Float>.zero
    unsafe means = Self.table { uses in
      if uses == 0 { return SIMD8(repeating: 1) }
      sum += Fading.factors(uses: uses - 1)
      return sum / Float(uses)
    }
  }

  private static func table(_ entry: (UInt32) -> SIMD8<Float>) -> UnsafePointer<SIMD8<Float>> {
    let table = UnsafeMutablePointer<SIMD8<Float>>.allocate(capacity: Int(size))
    for index in 0..<size { unsafe (table + Int(index)).initialize(to: entry(index)) }
    return unsafe UnsafePointer(table)
  }

  deinit {
    unsafe few.deallocate()
    unsafe many.deallocate()
    unsafe means.deallocate()
  }

  /// What one of the latest so many uses of an app is worth on average: 1 for those that count time.
  @inline(__always)
  func mean(of uses: UInt32) -> SIMD8<Float> {
    unsafe uses < Self.size ? means[Int(uses)] : meanOfMany(uses)
  }

  @inline(never)
  private func meanOfMany(_ uses: UInt32) -> SIMD8<Float> {
    let factor = unsafe few[1]
    let sums = (1 - factors(uses: uses)) / (1 - factor)
    return (sums / Float(uses)).replacing(with: 1, where: factor .== 1)
  }

  /// What is left of counts so many uses of the app later: at least 0 and at most 1; 1 for those that count time.
  @inline(__always)
  func factors(uses: UInt32) -> SIMD8<Float> {
    let known = unsafe few[Int(uses % Self.size)]
    return uses < Self.size ? known : known * manyFactors(uses)
  }

  /// What is left so many uses and nanoseconds later.
  @inline(__always)
  func factors(uses: UInt32, nanoseconds: UInt64) -> SIMD8<Float> {
    let factors = factors(uses: uses)
    if nanoseconds == 0 { return factors }
    return SIMD8(
      lowHalf: factors.lowHalf, highHalf: factors.highHalf * Fading.factors(nanoseconds: nanoseconds))
  }

  @inline(never)
  private func manyFactors(_ uses: UInt32) -> SIMD8<Float> {
    let times = uses / Self.size
    return unsafe times < Self.size ? many[Int(times)] : Fading.factors(uses: times * Self.size)
  }

  /// The same for one lane that counts uses.
  @inline(never)
  func factor(_ lane: Int, uses: UInt32) -> Float { factors(uses: uses)[lane] }
}
