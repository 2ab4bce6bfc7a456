/// How good the lists of an app were of late and in all: hits by the raw value of each ``Decay``, and in the lane behind
/// them the trials.
struct HitRates: BitwiseCopyable {
  /// What rates keep of themselves at a trial: half after 200 trials.
  @inline(__always)
  static var factor: Float { 0.996_540_26 }
  /// The lane that counts the trials.
  @inline(__always)
  static var trialLane: Int { Decay.allCases.count }

  private var rates = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
  /// Hits and trials that ``takeCounts()`` has not been asked for: a byte for each lane.
  private var counts: (UInt32, UInt32, UInt32) = (0, 0, 0)

  /// Takes note of a trial, and of which lists had a hit.
  ///
  /// - Returns: whether the counts have to be taken before the next trial.
  @inline(__always)
  mutating func note(_ hits: DecaySet, in table: borrowing HitTable) -> Bool {
    let lanes = UInt32(hits.rawValue) | 1 << UInt32(Self.trialLane)
    rates.0 = rates.0 * Self.factor + table[ones: lanes]
    rates.1 = rates.1 * Self.factor + table[ones: lanes &>> 4]
    rates.2 = rates.2 * Self.factor + table[ones: lanes &>> 8]
    counts.0 &+= table[bytes: lanes]
    counts.1 &+= table[bytes: lanes &>> 4]
    counts.2 &+= table[bytes: lanes &>> 8]
    return counts.2 & 0xFF_0000 == 0xFF_0000
  }

  /// The rate of a lane: each hit is worth half as much 200 trials later.
  subscript(lane: Int) -> Float {
    get {
      switch lane >> 2 {
      case 0: rates.0[lane]
      case 1: rates.1[lane & 3]
      default: rates.2[lane & 3]
      }
    }
    set {
      switch lane >> 2 {
      case 0: rates.0[lane] = newValue
      case 1: rates.1[lane & 3] = newValue
      default: rates.2[lane & 3] = newValue
      }
    }
  }

  /// Makes all rates nothing; what was not taken stays.
  mutating func clear() { rates = (.zero, .zero, .zero) }

  /// Hits and trials since this was last asked, at most 255.
  mutating func takeCounts() -> SIMD16<UInt8> {
    defer { counts = (0, 0, 0) }
    return untakenCounts
  }

  var untakenCounts: SIMD16<UInt8> {
    unsafe unsafeBitCast(SIMD4(counts.0, counts.1, counts.2, 0), to: SIMD16<UInt8>.self)
  }
}

/// Ones for the bits of a number from 0 to 15, so that they need not be taken apart at each trial.
@safe
struct HitTable: ~Copyable {
  private let ones: UnsafeMutablePointer<SIMD4<Float>>
  private let bytes: UnsafeMutablePointer<UInt32>

  init() {
    unsafe (ones, bytes) = (.allocate(capacity: 16), .allocate(capacity: 16))
    for bits in 0..<16 {
      let isSet = (0..<4).map { bits >> $0 & 1 }
      unsafe (ones + bits).initialize(to: SIMD4(isSet.map { Float($0) }))
      unsafe (bytes + bits).initialize(to: isSet.enumerated().reduce(0) { $0 | UInt32($1.element << (8 * $1.offset)) })
    }
  }

  deinit {
    unsafe ones.deallocate()
    unsafe bytes.deallocate()
  }

  /// A one in each lane whose bit is set among the last four.
  @inline(__always)
  subscript(ones bits: UInt32) -> SIMD4<Float> { unsafe ones[Int(bits & 15)] }

  /// A one in each byte whose bit is set among the last four.
  @inline(__always)
  subscript(bytes bits: UInt32) -> UInt32 { unsafe bytes[Int(bits & 15)] }
}
