/// Where things stand in a key file, which GLib's parser does not tell.
package struct KeyFileLines: Sendable {
  private let text: ArraySlice<UInt8>
  private let lines: [ArraySlice<UInt8>]

  /// What a line of a well-formed key file is, but for comments.
  package enum Item: Equatable {
    /// The name between brackets.
    case section([UInt8])
    /// The name before the `=`.
    case key([UInt8])
  }

  /// Looks at text that need not be well-formed.
  package init(_ text: ArraySlice<UInt8>) {
    self.text = text
    self.lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The first line that is not text at all.
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  func firstThatIsNotText() -> (line: Int, fault: KeyFileFault)? {
    for (index, line) in lines.enumerated() {
      if line.contains(0) { return (index + 1, .containsNUL) }
      if String(validating: line, as: UTF8.self) == nil { return (index + 1, .notUTF8) }
    }
    return nil
  }

  /// The first line that a parser does not take, for a text that it does not take.
  ///
  /// A parser that reads line by line takes every beginning that ends before its first bad line, and none that
  /// reaches beyond it: so the line can be found by halving.
  ///
  /// - Complexity: O(log *n*) calls of the parser.
  func firstThatFails(_ parses: (ArraySlice<UInt8>) -> Bool) -> Int {
    var good = 0
    var bad = lines.count
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if parses(text[..<lines[middle - 1].endIndex]) { good = middle } else { bad = middle }
    }
    return bad
  }

  /// The text of a line, counted from 1.
  func text(of line: Int) -> String { String(decoding: lines[line - 1].trimmed, as: UTF8.self) }

  /// How many bytes come before a line, counted from 1.
  package func offset(of line: Int) -> Int { lines[line - 1].startIndex - text.startIndex }

  /// Calls `body` with every section and key of a well-formed text, in order.
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  package func forEach(_ body: (_ line: Int, _ item: Item) -> Void) {
    for (index, line) in lines.enumerated() {
      let content = line.trimmed
      switch content.first {
      case nil, UInt8(ascii: "#"): continue
      case UInt8(ascii: "["): body(index + 1, .section(Array(content.dropFirst().dropLast())))
      default: body(index + 1, .key(Array(content.prefix { $0 != UInt8(ascii: "=") }.trimmed)))
      }
    }
  }
}
