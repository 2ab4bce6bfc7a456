import Wire

/// The binary form of property lists.
///
///     file    = "bplist00" *object *offset trailer
///     trailer = 6OCTET size-of-offset size-of-reference count(8) top(8) start-of-offsets(8)
///     object  = marker …        ; its kind in the high four bits, a length or size in the low ones
///
/// All numbers have their highest byte first. A container refers to its elements by their numbers, so that one object
/// may stand in many places, and in itself: depth is bounded, and so is the size of what is written out.
struct BinaryPropertyList {
  private static let magic = Array("bplist00".utf8)
  private static let trailerSize = 32
  /// Bytes that a value counts in addition to its text.
  private static let valueSize = 16

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let offsets: Int
  /// How many bytes may still be written out.
  private var budget = 4 * DefinitionLimits.file

  /// Whether bytes are meant to be of this form.
  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// - Throws: what is wrong, at its byte.
  static func read(_ bytes: [UInt8]) throws(DefinitionError) -> JSONNode {
    let trailer = bytes.count - trailerSize
    guard trailer >= magic.count else { throw fault(.unexpectedEnd, at: bytes.count) }
    let size = (offset: Int(bytes[trailer + 6]), reference: Int(bytes[trailer + 7]))
    guard let count = integer(bytes[(trailer + 8)..<(trailer + 16)]),
      let top = integer(bytes[(trailer + 16)..<(trailer + 24)]),
      let offsets = integer(bytes[(trailer + 24)...]),
      (1...8).contains(size.offset), (1...8).contains(size.reference), offsets >= magic.count, offsets <= trailer,
      count <= (trailer - offsets) / size.offset
    else { throw fault(.badLayout, at: trailer) }
    var list = BinaryPropertyList(
      bytes: bytes, offsetSize: size.offset, referenceSize: size.reference, count: count, offsets: offsets)
    return try list.object(top, from: trailer, depth: 0)
  }

  private init(bytes: [UInt8], offsetSize: Int, referenceSize: Int, count: Int, offsets: Int) {
    self.bytes = bytes
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.count = count
    self.offsets = offsets
  }

  private static func fault(_ fault: PropertyListFault, at offset: Int) -> DefinitionError {
    DefinitionError(.propertyList(fault), at: offset)
  }

  /// The value of at most eight bytes; nil if it is none of an `Int`.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Bytes of an object, which stand before the offsets.
  private func bytes(_ count: Int, from start: Int) throws(DefinitionError) -> ArraySlice<UInt8> {
    guard start <= offsets, count <= offsets - start else { throw Self.fault(.unexpectedEnd, at: start) }
    return bytes[start..<(start + count)]
  }

  /// The object of a number that stands at `place`.
  private mutating func object(_ number: Int, from place: Int, depth: Int) throws(DefinitionError) -> JSONNode {
    guard number < count else { throw Self.fault(.badLayout, at: place) }
    let entry = offsets + number * offsetSize
    guard let start = Self.integer(bytes[entry..<(entry + offsetSize)]), start >= Self.magic.count, start < offsets
    else { throw Self.fault(.badLayout, at: entry) }
    return JSONNode(try value(at: start, depth: depth), offset: start)
  }

  private mutating func spend(_ size: Int, at start: Int) throws(DefinitionError) {
    budget -= size
    if budget < 0 { throw Self.fault(.tooLarge, at: start) }
  }

  private mutating func value(at start: Int, depth: Int) throws(DefinitionError) -> JSONValue {
    try spend(Self.valueSize, at: start)
    let (high, low) = (bytes[start] >> 4, Int(bytes[start] & 15))
    switch (high, low) {
    case (0x0, 0): return .null
    case (0x0, 8): return .bool(false)
    case (0x0, 9): return .bool(true)
    case (0x1, 0...4): return try number(at: start, size: 1 << low)
    case (0x2, 2), (0x2, 3): return try real(at: start, size: 1 << low)
    case (0x3, 3): return try date(at: start)
    case (0x4, _):
      let (count, first) = try length(at: start)
      let data = try bytes(count, from: first)
      try spend(2 * count, at: start)
      return .string(Base64.encode(data))
    case (0x5, _), (0x6, _), (0x7, _): return .string(try text(at: start, kind: high))
    case (0xA, _): return .array(try elements(at: start, depth: depth + 1))
    case (0xD, _): return .object(try members(at: start, depth: depth + 1))
    default: throw Self.fault(.unknownObject, at: start)
    }
  }

  /// How long an object is, and where what it consists of begins.
  private func length(at start: Int) throws(DefinitionError) -> (count: Int, first: Int) {
    let low = Int(bytes[start] & 15)
    if low < 15 { return (low, start + 1) }
    let marker = try bytes(1, from: start + 1)[start + 1]
    guard marker >> 4 == 1, marker & 15 <= 3 else { throw Self.fault(.badLayout, at: start + 1) }
    let size = 1 << Int(marker & 15)
    guard let count = Self.integer(try bytes(size, from: start + 2)) else {
      throw Self.fault(.badLayout, at: start + 2)
    }
    return (count, start + 2 + size)
  }

  private func number(at start: Int, size: Int) throws(DefinitionError) -> JSONValue {
    let bytes = try bytes(size, from: start + 1)
    let low = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch size {
    // Shorter ones have no sign.
    case 8: return .number(JSONNumber(Int64(bitPattern: low)))
    case 16:
      let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .number(JSONNumber(Int128(_low: low, _high: Int64(bitPattern: high))))
    default: return .number(JSONNumber(low))
    }
  }

  private func double(at start: Int, size: Int) throws(DefinitionError) -> Double {
    let bits = try bytes(size, from: start + 1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
  }

  private func real(at start: Int, size: Int) throws(DefinitionError) -> JSONValue {
    guard let number = JSONNumber(try double(at: start, size: size)) else { throw Self.fault(.badNumber, at: start) }
    return .number(number)
  }

  /// A date, in seconds since 2001; held within the years that 64 bits of nanoseconds since 1970 reach.
  private func date(at start: Int) throws(DefinitionError) -> JSONValue {
    let seconds = try double(at: start, size: 8)
    guard !seconds.isNaN else { throw Self.fault(.badDate, at: start) }
    let limit: Int64 = 9_000_000_000
    let whole = Int64(max(-Double(limit), min(Double(limit), (seconds + 978_307_200).rounded(.down))))
    return .string(RFC3339.string(nanoseconds: whole * 1_000_000_000, fractionDigits: 0))
  }

  private mutating func text(at start: Int, kind: UInt8) throws(DefinitionError) -> String {
    let (count, first) = try length(at: start)
    // Half of what there may be, so that doubling it overflows nothing.
    guard count <= bytes.count else { throw Self.fault(.unexpectedEnd, at: start) }
    let bytes = try bytes(kind == 0x6 ? 2 * count : count, from: first)
    try spend(3 * count, at: start)
    let text: String?
    switch kind {
    case 0x5: text = String(validating: bytes, as: Unicode.ASCII.self)
    case 0x6:
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      text = String(validating: units, as: UTF16.self)
    default: text = String(validating: bytes, as: UTF8.self)
    }
    guard let text else { throw Self.fault(.badText, at: start) }
    return text
  }

  /// - Throws: if a container's references do not all stand before the offsets.
  private func checkReferences(_ count: Int, from first: Int) throws(DefinitionError) {
    guard count <= bytes.count else { throw Self.fault(.unexpectedEnd, at: first) }
    _ = try bytes(count * referenceSize, from: first)
  }

  /// The number of the object that a container refers to at an index. Read one by one, as a list of them for each level
  /// of a container that contains itself would take far more room than the file.
  private func reference(_ index: Int, from first: Int) throws(DefinitionError) -> Int {
    let start = first + index * referenceSize
    guard let number = Self.integer(bytes[start..<(start + referenceSize)]) else {
      throw Self.fault(.badLayout, at: start)
    }
    return number
  }

  private mutating func elements(at start: Int, depth: Int) throws(DefinitionError) -> [JSONNode] {
    if depth > DefinitionLimits.depth { throw Self.fault(.tooDeep, at: start) }
    let (count, first) = try length(at: start)
    try checkReferences(count, from: first)
    var result: [JSONNode] = []
    for index in 0..<count {
      result.append(try object(try reference(index, from: first), from: start, depth: depth))
    }
    return result
  }

  private mutating func members(at start: Int, depth: Int) throws(DefinitionError) -> [JSONObjectMember] {
    if depth > DefinitionLimits.depth { throw Self.fault(.tooDeep, at: start) }
    let (count, first) = try length(at: start)
    guard count <= bytes.count else { throw Self.fault(.unexpectedEnd, at: start) }
    try checkReferences(2 * count, from: first)
    var names: Set<[UInt8]> = []
    var result: [JSONObjectMember] = []
    for index in 0..<count {
      let key = try object(try reference(index, from: first), from: start, depth: depth)
      guard let name = key.string else { throw Self.fault(.keyExpected, at: key.offset) }
      if !names.insert(Array(name.utf8)).inserted { throw Self.fault(.duplicateKey, at: key.offset) }
      let value = try object(try reference(count + index, from: first), from: start, depth: depth)
      result.append(JSONObjectMember(name, value))
    }
    return result
  }
}
