import Foundation
import Testing
import TestSupport

@testable import Ranking

struct HalfLifeTests {
  @Test(
    "whole half-lives are rounded down, also before the origin",
    arguments: [
      (0, 0, 1), (1_000, 1, 1), (999, 0, 1.9986), (500, 0, 1.41421), (1_500, 1, 1.41421), (-1, -1, 1.9986),
      (-500, -1, 1.41421), (-1_000, -1, 1), (-1_001, -2, 1.9986), (-1_500, -2, 1.41421),
    ] as [(Int64, Int64, Double)])
  func wholes(time: Int64, whole: Int64, growth: Double) {
    let position = HalfLife(nanoseconds: 1_000).position(of: time)
    #expect(position.whole == whole)
    #expect(abs(position.growth - growth) < 1e-4)
  }

  @Test("a position is the time it was made of, as exactly as a double can say")
  func exactPositions() {
    var random = SeededRandom()
    for _ in 0..<10_000 {
      let halfLife = HalfLife(nanoseconds: random.magnitude(upTo: .max))
      let time = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
      let position = halfLife.position(of: time)
      let rest = log2(Wide(position.growth)) * Wide(halfLife.nanoseconds)
      let (start, overflow) = position.whole.multipliedReportingOverflow(by: halfLife.nanoseconds)
      #expect((1...2).contains(position.growth), "\(halfLife) \(time), seed \(random.seed)")
      guard !overflow else { continue }
      let error = abs(Wide(time) - Wide(start) - rest) / Wide(halfLife.nanoseconds)
      #expect(error < 1e-15, "\(halfLife) \(time), seed \(random.seed)")
    }
  }

  @Test(
    "the ends of time have a position under every half-life",
    arguments: [1, 2, 3, 1_000_000_000, 3_155_760_000_000_000_000, .max] as [Int64])
  func extremes(nanoseconds: Int64) {
    let halfLife = HalfLife(nanoseconds: nanoseconds)
    for time in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
      let position = halfLife.position(of: time)
      #expect((1...2).contains(position.growth))
      let whole = Double(position.whole)
      let difference = abs(whole - Double(time) / Double(nanoseconds))
      #expect(difference <= 1 + abs(whole) * 1e-15)
    }
    #expect(halfLife.position(of: .min).whole < 0 && halfLife.position(of: .max).whole >= 0)
  }

  @Test("later times never have a smaller position")
  func monotonic() {
    var random = SeededRandom()
    for _ in 0..<10_000 {
      let halfLife = HalfLife.random(using: &random)
      let time = Int64.random(in: -100 * year...100 * year, using: &random)
      let (a, b) = (halfLife.position(of: time), halfLife.position(of: time + random.magnitude(upTo: year)))
      #expect(a.whole < b.whole || a.whole == b.whole && a.growth <= b.growth, "seed \(random.seed)")
    }
  }

  @Test(
    "after the time to lose a share, that share is lost",
    arguments: [0.5, 0.01, 0.25, 0.75, 0.999, 1e-6])
  func loss(share: Double) {
    let time = HalfLife.week.time(toLose: share)
    let count = DecayedCount(weight: 1, at: HalfLife.week.position(of: 0))
    #expect(abs(count.score(at: HalfLife.week.position(of: time)) - (1 - share)) < 1e-12)
  }

  @Test("the time to lose nothing is none, and to lose everything is the longest there is")
  func extremeLosses() {
    #expect(HalfLife.week.time(toLose: 0) == 0)
    #expect(HalfLife.week.time(toLose: 0.5) == 7 * day)
    #expect(HalfLife.week.time(toLose: 1) == .max)
    #expect(HalfLife(nanoseconds: .max).time(toLose: 0.9) == .max)
  }
}
