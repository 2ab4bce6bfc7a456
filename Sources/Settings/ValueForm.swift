import KeyFiles

/// How one kind of value is written: read from text, printed as text, and described in words.
struct ValueForm<Value: Sendable>: Sendable {
  /// The value of a text without blanks around it, or what is wrong with it.
  let parse: @Sendable (String) throws(ValueFault) -> Value

  /// The text that parses to this value.
  let print: @Sendable (Value) -> String

  /// What may be written, in words that follow "allowed are".
  let allowed: String

  /// The ends of the range, if values have one.
  let edges: ValueEdges?
}

/// The texts of the values at and just past the ends of a range.
package struct ValueEdges: Equatable, Sendable {
  /// The lowest value allowed.
  package let lowest: String
  /// The highest value allowed.
  package let highest: String
  /// The value below the lowest; nil if that has a sign, which is refused for another reason.
  package let belowLowest: String?
  /// The value above the highest.
  package let aboveHighest: String
}

extension ValueForm where Value: FixedWidthInteger {
  /// Numbers in a range.
  init(
    _ range: ClosedRange<Value>, parse: @escaping @Sendable (String) throws(ValueFault) -> Value,
    print: @escaping @Sendable (Value) -> String
  ) {
    self.parse = { (text) throws(ValueFault) in
      let value = try parse(text)
      guard range.contains(value) else { throw .outOfRange }
      return value
    }
    self.print = print
    self.allowed = "\(print(range.lowerBound)) to \(print(range.upperBound))"
    self.edges = ValueEdges(
      lowest: print(range.lowerBound), highest: print(range.upperBound),
      belowLowest: range.lowerBound == 0 ? nil : print(range.lowerBound - 1), aboveHighest: print(range.upperBound + 1))
  }
}

extension ValueForm<Int64> {
  /// Durations, in nanoseconds.
  static func duration(_ range: ClosedRange<Int64>) -> ValueForm {
    ValueForm(range, parse: DurationText.parse, print: DurationText.print)
  }
}

extension ValueForm<Int> {
  /// Sizes, in bytes.
  static func size(_ range: ClosedRange<Int>) -> ValueForm {
    ValueForm(range, parse: SizeText.parse, print: SizeText.print)
  }

  /// Sizes, in bytes, or 0 for none at all.
  static func sizeOrNone(_ range: ClosedRange<Int>) -> ValueForm {
    let sizes = size(range)
    return ValueForm(
      parse: { (text) throws(ValueFault) in
        let value = try SizeText.parse(text)
        guard value == 0 || range.contains(value) else { throw .outOfRange }
        return value
      },
      print: sizes.print,
      allowed: "\(sizes.allowed), or 0 for none",
      edges: sizes.edges)
  }

  /// Plain numbers.
  static func count(_ range: ClosedRange<Int>) -> ValueForm {
    ValueForm(range, parse: CountText.parse, print: CountText.print)
  }
}

extension ValueForm<Int> {
  /// Whole numbers of percent; the sign may be left out.
  static func percent(_ range: ClosedRange<Int>) -> ValueForm {
    ValueForm(
      range,
      parse: { (text) throws(ValueFault) in try CountText.parse(text.hasSuffix("%") ? String(text.dropLast()) : text) },
      print: { "\($0)%" })
  }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable {
  /// One of a few words.
  static var choice: ValueForm {
    let words = Value.allCases.map(\.rawValue)
    return ValueForm(
      parse: { (text) throws(ValueFault) in
        guard let value = Value(rawValue: text) else { throw .notAWord }
        return value
      },
      print: { $0.rawValue },
      allowed: words.joined(separator: " or "),
      edges: nil)
  }
}

extension ValueForm<Bool> {
  /// Switches.
  static var bool: ValueForm {
    ValueForm(parse: SwitchText.parse, print: SwitchText.print, allowed: "yes or no", edges: nil)
  }
}

extension ValueForm<String> {
  /// Languages in the order of preference, or nothing.
  static var languages: ValueForm {
    ValueForm(
      parse: { (text) throws(ValueFault) in
        let marks = "-_.@:".utf8
        guard text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || marks.contains($0) }) else { throw .notLanguages }
        return text
      },
      print: { $0 },
      allowed: "names of languages with colons between them, as in LANGUAGE",
      edges: nil)
  }
}

extension ValueForm<UInt32> {
  /// Permissions of files: bits to read and write only, and the owner has both. (A daemon that could not read
  /// and write its own files would be of no use, and a list is not a program.)
  static var fileMode: ValueForm {
    let inRange = ValueForm(0o600...0o666, parse: ModeText.parse, print: ModeText.print)
    return ValueForm(
      parse: { (text) throws(ValueFault) in
        let mode = try inRange.parse(text)
        guard mode & ~0o666 == 0, mode & 0o600 == 0o600 else { throw .outOfRange }
        return mode
      },
      print: inRange.print,
      allowed: "\(inRange.allowed) without bits to execute",
      edges: inRange.edges)
  }
}
