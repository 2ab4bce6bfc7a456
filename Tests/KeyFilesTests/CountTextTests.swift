import Testing

@testable import KeyFiles

struct CountTextTests {
  @Test(
    "decimal digits are a number",
    arguments: [("0", 0), ("4", 4), ("004", 4), ("1000000", 1_000_000), ("9223372036854775807", .max)])
  func reads(text: String, number: Int) throws {
    #expect(try CountText.parse(text) == number)
  }

  @Test(
    "what is no number is refused with its reason",
    arguments: [
      ("", .notANumber), ("four", .notANumber), ("4.0", .notANumber), ("4K", .notANumber), ("0x4", .notANumber),
      ("1e1", .notANumber), ("1_000", .notANumber), ("4 4", .notANumber), ("٤", .notANumber), ("-1", .signed),
      ("+4", .signed), ("9223372036854775808", .outOfRange), ("99999999999999999999999", .outOfRange),
    ] as [(String, ValueFault)])
  func refuses(text: String, fault: ValueFault) {
    #expect(throws: fault) { try CountText.parse(text) }
  }
}
