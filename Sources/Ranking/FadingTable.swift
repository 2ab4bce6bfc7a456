/// ``Fading`` with what is left after some uses of an app looked up, not computed. 32 KiB, of which little is hot.
@safe
struct FadingTable: ~Copyable {
  /// So many uses are looked up, and so many times as many.
  @inline(__always)
  static var size: UInt32 { 512 }
  let few: UnsafePointer<SIMD8<Float>>
  private let many: UnsafePointer<SIMD8<Float>>

  init() {
    unsafe few = Self.table { $0 }
    unsafe many = Self.table { $0 * Self.size }
  }

  private static func table(_ uses: (UInt32) -> UInt32) -> UnsafePointer<SIMD8<Float>> {
    let table = UnsafeMutablePointer<SIMD8<Float>>.allocate(capacity: Int(size))
    for index in 0..<size { unsafe (table + Int(index)).initialize(to: Fading.factors(uses: uses(index))) }
    return unsafe UnsafePointer(table)
  }

  deinit {
    unsafe few.deallocate()
    unsafe many.deallocate()
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
