/// A history of fish.
///
///     history = *( "- cmd: " command LF *( SP field LF ) )
///     command = *( byte / "\n" / "\\" )             ; a line end and a backslash, as two bytes each
///     field   = SP "when: " 1*DIGIT / *byte         ; others, such as paths, say nothing here
struct FishEntries: HistoryEntries {
  static let start = Array("- cmd: ".utf8)
  private static let when = Array("  when: ".utf8)

  private var lines: Lines
  private let commands: CommandEntryMaker

  init(_ bytes: [UInt8], _ commands: CommandEntryMaker) {
    lines = Lines(bytes)
    self.commands = commands
  }

  mutating func next() -> HistoryEntry? {
    guard let first = lines.next() else { return nil }
    let number = lines.number
    guard lines.bytes[first].starts(with: Self.start) else {
      return first.isEmpty ? next() : HistoryEntry(number, first) { () throws(HistoryFault) in throw .stray }
    }
    var seconds: Int64?
    // Up to its time: paths are added to an entry later on.
    var end = first.upperBound
    while let line = lines.peek(), lines.bytes[line].first == 0x20 {
      if lines.bytes[line].starts(with: Self.when), let value = lines.bytes[line].dropFirst(Self.when.count).seconds {
        seconds = value
        end = line.upperBound
      }
      _ = lines.next()
    }
    let command = Self.unescaped(lines.bytes[first].dropFirst(Self.start.count))
    return HistoryEntry(number, first.lowerBound..<end) { () throws(HistoryFault) in
      try commands.use(command, at: seconds)
    }
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (UInt8(ascii: "\\"), UInt8(ascii: "n")): result.append(0x0a)
      case (UInt8(ascii: "\\"), UInt8(ascii: "\\")): result.append(byte)
      default:
        result.append(byte)
        continue
      }
      rest.removeFirst()
    }
    return result
  }
}
