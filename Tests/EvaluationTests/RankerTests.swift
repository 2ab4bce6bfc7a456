import Ranking
import Testing

@testable import Evaluation

/// Each formula on a few uses, with scores by hand.
struct RankerTests {
  @Test("the latest use comes first")
  func latestUse() {
    #expect(best({ LatestUse(actions: $0) }, uses((0, "abaca"), (1, "d")), at: 2) == "dacb")
  }

  @Test("the most uses come first; of equal ones the one used later, also where four are cut off")
  func useCount() {
    let make = { UseCount(actions: $0) }
    #expect(best(make, uses((0, "aabccc")), at: 1) == "cab")
    #expect(best(make, uses((0, "abcdef")), at: 1) == "fedc")
    #expect(best(make, uses((0, "abcdefaa")), at: 1) == "afed")
  }

  @Test(
    "two uses of one half-life ago are worth one of now, and then the later one comes first",
    arguments: [(59, "ab"), (60, "ba"), (61, "ba")] as [(Int64, String)])
  func halfLifeInTime(minutes: Int64, expected: String) {
    let make = { FixedHalfLife(HalfLife(nanoseconds: hour), .time, actions: $0) }
    for start in [0, 1_700_000_000 * second, -5 * day] {
      let uses = uses((start, "aa"), (start + minutes * 60 * second, "b"))
      #expect(best(make, uses, at: start + 90 * day) == expected)
    }
  }

  @Test("a half-life in uses moves with uses, whatever the time")
  func halfLifeInUses() {
    // a is worth 1/4 + 1/2 at a half-life of one use, and 1/2 + 0.707 at one of two.
    for time in [0, 1, 400 * day] {
      for (halfLife, expected) in [(1, "ba"), (2, "ab")] as [(Int64, String)] {
        let make = { FixedHalfLife(HalfLife(nanoseconds: halfLife * second), .uses, actions: $0) }
        #expect(best(make, uses((0, "aa"), (time, "b")), at: time) == expected)
      }
    }
  }

  @Test("order is kept over pauses of thousands of half-lives")
  func longPause() {
    let make = { FixedHalfLife(HalfLife(nanoseconds: second), .time, actions: $0) }
    // Both are worth nothing now, but a is worth twice as much as b.
    #expect(best(make, uses((0, "aab")), at: 300 * day) == "ab")
    // After another use all older ones share one place: their latest uses decide.
    #expect(best(make, uses((0, "aab"), (300 * day, "c")), at: 300 * day) == "cba")
  }

  @Test("zoxide: ranks times 4, 2, 1/2 or 1/4 by age, and the steps are at an hour, a day and a week")
  func zoxide() {
    let make = { Zoxide(actions: $0) }
    func order(_ older: String, _ gap: Int64) -> String { best(make, uses((0, older), (gap, "b")), at: gap) }
    #expect(order("a", hour - 1) == "ba")  // 4 : 4
    #expect(order("aa", hour - 1) == "ab")  // 8 : 4
    #expect(order("aa", hour) == "ba")  // 4 : 4
    #expect(order("aaa", hour) == "ab")  // 6 : 4
    #expect(order("aaa", day) == "ba")  // 1.5 : 4
    #expect(order("aaaaaaaaa", day) == "ab")  // 4.5 : 4
    #expect(order("aaaaaaaaa", 7 * day) == "ba")  // 2.25 : 4
    #expect(order("aaaaaaaaaaaaaaaaa", 7 * day) == "ab")  // 4.25 : 4
  }

  @Test("z: twice the rank makes up for 12,500 seconds", arguments: [(12_499, "ab"), (12_500, "ba"), (12_501, "ba")])
  func rupaZ(seconds: Int64, expected: String) {
    let time = seconds * second
    #expect(best({ RupaZ(actions: $0) }, uses((0, "aa"), (time, "b")), at: time) == expected)
  }

  @Test("aging scales all weights, and drops those under 1")
  func aging() {
    var table = WeightTable(actions: 3)
    table.add(6, to: 0)
    table.add(2, to: 1)
    table.add(1, to: 2)
    table.scale(by: 0.5)
    #expect(table.weights == [3, 1, 0])
    #expect(table.sum == 4 && table.greatest == 3)
  }

  /// The order after `before` uses of b and one of d, enough of a to go over the limit by one, then `after` uses of c, d, e.
  private static func aged<R: Ranker>(_ make: (Int) -> R, _ limit: Int, before: Int, after: Int) -> String {
    let letters =
      String(repeating: "b", count: before) + "d" + String(repeating: "a", count: limit - before)
      + String(repeating: "c", count: after) + "de"
    return best(make, uses((0, letters)), at: 1)
  }

  @Test("zoxide and z age when ranks add up to over 10,000 and 9,000: c overtakes b, and d is dropped")
  func limits() {
    // 20 became 18, and the first use of d nothing, so that e is as good and later.
    #expect(Self.aged({ Zoxide(actions: $0) }, 10_000, before: 20, after: 19) == "acbe")
    #expect(Self.aged({ Zoxide(actions: $0) }, 9_000, before: 20, after: 19) == "abcd")
    // 200 became 198.
    #expect(Self.aged({ RupaZ(actions: $0) }, 9_000, before: 200, after: 199) == "acbe")
    #expect(Self.aged({ RupaZ(actions: $0) }, 8_000, before: 200, after: 199) == "abcd")
  }

  @Test("Firefox's buckets: points by age, their steps at 4, 14, 31 and 90 days, the last moment included")
  func firefoxBuckets() {
    let make = { FirefoxBuckets(actions: $0) }
    func order(_ older: String, _ newer: String, _ gap: Int64) -> String {
      best(make, uses((0, older), (gap, newer)), at: gap)
    }
    #expect(order("aa", "b", 4 * day) == "ab")  // 200 : 100
    #expect(order("aaa", "bb", 4 * day + 1) == "ab")  // 210 : 200
    #expect(order("aaa", "bb", 14 * day) == "ab")  // 210 : 200
    #expect(order("aaa", "bb", 14 * day + 1) == "ba")  // 150 : 200
    #expect(order("aaaaa", "bb", 31 * day) == "ab")  // 250 : 200
    #expect(order("aaaaa", "bb", 31 * day + 1) == "ba")  // 150 : 200
    #expect(order("aaaa", "b", 90 * day) == "ab")  // 120 : 100
    #expect(order("aaaa", "b", 90 * day + 1) == "ba")  // 40 : 100
  }

  @Test("Firefox's ten latest visits stand for all of them")
  func firefoxSample() {
    // Of 20 visits the latest ten are of today: 20 · 100, against 19 · 100.
    let visits = uses((0, "aaaaaaaaaa"), (10 * day, "aaaaaaaaaabbbbbbbbbbbbbbbbbbb"))
    #expect(best({ FirefoxBuckets(actions: $0) }, visits, at: 10 * day) == "ab")
    #expect(best({ FirefoxDecay(actions: $0) }, visits, at: 10 * day) == "ab")
  }

  @Test("Firefox 147: two visits of 30 days ago are worth one of now", arguments: [(29, "ab"), (30, "ba"), (31, "ba")])
  func firefoxDecay(days: Int64, expected: String) {
    let uses = uses((0, "aa"), (days * day, "b"))
    #expect(best({ FirefoxDecay(actions: $0) }, uses, at: 300 * day) == expected)
  }

  @Test("GNOME Shell: whole sevens of seconds until the next use, and nothing after a week")
  func gnomeShell() {
    let make = { GnomeShell(actions: $0) }
    let some = uses((0, "a"), (70 * second, "b"), (76 * second, "c"))  // a has 10, b none
    #expect(best(make, some, at: 82 * second) == "acb")
    #expect(best(make, some, at: 83 * second) == "acb")  // c has 1
    #expect(best(make, some, at: 76 * second + 77 * second) == "cab")  // c has 11
    #expect(best(make, some, at: 7 * day) == "cab")  // c has 257, for half an hour
    #expect(best(make, some, at: 7 * day + 1) == "cba")  // a counts as 0 now
    #expect(best(make, some, at: 8 * day) == "cba")
  }

  @Test("GNOME Shell: scores over 25,714 are halved, and those from an eighth of that on outlive the week")
  func gnomeShellHalving() {
    let make = { GnomeShell(actions: $0) }
    // 257 for each use that is 30 minutes before the next one: a reaches 3,341 and stays.
    var many = (0..<13).map { (time: Int64($0) * hour, action: 0) }
    many += [(13 * hour, 1), (13 * hour + 10 * second, 2)]
    #expect(best(make, many, at: 9 * day) == "acb")
    // With 12 it has 3,084 and goes.
    #expect(best(make, Array(many.dropFirst()), at: 9 * day) == "cba")
    // d reaches 25,957 by its 101st use and is halved, a falls to 1,670 and goes.
    many += (0..<101).map { (time: 14 * hour + Int64($0) * hour, action: 3) }
    #expect(best(make, many, at: 13 * day) == "dcba")
  }

  @Test("KDE: a use falls to 1/e in 32 days", arguments: [(22, "ab"), (23, "ba")])
  func kdeActivities(days: Int64, expected: String) throws {
    let user = user(uses((0, "aa"), (days * day, "bc")) + [(days * day, expected == "ab" ? 0 : 1)])
    // c is first, so the one that was used last stands at the second place.
    let figures = Contender.kdeActivities.replay(user)
    #expect(figures.hits == 2 && abs(figures.reciprocals - (1 + (expected == "ab" ? 1 : 1.0 / 2))) < 1e-9)
  }

  @Test("walker: uses, ten at most, times the days that are left of ten")
  func walker() {
    let make = { Walker(actions: $0) }
    #expect(best(make, uses((0, "aaa"), (7 * day - 1, "b")), at: 7 * day - 1) == "ab")  // 12 : 10
    #expect(best(make, uses((0, "aaa"), (7 * day, "b")), at: 7 * day) == "ba")  // 9 : 10
    #expect(best(make, uses((0, "aaaaaaaaaaaaaaa"), (1, "bbbbbbbbbb")), at: 2) == "ba")  // 100 : 100
    #expect(best(make, uses((0, "aaaaaaaaaaaaaaa"), (1, "b")), at: 30 * day) == "ba")  // 1 : 1
  }

  @Test("rofi: of 26 actions the oldest of the least used is forgotten")
  func rofi() {
    let make = { Rofi(actions: $0) }
    let all = (0..<26).map { (time: Int64($0), action: $0) }
    // Action 0 (a) was forgotten and has one use, action 25 (z) has two.
    #expect(best(make, all + [(26, 25), (27, 0)], at: 28) == "zayx")
    #expect(best({ UseCount(actions: $0) }, all + [(26, 25), (27, 0)], at: 28) == "azyx")
  }
}
