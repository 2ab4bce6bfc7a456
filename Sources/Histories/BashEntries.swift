/// A history of bash.
///
///     history = *( [stamp] command )
///     stamp   = "#" 1*DIGIT LF            ; Unix seconds, with HISTTIMEFORMAT only
///     command = 1*( line LF )             ; several lines only where the file begins with a stamp, as bash has it
struct BashEntries: HistoryEntries {
  private var lines: Lines
  private let commands: CommandEntryMaker
  private let joinsLines: Bool

  init(_ bytes: [UInt8], _ commands: CommandEntryMaker) {
    lines = Lines(bytes)
    self.commands = commands
    joinsLines = lines.peek().map { Self.stamp(bytes[$0]) != nil } ?? false
  }

  mutating func next() -> HistoryEntry? {
    while let first = lines.next() {
      let number = lines.number
      let seconds = Self.stamp(lines.bytes[first])
      if seconds == nil {
        if first.isEmpty { continue }
        return entry(number, first, first, nil)
      }
      guard var command = nextOfCommand() else { continue }
      if joinsLines { while let more = nextOfCommand() { command = command.lowerBound..<more.upperBound } }
      return entry(number, first.lowerBound..<command.upperBound, command, seconds)
    }
    return nil
  }

  private mutating func nextOfCommand() -> Range<Int>? {
    guard let line = lines.peek(), Self.stamp(lines.bytes[line]) == nil else { return nil }
    return lines.next()
  }

  private func entry(_ number: Int, _ source: Range<Int>, _ command: Range<Int>, _ seconds: Int64?) -> HistoryEntry {
    HistoryEntry(number, source) { () throws(HistoryFault) in
      try commands.use(lines.bytes[command], at: seconds)
    }
  }

  /// The Unix seconds of a line that says when the command behind it was run.
  static func stamp(_ line: ArraySlice<UInt8>) -> Int64? {
    line.first == UInt8(ascii: "#") ? line.dropFirst().seconds : nil
  }
}
