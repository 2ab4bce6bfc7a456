import Testing

@testable import KeyFiles

struct ModeTextTests {
  static let good: [(text: String, mode: UInt32)] = [
    ("0640", 0o640), ("640", 0o640), ("000640", 0o640), ("0", 0), ("7777", 0o7777),
  ]

  static let bad: [(text: String, fault: ValueFault)] = [
    ("", .notAMode), ("0o640", .notAMode), ("0x1a0", .notAMode), ("rw-r-----", .notAMode), ("u=rw", .notAMode),
    ("0648", .notAMode), ("-640", .notAMode), ("+640", .notAMode), ("06 40", .notAMode), ("٦٤٠", .notAMode),
    ("10000", .outOfRange), ("777777777777777777777777", .outOfRange),
  ]

  @Test("octal digits are read as permission bits", arguments: good)
  func reads(text: String, mode: UInt32) throws {
    #expect(try ModeText.parse(text) == mode)
  }

  @Test("what is no mode is refused with its reason", arguments: bad)
  func refuses(text: String, fault: ValueFault) {
    #expect(throws: fault) { try ModeText.parse(text) }
  }

  @Test("every mode that is printed reads back the same")
  func roundTrips() throws {
    for mode in UInt32(0)...0o7777 {
      #expect(try ModeText.parse(ModeText.print(mode)) == mode)
    }
    #expect(ModeText.print(0o640) == "0640")
    #expect(ModeText.print(0) == "0000")
  }
}
