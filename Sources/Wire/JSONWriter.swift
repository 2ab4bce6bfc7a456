/// Writes JSON: replies, snapshots, status.
///
/// Members stand in the order they are written in. That each key comes once, and one value after it, is the caller's to
/// keep; debug builds stop where it is not.
package struct JSONWriter: Sendable {
  /// How the text is laid out.
  package enum Layout: Sendable {
    /// Everything in one line, no blanks.
    case compact
    /// Two spaces a level, one member or element a line; `{}` and `[]` stay short.
    case indented
  }

  /// What has been written.
  package private(set) var bytes: [UInt8]

  private let layout: Layout
  private var depth = 0
  private var isFirst = true
  private var isAfterKey = false

  /// An empty text with room for `reserving` bytes.
  package init(_ layout: Layout = .compact, reserving: Int = 256) {
    self.layout = layout
    bytes = []
    bytes.reserveCapacity(reserving)
  }

  /// An object; `body` writes its members.
  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// An array; `body` writes its elements.
  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    container(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// The name of a member, whose value has to come next.
  package mutating func key(_ name: String) {
    assert(depth > 0 && !isAfterKey, "a key stands in an object, and no two after each other")
    separate()
    quote(name.utf8)
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  /// A string, in which all control characters are escaped.
  package mutating func string(_ value: String) {
    beginValue()
    quote(value.utf8)
  }

  /// A string given as bytes, which are valid UTF-8.
  package mutating func string(utf8 value: some Sequence<UInt8>) {
    beginValue()
    quote(value)
  }

  /// A whole number.
  package mutating func integer(_ value: some BinaryInteger) {
    beginValue()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// A number that is finite and not negative, with 6 significant digits at most.
  package mutating func number(_ value: Double) {
    beginValue()
    DecimalText.append(sixSignificantDigits: value, to: &bytes)
  }

  /// A number as it was read.
  package mutating func number(_ value: JSONNumber) {
    beginValue()
    bytes.append(contentsOf: value.text.utf8)
  }

  /// `true` or `false`.
  package mutating func bool(_ value: Bool) {
    beginValue()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  /// `null`.
  package mutating func null() {
    beginValue()
    bytes.append(contentsOf: "null".utf8)
  }

  /// A line end after the outermost value.
  package mutating func newline() {
    assert(depth == 0)
    bytes.append(0x0a)
  }

  private mutating func container(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    beginValue()
    bytes.append(open)
    depth += 1
    isFirst = true
    body(&self)
    assert(!isAfterKey, "a key without a value")
    depth -= 1
    if !isFirst { breakLine() }
    isFirst = false
    bytes.append(close)
  }

  private mutating func beginValue() {
    if isAfterKey {
      isAfterKey = false
    } else if depth > 0 {
      separate()
    }
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    breakLine()
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(0x0a)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func quote(_ value: some Sequence<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    if value.withContiguousStorageIfAvailable({ unsafe appendEscaped($0) }) == nil {
      unsafe Array(value).withUnsafeBufferPointer { unsafe appendEscaped($0) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends bytes, in runs of those that may stand as they are.
  private mutating func appendEscaped(_ value: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for place in 0..<value.count {
      let byte = unsafe value[place]
      // JSON allows U+0080 to U+009F, and a terminal obeys them.
      let isControlOfTwo = unsafe byte == 0xc2 && place + 1 < value.count && (0x80...0x9f).contains(value[place + 1])
      let isSecondOfThose = unsafe (0x80...0x9f).contains(byte) && place > 0 && value[place - 1] == 0xc2
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7f, !isControlOfTwo,
        !isSecondOfThose
      {
        continue
      }
      unsafe bytes.append(contentsOf: value[start..<place])
      start = place + 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: bytes.append(contentsOf: "\\n".utf8)
      case 0x0d: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0xc2: break
      default: escape(byte)
      }
    }
    unsafe bytes.append(contentsOf: value[start...])
  }

  private mutating func escape(_ control: UInt8) {
    bytes.append(contentsOf: "\\u00".utf8)
    bytes.append(0x30 + control >> 4)
    bytes.append(control & 0xf < 10 ? 0x30 + control & 0xf : 0x57 + control & 0xf)
  }
}

// Members in one call.
extension JSONWriter {
  /// A member that is a string, or null.
  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  /// A member that is a string given as bytes, which are valid UTF-8.
  package mutating func member(_ name: String, utf8 value: some Sequence<UInt8>) {
    key(name)
    string(utf8: value)
  }

  /// A member that is a whole number.
  package mutating func member(_ name: String, _ value: some BinaryInteger) {
    key(name)
    integer(value)
  }

  /// A member that is true or false.
  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// A member that is a number with 6 significant digits.
  package mutating func member(_ name: String, number value: Double) {
    key(name)
    number(value)
  }

  /// A member that is null.
  package mutating func memberNull(_ name: String) {
    key(name)
    null()
  }

  /// A member that is an object, whose members `body` writes.
  package mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// A member that is an array, whose elements `body` writes.
  package mutating func member(_ name: String, array body: (inout JSONWriter) -> Void) {
    key(name)
    array(body)
  }
}
