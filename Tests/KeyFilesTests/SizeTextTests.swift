import Testing
import TestSupport

@testable import KeyFiles

struct SizeTextTests {
  static let good: [(text: String, bytes: Int)] = [
    ("0", 0), ("1", 1), ("255", 255), ("4096", 4096), ("4096B", 4096), ("4K", 4096), ("4KB", 4096), ("0004K", 4096),
    ("1M", 1 << 20), ("64MB", 64 << 20), ("3G", 3 << 30), ("2T", 2 << 40), ("9223372036854775807", .max),
  ]

  static let bad: [(text: String, fault: ValueFault)] = [
    ("", .notASize), ("K", .notASize), ("4k", .notASize), ("4 K", .notASize), ("4KiB", .notASize), ("4KK", .notASize),
    ("4BK", .notASize), ("1.5M", .notASize), ("0x10", .notASize), ("1e3", .notASize), ("٤K", .notASize),
    ("4P", .notASize), ("-1", .signed), ("+4K", .signed),
    ("9223372036854775808", .outOfRange), ("18446744073709551616", .outOfRange), ("8388608T", .outOfRange),
    ("99999999999999999999999T", .outOfRange),
  ]

  static let printed: [(bytes: Int, text: String)] = [
    (0, "0"), (255, "255"), (1023, "1023"), (1024, "1K"), (1025, "1025"), (4096, "4K"), (1 << 20, "1M"),
    (1536 << 10, "1536K"), (3 << 30, "3G"), (2 << 40, "2T"), (1 << 50, "1024T"),
  ]

  @Test("a size is read in powers of 1024", arguments: good)
  func reads(text: String, bytes: Int) throws {
    #expect(try SizeText.parse(text) == bytes)
  }

  @Test("what is no size is refused with its reason", arguments: bad)
  func refuses(text: String, fault: ValueFault) {
    #expect(throws: fault) { try SizeText.parse(text) }
  }

  @Test("a size is printed with the largest letter that is exact", arguments: printed)
  func prints(bytes: Int, text: String) {
    #expect(SizeText.print(bytes) == text)
  }

  @Test("what is printed reads back the same")
  func roundTrips() throws {
    var random = SeededRandom()
    for _ in 0..<2_000 {
      let shift = Int.random(in: 0..<63, using: &random)
      let number = Int.random(in: 0...Int.max, using: &random) >> shift
      let bytes = number << Int.random(in: 0...shift, using: &random)
      let text = SizeText.print(bytes)
      #expect(try SizeText.parse(text) == bytes, "\(text), seed \(random.seed)")
    }
  }
}
