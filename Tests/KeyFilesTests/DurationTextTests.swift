import Testing
import TestSupport

@testable import KeyFiles

struct DurationTextTests {
  static let good: [(text: String, nanoseconds: Int64)] = [
    ("0", 0), ("5", 5_000_000_000), ("5s", 5_000_000_000), ("5 s", 5_000_000_000), ("  5\ts ", 5_000_000_000),
    ("1ns", 1), ("1nsec", 1), ("1us", 1_000), ("1usec", 1_000), ("1\u{B5}s", 1_000), ("1\u{3BC}s", 1_000),
    ("1ms", 1_000_000), ("1msec", 1_000_000),
    ("1sec", 1_000_000_000), ("1second", 1_000_000_000), ("2seconds", 2_000_000_000),
    ("1m", 60_000_000_000), ("1min", 60_000_000_000), ("1minute", 60_000_000_000), ("2 minutes", 120_000_000_000),
    ("1h", 3_600_000_000_000), ("1hr", 3_600_000_000_000), ("1hour", 3_600_000_000_000),
    ("2hours", 7_200_000_000_000),
    ("1d", 86_400_000_000_000), ("1day", 86_400_000_000_000), ("2days", 172_800_000_000_000),
    ("1w", 604_800_000_000_000), ("1week", 604_800_000_000_000), ("2weeks", 1_209_600_000_000_000),
    ("1M", 2_629_800_000_000_000), ("1month", 2_629_800_000_000_000), ("2months", 5_259_600_000_000_000),
    ("1y", 31_557_600_000_000_000), ("1year", 31_557_600_000_000_000), ("100years", 3_155_760_000_000_000_000),
    ("1h 30min", 5_400_000_000_000), ("1h30min", 5_400_000_000_000), ("30min 1h", 5_400_000_000_000),
    ("1s 1s", 2_000_000_000), ("1 h 30 min", 5_400_000_000_000),
    ("1.5h", 5_400_000_000_000), (".5", 500_000_000), ("0.1", 100_000_000), ("0.000000001s", 1),
    ("0.0000000019s", 1), ("0.1us", 100), ("1.1111111111s", 1_111_111_111),
    ("0.99999999999999999999999999y", 31_557_599_999_999_999), ("007s", 7_000_000_000),
    ("9223372036854775807ns", .max), ("9223372036.854775807", .max),
  ]

  static let bad: [(text: String, fault: ValueFault)] = [
    ("", .notADuration), (" ", .notADuration), ("soon", .notADuration), ("s", .notADuration), (".", .notADuration),
    (".s", .notADuration), ("3.s", .notADuration), ("3. 1s", .notADuration), ("1.2.3s", .notADuration),
    ("1e3s", .unknownUnit("e")), ("0x10", .unknownUnit("x")), ("5S", .unknownUnit("S")), ("5Min", .unknownUnit("Min")),
    ("5fortnights", .unknownUnit("fortnights")), ("5sh", .unknownUnit("sh")), ("5ſ", .unknownUnit("ſ")),
    ("-5s", .signed), ("+5s", .signed), ("1h -5s", .signed), ("−5s", .notADuration),
    ("infinity", .infinite), ("inf", .notADuration), ("nan", .notADuration), ("5infinity", .unknownUnit("infinity")),
    ("1h 30", .notADuration), ("5 5", .notADuration), ("5 5s", .notADuration), ("1h,30min", .notADuration),
    ("5s;", .notADuration), ("1,5h", .notADuration), ("٣s", .notADuration), ("5\u{A0}s", .unknownUnit("\u{A0}s")),
    ("9223372036854775808ns", .outOfRange), ("9223372036.854775808", .outOfRange), ("293y", .outOfRange),
    ("18446744073709551616", .outOfRange), ("99999999999999999999999999999999y", .outOfRange),
    ("200y 200y", .outOfRange),
  ]

  static let printed: [(nanoseconds: Int64, text: String)] = [
    (0, "0"), (1, "1ns"), (1_000, "1us"), (100_000_000, "100ms"), (5_000_000_000, "5s"), (1_000_000_001, "1s 1ns"),
    (5_400_000_000_000, "1h 30min"), (604_800_000_000_000, "7d"), (31_557_600_000_000_000, "1y"),
    (31_557_600_000_000_001, "365d 6h 1ns"), (3_155_760_000_000_000_000, "100y"),
  ]

  @Test("a duration in systemd's style is read exactly", arguments: good)
  func reads(text: String, nanoseconds: Int64) throws {
    #expect(try DurationText.parse(text) == nanoseconds)
  }

  @Test("what is no duration is refused with its reason", arguments: bad)
  func refuses(text: String, fault: ValueFault) {
    #expect(throws: fault) { try DurationText.parse(text) }
  }

  @Test("a duration is printed with the fewest units that are exact", arguments: printed)
  func prints(nanoseconds: Int64, text: String) {
    #expect(DurationText.print(nanoseconds) == text)
  }

  @Test("a number that no file can give is printed without a crash")
  func printsNegative() {
    #expect(DurationText.print(-5_000_000_000) == "-5s")
    #expect(DurationText.print(.min).hasPrefix("-"))
  }

  @Test("what is printed reads back the same")
  func roundTrips() throws {
    var random = SeededRandom()
    for _ in 0..<2_000 {
      // Every magnitude is as likely, and numbers of round units are frequent.
      var nanoseconds = Int64.random(in: 0...Int64.max, using: &random) >> Int64.random(in: 0..<63, using: &random)
      let unit: Int64 =
        [1, DurationText.second, DurationText.day, DurationText.year].randomElement(using: &random) ?? 1
      nanoseconds -= nanoseconds % unit
      let text = DurationText.print(nanoseconds)
      #expect(try DurationText.parse(text) == nanoseconds, "\(text), seed \(random.seed)")
    }
  }
}
