import Testing

@testable import KeyFiles

struct SwitchTextTests {
  @Test("switches are read as systemd reads them", arguments: ["1", "yes", "y", "true", "t", "on", "YES", "On", "T"])
  func on(text: String) throws { #expect(try SwitchText.parse(text)) }

  @Test("and so are those that are off", arguments: ["0", "no", "n", "false", "f", "off", "No", "OFF", "F"])
  func off(text: String) throws { #expect(try !SwitchText.parse(text)) }

  @Test("anything else is refused", arguments: ["", "2", "yep", "tru", "01", "yes no", "oui", "\u{11}"])
  func bad(text: String) { #expect(throws: ValueFault.notASwitch) { try SwitchText.parse(text) } }

  @Test("what is printed reads back the same", arguments: [true, false])
  func roundTrips(isOn: Bool) throws { #expect(try SwitchText.parse(SwitchText.print(isOn)) == isOn) }
}
