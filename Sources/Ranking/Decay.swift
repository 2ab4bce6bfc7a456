/// How actions are ranked in apps that have no half-life of their own.
package enum RankingMethod: String, Equatable, Sendable {
  /// By that of several decays whose list has been hit most of late: see ``Decay``.
  case adaptive
  /// By the half-life of the ranking.
  case fixed
}

/// A way in which uses lose their worth, and the list of an app's best actions under it.
package enum Decay: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Half as much after so many uses of the app.
  case use1, uses5, uses20, uses100, uses500
  /// Half as much after so long.
  case hour, day, month
  /// About 1/d for a use that is d uses of the app ago: the use-counted ones together.
  case power
  /// By the half-life of the app or, if that has none, of the ranking.
  case fixed

  /// Those that count uses, and those that an app chooses from.
  static let byUses = allCases[..<5]
  static let adaptive = allCases[..<9]

  /// In what its half-life is counted.
  enum Pace {
    /// Uses of the app.
    case uses(Int64)
    /// Nanoseconds.
    case time(HalfLife)
    /// None has one.
    case mixed
  }

  private static let hourLength: Int64 = 3_600_000_000_000

  var pace: Pace {
    switch self {
    case .use1: .uses(1)
    case .uses5: .uses(5)
    case .uses20: .uses(20)
    case .uses100: .uses(100)
    case .uses500: .uses(500)
    case .hour: .time(HalfLife(nanoseconds: Self.hourLength))
    case .day: .time(HalfLife(nanoseconds: 24 * Self.hourLength))
    case .month: .time(HalfLife(nanoseconds: 720 * Self.hourLength))
    case .power, .fixed: .mixed
    }
  }

  /// What it is called for people.
  package var name: String {
    switch self {
    case .use1: "1 use"
    case .uses5: "5 uses"
    case .uses20: "20 uses"
    case .uses100: "100 uses"
    case .uses500: "500 uses"
    case .hour: "1h"
    case .day: "1d"
    case .month: "30d"
    case .power: "power law of uses"
    case .fixed: "half-life"
    }
  }

  /// What it is called for programs.
  package var identifier: String {
    switch self {
    case .use1: "uses-1"
    case .uses5: "uses-5"
    case .uses20: "uses-20"
    case .uses100: "uses-100"
    case .uses500: "uses-500"
    case .hour: "time-1h"
    case .day: "time-1d"
    case .month: "time-30d"
    case .power: "power"
    case .fixed: "fixed"
    }
  }
}

/// Some of the decays, or the lists under them.
struct DecaySet: OptionSet, Sendable, BitwiseCopyable {
  let rawValue: UInt16

  /// Those whose counters an action has.
  static let counted = DecaySet(rawValue: 0x0FF)
  /// Those counted in uses.
  static let byUses = DecaySet(rawValue: 0x01F)
  /// Those that an app chooses from.
  static let adaptive = DecaySet(rawValue: 0x1FF)
  static let power = DecaySet(rawValue: 0x100)
  static let fixed = DecaySet(rawValue: 0x200)

  init(rawValue: UInt16) { self.rawValue = rawValue }
  @inline(__always)
  init(_ decay: Decay) { rawValue = 1 << UInt16(decay.rawValue) }

  /// The first of them, if there is one.
  @inline(__always)
  var first: Decay? { Decay(rawValue: UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount)) }
}
