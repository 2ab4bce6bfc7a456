import Foundation
import Ranking
import TestSupport

extension SeededRandom {
  /// A number of which every magnitude is as likely, from 1 on.
  mutating func magnitude(upTo limit: Int64) -> Int64 {
    let value = exp2(Double.random(in: 0...log2(Double(limit)), using: &self))
    return min(Int64(exactly: value.rounded(.down)) ?? limit, limit)
  }

  /// Whether one of `count` equal chances came true.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

let second: Int64 = 1_000_000_000
let hour: Int64 = 3_600 * second
let day: Int64 = 86_400 * second
/// 365.25 days.
let year: Int64 = 31_557_600 * second

/// Wall time of 2026-11-30T12:00:00Z.
let today: Int64 = 1_796_040_000 * second

extension HalfLife {
  static let second = HalfLife(nanoseconds: 1_000_000_000)
  static let week = HalfLife(nanoseconds: 7 * day)

  /// From one second to a hundred years, every magnitude as likely.
  static func random(using random: inout SeededRandom) -> HalfLife {
    HalfLife(nanoseconds: max(1_000_000_000, random.magnitude(upTo: 100 * year)))
  }
}

/// The widest binary floating point there is.
#if arch(x86_64)
  typealias Wide = Float80
#else
  typealias Wide = Double
#endif

/// Uses and their worth, straight from the definition.
struct DirectSum {
  var uses: [(weight: Double, time: Int64)] = []

  /// The sum of `weight · 2^((time − now)/H)`.
  func score(at now: Int64, _ halfLife: HalfLife) -> Wide {
    uses.reduce(0) { sum, use in
      let (whole, rest) = (use.time - now).quotientAndRemainder(dividingBy: halfLife.nanoseconds)
      let growth = exp2(Wide(rest) / Wide(halfLife.nanoseconds))
      return sum + Wide(use.weight) * Wide(sign: .plus, exponent: Int(max(whole, -20_000)), significand: growth)
    }
  }

  /// The latest of all times, or nil without any use.
  var latest: Int64? { uses.map(\.time).max() }
}

/// How far `value` is from `expected`, as a share of the latter.
func relativeError(_ value: Double, _ expected: Wide) -> Double {
  Double(abs(Wide(value) - expected) / expected)
}
