import Foundation
import Testing
import TestSupport
import Wire

private func time(_ text: String) -> Int64? {
  [UInt8](text.utf8).withUnsafeBytes { RFC3339.parse($0) }
}

private let second: Int64 = 1_000_000_000

@Suite("RFC 3339")
struct RFC3339Tests {
  @Test(
    "A date and time is read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:00.000000001Z", 1),
      ("1970-01-01T00:00:00.0000000019999999Z", 1), ("1969-12-31T23:59:59.999999999Z", -1),
      ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T18:30:00-05:30", 0), ("1970-01-01T00:00:00-00:00", 0),
      ("2024-02-29T00:00:00Z", 1_709_164_800 * second), ("2000-02-29T12:00:00Z", 951_825_600 * second),
      ("2016-12-31T23:59:60Z", 1_483_228_800 * second),
      ("1990-12-31T15:59:60.5-08:00", 662_688_000 * second + second / 2),
      ("2262-04-11T23:47:16.854775807Z", .max), ("2262-04-11T23:47:16.854775808Z", .max),
      ("9999-12-31T23:59:59Z", .max),
      ("1677-09-21T00:12:43.145224192Z", .min), ("1677-09-21T00:12:43.145224193Z", .min + 1),
      ("1677-09-21T00:12:43.145224191Z", .min), ("1677-09-21T00:12:42.9Z", .min), ("0000-01-01T00:00:00Z", .min),
    ] as [(String, Int64)])
  func readsTimes(text: String, expected: Int64) {
    #expect(time(text) == expected)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "2024", "2024-11-29", "2024-11-29T17:06:40", "2024-11-29 17:06:40Z", "2024-11-29T17:06Z",
      "2024-1-29T17:06:40Z",
      "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z",
      "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2024-04-31T00:00:00Z",
      "2024-11-29T24:00:00Z", "2024-11-29T17:60:00Z", "2024-11-29T17:06:61Z", "2024-11-29T17:06:60Z",
      "2024-11-29T17:06:40.Z", "2024-11-29T17:06:40,5Z", "2024-11-29T17:06:40+1:00", "2024-11-29T17:06:40+01",
      "2024-11-29T17:06:40+0100", "2024-11-29T17:06:40+24:00", "2024-11-29T17:06:40+01:60", "2024-11-29T17:06:40Zx",
      "2024-11-29T17:06:40 Z", "2024-11-29T17:06:4oZ", "+024-11-29T17:06:40Z", "20241129T170640.00000Z",
      "2024-11-29T17:06:40+01:0", "2024-11-29T17:06:40+", "2024/11/29T17:06:40Z", "12024-11-29T17:06:40Z",
    ])
  func refusesOthers(text: String) {
    #expect(time(text) == nil)
  }

  @Test("Times are written in UTC, cut toward the past, and read back")
  func writesTimes() {
    #expect(RFC3339.string(nanoseconds: 0, fractionDigits: 0) == "1970-01-01T00:00:00Z")
    #expect(RFC3339.string(nanoseconds: -1, fractionDigits: 3) == "1969-12-31T23:59:59.999Z")
    #expect(RFC3339.string(nanoseconds: -1, fractionDigits: 0) == "1969-12-31T23:59:59Z")
    #expect(RFC3339.string(nanoseconds: 1_999_999, fractionDigits: 3) == "1970-01-01T00:00:00.001Z")
    #expect(RFC3339.string(nanoseconds: .max, fractionDigits: 3) == "2262-04-11T23:47:16.854Z")
    #expect(RFC3339.string(nanoseconds: .min, fractionDigits: 0) == "1677-09-21T00:12:43Z")
  }

  @Test("Random times agree with Foundation's calendar, both ways")
  func agreesWithFoundation() throws {
    var random = SeededRandom()
    let format = ISO8601DateFormatter()
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -9_223_372_036...9_223_372_036, using: &random)
      let text = format.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(RFC3339.string(nanoseconds: seconds * second, fractionDigits: 0) == text, "seed \(random.seed)")
      #expect(time(text) == seconds * second, "seed \(random.seed)")
    }
  }
}
