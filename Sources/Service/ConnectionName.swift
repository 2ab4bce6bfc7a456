/// The number of a connection, and the short name under which the service manager keeps it.
struct ConnectionName: Equatable {
  let number: UInt64
  let access: Access

  /// Numbers start again from 0 here, as names have room for five digits.
  static let end: UInt64 = 36 * 36 * 36 * 36 * 36

  init(number: UInt64, access: Access) {
    self.number = number
    self.access = access
  }

  /// A name as ``text`` writes it; nil for anything else.
  init?(_ text: String) {
    guard let access = Access.allCases.first(where: { text.hasPrefix(Self.letter($0)) }),
      let number = UInt64(text.dropFirst(), radix: 36), number < Self.end
    else { return nil }
    self.init(number: number, access: access)
    // There is one way to write a number, by which it can be forgotten again.
    if self.text != text { return nil }
  }

  /// A letter for the socket and the number in base 36: at most 6 bytes.
  var text: String { Self.letter(access) + String(number, radix: 36) }

  /// Capitals, as `events` would be a name like any other.
  private static func letter(_ access: Access) -> String { access == .events ? "E" : "C" }
}
