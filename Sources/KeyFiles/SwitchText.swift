/// Switches as systemd reads them, letters of either case.
package enum SwitchText {
  /// Whether it is on.
  ///
  /// - Throws: ``ValueFault``.
  package static func parse(_ text: String) throws(ValueFault) -> Bool {
    switch String(decoding: text.utf8.map { $0.isLetter ? $0 | 0x20 : $0 }, as: UTF8.self) {
    case "1", "yes", "y", "true", "t", "on": return true
    case "0", "no", "n", "false", "f", "off": return false
    default: throw .notASwitch
    }
  }

  /// The text of a switch.
  package static func print(_ isOn: Bool) -> String { isOn ? "yes" : "no" }
}
