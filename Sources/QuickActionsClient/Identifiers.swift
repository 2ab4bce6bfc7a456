/// A name that the daemon compares byte by byte, so that two spellings which Unicode holds for one stay two names.
public protocol ByteIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringInterpolation
{
  /// The name as text.
  var text: String { get }

  /// A name, not checked: the calls that send it say what is wrong with it.
  init(_ text: String)
}

extension ByteIdentifier {
  /// A name, not checked.
  public init(stringLiteral text: String) { self.init(text) }

  /// The name as text.
  public var description: String { text }

  /// Whether two names have the same bytes.
  public static func == (first: Self, second: Self) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

  /// The order of bytes.
  public static func < (first: Self, second: Self) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(text.utf8.count)
  }
}

/// The id of an action, `TYPE` or `TYPE#TARGET`: 1 to 255 bytes without white space and control characters.
public struct ActionID: ByteIdentifier {
  /// The whole id as text.
  public let text: String

  /// An id, not checked: the calls that send it say what is wrong with it.
  public init(_ text: String) { self.text = text }

  /// An id from its two parts.
  public init(type: String, target: String?) { text = target.map { "\(type)#\($0)" } ?? type }

  /// The part before the first `#`.
  public var type: String { String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self) }

  /// The part behind the first `#`; nil if there is none.
  public var target: String? {
    text.utf8.firstIndex(of: UInt8(ascii: "#")).map {
      String(decoding: text.utf8[text.utf8.index(after: $0)...], as: UTF8.self)
    }
  }
}

/// The id of an app: 1 to 255 bytes by the rules for actions.
public struct AppID: ByteIdentifier {
  /// The whole id as text.
  public let text: String

  /// An id, not checked: the calls that send it say what is wrong with it.
  public init(_ text: String) { self.text = text }
}
