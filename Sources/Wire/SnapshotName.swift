/// The name of a snapshot's two files, without the suffix.
package struct SnapshotName: Hashable, Sendable {
  /// As it stands in the folder, before `.json` and `.tsv`.
  package let base: String

  /// A longer name is cut, with a hash behind it.
  private static let longest = 200
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The name for an app: its id, every byte outside `[A-Za-z0-9._-]` and a leading dot as `%XX`.
  ///
  /// A name over 200 bytes is cut and gets `~` and 32 digits of the id's SHA-256; `~` stands in no other name.
  package init(app id: [UInt8]) {
    var name: [UInt8] = []
    for byte in id {
      if Self.isPlain(byte), !(name.isEmpty && byte == UInt8(ascii: ".")) {
        name.append(byte)
      } else {
        name += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    if name.count > Self.longest {
      let hash = SHA256.digest(id).prefix(16).flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
      name = name.prefix(Self.longest) + [UInt8(ascii: "~")] + hash
    }
    base = String(decoding: name, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The suffixes of the two files.
  package static let suffixes = [".json", ".tsv"]
}
