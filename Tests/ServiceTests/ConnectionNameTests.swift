import Testing

@testable import Service
@testable import Systemd

struct ConnectionNameTests {
  @Test(
    "a name has at most six bytes, and says the socket and the number",
    arguments: [0, 1, 35, 36, 46_655, 1_234_567, ConnectionName.end - 1])
  func roundTrip(number: UInt64) throws {
    for access in Access.allCases {
      let name = ConnectionName(number: number, access: access)
      #expect((2...ServiceManager.longestName).contains(name.text.utf8.count))
      #expect(ConnectionName(name.text) == name)
    }
    #expect(
      ConnectionName(number: number, access: .events).text != ConnectionName(number: number, access: .control).text)
  }

  @Test("the names are these, as a manager keeps them while the daemon is replaced by another version")
  func fixed() {
    #expect(ConnectionName(number: 0, access: .events).text == "E0")
    #expect(ConnectionName(number: 46_655, access: .control).text == "Czzz")
    #expect(ConnectionName(number: ConnectionName.end - 1, access: .events).text == "Ezzzzz")
  }

  @Test(
    "nothing else is a name, and those of the socket units are not",
    arguments: [
      "", "E", "C", "e1", "c1", "events", "control", "E-1", "E+1", "E 1", "EZ", "E01", "E00", "Ezzzzzz", "E100000",
      "E1.",
      "E١", "Eé", "D1", "unknown", "stored", "E1\u{301}", "1",
    ])
  func others(text: String) { #expect(ConnectionName(text) == nil) }
}
