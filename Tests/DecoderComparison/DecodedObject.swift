import FoundationEssentials

/// What Foundation's `JSONDecoder` makes of a text that is one object.
struct DecodedObject {
  private let members: [String: DecodedValue]

  /// Nil if it refuses the text.
  init?(_ text: [UInt8]) {
    guard case .object(let members)? = try? JSONDecoder().decode(DecodedValue.self, from: Data(text)) else {
      return nil
    }
    self.members = members
  }

  /// How many members there are, those of objects within it counted as well.
  var memberCount: Int { DecodedValue.object(members).memberCount }

  /// The value of a member; nil if there is none, or null.
  subscript(name: String) -> DecodedValue? {
    if case .null? = members[name] { nil } else { members[name] }
  }
}

/// A value with everything in it: what is not asked for, the decoder would not look at closely.
enum DecodedValue: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([DecodedValue])
  case object([String: DecodedValue])

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: DecodedValue] = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(DecodedValue.self, forKey: key) }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [DecodedValue] = []
      while !container.isAtEnd { elements.append(try container.decode(DecodedValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else {
        self = .number(try container.decode(Double.self))
      }
    }
  }

  var memberCount: Int {
    switch self {
    case .object(let members): members.values.reduce(members.count) { $0 + $1.memberCount }
    case .array(let elements): elements.reduce(0) { $0 + $1.memberCount }
    default: 0
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
