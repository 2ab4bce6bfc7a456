/// A history of zsh.
///
///     history = *( [stamp] command LF )
///     stamp   = ":" 1*SP 1*DIGIT ":" 1*DIGIT ";"    ; Unix seconds and duration, with EXTENDED_HISTORY only
///     command = *( byte / "\" LF )                  ; a backslash at the end of a line joins it with the next one
///
/// Some bytes are "metafied": 0x83 and the byte with one bit changed.
struct ZshEntries: HistoryEntries {
  private var lines: Lines
  private let commands: CommandEntryMaker

  init(_ bytes: [UInt8], _ commands: CommandEntryMaker) {
    lines = Lines(bytes)
    self.commands = commands
  }

  mutating func next() -> HistoryEntry? {
    while var line = lines.next() {
      let (number, start) = (lines.number, line.lowerBound)
      let stamp = Self.stamp(lines.bytes[line])
      var command = Array(lines.bytes[(stamp?.end ?? start)..<line.upperBound])
      while command.last == UInt8(ascii: "\\"), let more = lines.next() {
        command[command.count - 1] = 0x0a
        command += lines.bytes[more]
        line = more
      }
      if command.isEmpty, stamp == nil { continue }
      return HistoryEntry(number, start..<line.upperBound) { () throws(HistoryFault) in
        try commands.use(Self.unmetafied(command), at: stamp?.seconds)
      }
    }
    return nil
  }

  /// The Unix seconds that a line begins with, and where the command begins.
  static func stamp(_ line: ArraySlice<UInt8>) -> (seconds: Int64, end: Int)? {
    guard line.starts(with: ": ".utf8) else { return nil }
    let time = line.dropFirst().drop { $0 == 0x20 }
    let seconds = time.prefix(while: \.isDigit)
    let rest = time[seconds.endIndex...]
    let duration = rest.dropFirst().prefix(while: \.isDigit)
    guard let value = seconds.seconds, rest.first == UInt8(ascii: ":"), !duration.isEmpty,
      line[duration.endIndex...].first == UInt8(ascii: ";")
    else { return nil }
    return (value, duration.endIndex + 1)
  }

  private static func unmetafied(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == 0x83, let next = rest.popFirst() { result.append(next ^ 0x20) } else { result.append(byte) }
    }
    return result
  }
}
