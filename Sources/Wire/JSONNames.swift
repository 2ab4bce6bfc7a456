/// The members that mean something. The raw value is the name's bytes after a 1, which keeps names of other lengths
/// apart.
enum JSONMember: UInt64 {
  case type = 0x01_74_79_70_65
  case target = 0x01_74_61_72_67_65_74
  case count = 0x01_63_6f_75_6e_74
  case time = 0x01_74_69_6d_65
  case app = 0x01_61_70_70
  case id = 0x01_69_64
  case op = 0x01_6f_70
  case seq = 0x01_73_65_71

  private static let maxBytes = 6

  /// The member whose name is the first `length` bytes of a word, at most 7, the first one lowest.
  @inline(__always)
  init?(_ word: UInt64, _ length: Int) {
    self.init(rawValue: (word.byteSwapped &>> 8 | 1 &<< 56) &>> UInt64(56 - 8 * length))
  }

  init?(_ name: Bytes) {
    guard name.count <= Self.maxBytes else { return nil }
    var packed: UInt64 = 1
    for index in 0..<name.count { packed = packed << 8 | UInt64(name[index]) }
    self.init(rawValue: packed)
  }

  init?(_ name: [UInt8]) {
    guard name.count <= Self.maxBytes else { return nil }
    self.init(rawValue: name.reduce(1) { $0 << 8 | UInt64($1) })
  }
}

/// The names met so far that are not known ones, to find a second one of a kind.
struct JSONMemberNames {
  /// Number of the object, then the name without escapes.
  private var seen: Set<[UInt8]> = []

  /// False if the object already has a member of this name.
  mutating func insert(_ name: JSONToken, of text: Bytes, object: UInt32) -> Bool {
    var key: [UInt8] = []
    key.reserveCapacity(4 + name.end - name.start)
    for shift in [UInt32](arrayLiteral: 0, 8, 16, 24) { key.append(UInt8(truncatingIfNeeded: object >> shift)) }
    key.append(contentsOf: UnescapedBytes(text[name.start..<name.end]))
    return seen.insert(key).inserted
  }
}

/// The bytes that the inside of a JSON string stands for. The string has been checked before.
struct UnescapedBytes: Sequence, IteratorProtocol {
  private let text: Bytes
  private var at = 0
  /// Bytes of a `\u` escape that are still to come, the next one lowest.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  init(_ text: Bytes) { self.text = text }

  mutating func next() -> UInt8? {
    if pendingCount > 0 {
      defer {
        pending >>= 8
        pendingCount -= 1
      }
      return UInt8(truncatingIfNeeded: pending)
    }
    guard at < text.count else { return nil }
    let byte = text[at]
    at += 1
    guard byte == UInt8(ascii: "\\"), at < text.count else { return byte }
    let letter = text[at]
    at += 1
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0c
    case UInt8(ascii: "n"): return 0x0a
    case UInt8(ascii: "r"): return 0x0d
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      encode(scalar())
      return next()
    default: return letter
    }
  }

  private mutating func scalar() -> UInt32 {
    let first = codeUnit()
    guard (0xd800...0xdbff).contains(first) else { return first }
    at += 2
    return 0x10000 + (first - 0xd800) << 10 + (codeUnit() - 0xdc00)
  }

  private mutating func codeUnit() -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      unit = unit << 4 | UInt32(Self.hexadecimal(text[at]) ?? 0)
      at += 1
    }
    return unit
  }

  private mutating func encode(_ value: UInt32) {
    switch value {
    case 0..<0x80: (pending, pendingCount) = (value, 1)
    case 0x80..<0x800:
      pending = 0xc0 | value >> 6 | (0x80 | value & 0x3f) << 8
      pendingCount = 2
    case 0x800..<0x10000:
      pending = 0xe0 | value >> 12 | (0x80 | value >> 6 & 0x3f) << 8 | (0x80 | value & 0x3f) << 16
      pendingCount = 3
    default:
      pending = 0xf0 | value >> 18 | (0x80 | value >> 12 & 0x3f) << 8
      pending |= (0x80 | value >> 6 & 0x3f) << 16 | (0x80 | value & 0x3f) << 24
      pendingCount = 4
    }
  }

  /// The value of a hexadecimal digit; nil if it is none.
  static func hexadecimal(_ byte: UInt8) -> UInt16? {
    switch byte {
    case 0x30...0x39: UInt16(byte - 0x30)
    case 0x41...0x46: UInt16(byte - 0x41 + 10)
    case 0x61...0x66: UInt16(byte - 0x61 + 10)
    default: nil
    }
  }
}
