import Foundation
import Testing
import TestSupport

@testable import Ranking

struct DecayedCountTests {
  /// Random uses out of order, some dated back by up to ten years, and the moment of the last report.
  private static func randomUses(_ count: Int, using random: inout SeededRandom) -> (DirectSum, now: Int64) {
    var sum = DirectSum()
    var now = random.oneIn(2) ? 0 : Int64.random(in: -50 * year...50 * year, using: &random)
    let longestPause = random.magnitude(upTo: year / 10)
    for _ in 0..<count {
      now += Int64.random(in: 0...longestPause, using: &random)
      let age: Int64 = random.oneIn(2) ? 0 : random.magnitude(upTo: 10 * year)
      let weight = random.oneIn(2) ? 1 : Double(random.magnitude(upTo: 1_000_000))
      sum.uses.append((weight, now - age))
    }
    return (sum, now)
  }

  private static func count(_ sum: DirectSum, _ halfLife: HalfLife) -> DecayedCount {
    var count = DecayedCount.zero
    for use in sum.uses { count.add(DecayedCount(weight: use.weight, at: halfLife.position(of: use.time))) }
    return count
  }

  @Test("a score is the direct sum over all uses, at every later moment")
  func directSum() {
    var random = SeededRandom()
    for _ in 0..<400 {
      let halfLife = HalfLife.random(using: &random)
      let (sum, now) = Self.randomUses(Int.random(in: 1...100, using: &random), using: &random)
      let count = Self.count(sum, halfLife)
      for _ in 0..<5 {
        let moment = now + (random.oneIn(5) ? 0 : random.magnitude(upTo: 40 * year))
        let score = count.score(at: halfLife.position(of: moment))
        let expected = sum.score(at: moment, halfLife)
        #expect(score.isFinite && score >= 0, "seed \(random.seed)")
        if expected >= Wide(Double.leastNormalMagnitude) {
          #expect(relativeError(score, expected) < 1e-12, "\(halfLife), \(moment), seed \(random.seed)")
        } else {
          #expect(score <= .leastNormalMagnitude, "\(halfLife), \(moment), seed \(random.seed)")
        }
      }
    }
  }

  @Test("the order of arrival changes a score by rounding only")
  func arrivalOrder() {
    var random = SeededRandom()
    for _ in 0..<200 {
      let halfLife = HalfLife.random(using: &random)
      var (sum, now) = Self.randomUses(60, using: &random)
      let position = halfLife.position(of: now)
      let first = Self.count(sum, halfLife).score(at: position)
      sum.uses.shuffle(using: &random)
      let shuffled = Self.count(sum, halfLife).score(at: position)
      #expect(abs(shuffled - first) <= first * 1e-13, "\(halfLife), seed \(random.seed)")
    }
  }

  @Test("of two counts the one with the greater score is greater, also when both scores have faded to 0")
  func orderAgreesWithScores() {
    var random = SeededRandom()
    var clearlyApart = 0
    for _ in 0..<2_000 {
      let halfLife = HalfLife.random(using: &random)
      let (first, _) = Self.randomUses(Int.random(in: 1...8, using: &random), using: &random)
      let (second, _) = Self.randomUses(Int.random(in: 1...8, using: &random), using: &random)
      let (a, b) = (Self.count(first, halfLife), Self.count(second, halfLife))
      guard let latest = [first.latest, second.latest].compactMap(\.self).max() else { continue }
      // Beyond the range of the sums the latest use decides.
      let (x, y) = (first.score(at: latest, halfLife), second.score(at: latest, halfLife))
      if abs(x - y) <= 1e-12 * max(x, y) || min(x, y) == 0 && max(x, y) == 0 { continue }
      clearlyApart += 1
      #expect(a.isGreater(than: b) == (x > y), "\(halfLife), seed \(random.seed)")
      #expect(b.isGreater(than: a) == (y > x), "\(halfLife), seed \(random.seed)")
      let muchLater = halfLife.position(of: .max)
      #expect((a.score(at: muchLater) >= b.score(at: muchLater)) || y > x, "\(halfLife), seed \(random.seed)")
    }
    #expect(clearlyApart > 1_000)
  }

  /// A half-life of one second keeps landmarks below 2^34.
  @Test("the order is a strict weak one, whatever the values")
  func strictWeakOrder() {
    var random = SeededRandom()
    let values = [
      0, 1, 1.5, 2, 4, .leastNonzeroMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude * 64, 1e6, 1e300,
    ]
    let landmarks: [Int64] = [-1 << 62, -1 << 34, -1074, -2, -1, 0, 1, 2, 1074, 1 << 34, 1 << 62]
    let counts = values.flatMap { value in landmarks.map { DecayedCount(value: value, landmark: $0) } } + [.zero]
    func isEquivalent(_ a: DecayedCount, _ b: DecayedCount) -> Bool { !a.isGreater(than: b) && !b.isGreater(than: a) }
    for a in counts {
      #expect(!a.isGreater(than: a))
      for b in counts { #expect(!(a.isGreater(than: b) && b.isGreater(than: a)), "\(a) \(b)") }
    }
    var isTransitive = true
    for _ in 0..<100_000 {
      guard let a = counts.randomElement(using: &random), let b = counts.randomElement(using: &random),
        let c = counts.randomElement(using: &random)
      else { break }
      if a.isGreater(than: b), b.isGreater(than: c), !a.isGreater(than: c) { isTransitive = false }
      if isEquivalent(a, b), isEquivalent(b, c), !isEquivalent(a, c) { isTransitive = false }
    }
    #expect(isTransitive, "seed \(random.seed)")
  }

  @Test("equal numbers in another form are equal in the order", arguments: [0, 1, 5, 1_000_000] as [Int64])
  func equalForms(shift: Int64) {
    let a = DecayedCount(value: 3, landmark: 7 + shift)
    let b = DecayedCount(value: 6, landmark: 6 + shift)
    #expect(!a.isGreater(than: b) && !b.isGreater(than: a))
    let more = DecayedCount(value: 6.000000000000001, landmark: 6 + shift)
    #expect(more.isGreater(than: a) && !a.isGreater(than: more))
  }

  @Test("with a half-life of one second a count stays exact over a thousand years")
  func thousandYears() {
    var count = DecayedCount.zero
    let years: Int64 = 31_557_600
    for whole in stride(from: Int64(0), through: 1_000 * years, by: Int(years)) {
      count.add(DecayedCount(weight: 1, at: DecayPosition(whole: whole, growth: 1)))
      #expect(count.score(at: DecayPosition(whole: whole, growth: 1)) == 1)
    }
    #expect(count.score(at: DecayPosition(whole: 1_000 * years + 10, growth: 1)) == 1.0 / 1024)
    #expect(count.score(at: DecayPosition(whole: 2_000 * years, growth: 1)) == 0)
    // Years of silence, and then a use counts for one as ever.
    count.add(DecayedCount(weight: 1, at: DecayPosition(whole: 2_000 * years, growth: 1)))
    #expect(count.score(at: DecayPosition(whole: 2_000 * years, growth: 1)) == 1)
  }

  @Test("a steady stream settles at the sum of its geometric series, however long it goes on")
  func steadyStream() {
    var count = DecayedCount.zero
    for whole in Int64(0)..<100_000 {
      count.add(DecayedCount(weight: 1, at: HalfLife.second.position(of: whole * second)))
    }
    #expect(count.score(at: HalfLife.second.position(of: 99_999 * second)) == 2)
  }

  @Test("a burst fades by half in every half-life of silence")
  func silence() {
    let count = DecayedCount(weight: 1_000_000, at: HalfLife.week.position(of: 3 * day))
    for halfLives in Int64(0)...20 {
      let score = count.score(at: HalfLife.week.position(of: 3 * day + halfLives * 7 * day))
      #expect(relativeError(score, Wide(1_000_000) / Wide(1 << halfLives)) < 1e-15)
    }
  }

  @Test("moving a use into the past never raises the score")
  func olderIsLess() {
    var random = SeededRandom()
    for _ in 0..<500 {
      let halfLife = HalfLife.random(using: &random)
      var (sum, now) = Self.randomUses(12, using: &random)
      let position = halfLife.position(of: now)
      let before = Self.count(sum, halfLife)
      let moved = Int.random(in: 0..<12, using: &random)
      let shift = random.magnitude(upTo: 10 * year)
      sum.uses[moved].time -= shift
      let after = Self.count(sum, halfLife)
      #expect(after.score(at: position) <= before.score(at: position) * (1 + 4e-15), "seed \(random.seed)")

      // Alone and by a good part of a half-life it is strictly less.
      let use = sum.uses[moved]
      let older = DecayedCount(weight: use.weight, at: halfLife.position(of: use.time))
      let newer = DecayedCount(weight: use.weight, at: halfLife.position(of: use.time + shift))
      if shift > halfLife.nanoseconds / 1_000_000 { #expect(newer.isGreater(than: older), "seed \(random.seed)") }
      #expect(!older.isGreater(than: newer), "seed \(random.seed)")
    }
  }

  @Test("one fresh use does not give old ones their weight back")
  func noRevival() {
    let (now, lastYear) = (HalfLife.week.position(of: 0), HalfLife.week.position(of: -year))
    var old = DecayedCount(weight: 1_000, at: lastYear)
    old.add(DecayedCount(weight: 1, at: now))
    let five = DecayedCount(weight: 5, at: now)
    #expect(five.isGreater(than: old))
    #expect(abs(old.score(at: now) - 1) < 1e-9)
    #expect(five.score(at: now) == 5)
  }

  @Test("adding nothing changes nothing")
  func zero() {
    let position = HalfLife.week.position(of: 5 * year)
    let some = DecayedCount(weight: 3, at: position)
    for nothing in [DecayedCount.zero, DecayedCount(weight: 0, at: HalfLife.week.position(of: 50 * year))] {
      var sum = some
      sum.add(nothing)
      #expect(sum == some)
      sum = nothing
      sum.add(some)
      #expect(sum == some)
      sum = nothing
      sum.add(.zero)
      #expect(sum.score(at: position) == 0)
      #expect(some.isGreater(than: nothing) && !nothing.isGreater(than: some) && !nothing.isGreater(than: .zero))
      #expect(nothing.rescaled(from: position, to: position) == .zero)
    }
  }

  @Test("a score is finite and not negative at any moment, also long before the use")
  func alwaysFinite() {
    let positions = [Int64.min, -2 * year, -1, 0, 1, 2 * year, .max].map { HalfLife.second.position(of: $0) }
    let extremes = [Int64.min, .max].map { DecayPosition(whole: $0, growth: 2) }
    for use in positions + extremes {
      for weight in [0.0, 1, 4_294_967_295, .greatestFiniteMagnitude / 4] {
        let count = DecayedCount(weight: weight, at: use)
        for moment in positions + extremes {
          let score = count.score(at: moment)
          #expect(score.isFinite && score >= 0, "\(use) \(moment)")
        }
      }
    }
    #expect(DecayedCount(value: 1, landmark: 5_000).score(at: positions[3]) == .greatestFiniteMagnitude)
  }

  @Test("what has faded to a score of 0 keeps its place in the order")
  func fadedOrder() {
    let now = HalfLife.second.position(of: 10 * year)
    let more = DecayedCount(weight: 2, at: HalfLife.second.position(of: 0))
    let less = DecayedCount(weight: 1, at: HalfLife.second.position(of: 0))
    #expect(more.score(at: now) == 0 && less.score(at: now) == 0)
    #expect(more.isGreater(than: less) && !less.isGreater(than: more))
    #expect(less.isGreater(than: .zero))
  }

  @Test("another half-life starts from the scores of that moment and keeps the order")
  func rescaled() {
    var random = SeededRandom()
    for _ in 0..<400 {
      let (old, new) = (HalfLife.random(using: &random), HalfLife.random(using: &random))
      let (first, now) = Self.randomUses(10, using: &random)
      let (second, _) = Self.randomUses(10, using: &random)
      let (from, to) = (old.position(of: now), new.position(of: now))
      let (a, b) = (Self.count(first, old), Self.count(second, old))
      let (x, y) = (a.rescaled(from: from, to: to), b.rescaled(from: from, to: to))
      let score = a.score(at: from)
      #expect(abs(x.score(at: to) - score) <= score * 1e-15 + .leastNonzeroMagnitude, "seed \(random.seed)")
      #expect(!a.isGreater(than: b) || !y.isGreater(than: x), "seed \(random.seed)")
      // From then on it fades at the new pace.
      let later = x.score(at: new.position(of: now + new.nanoseconds))
      #expect(abs(later * 2 - score) <= score * 1e-15 + .leastNormalMagnitude, "seed \(random.seed)")
    }
  }
}
