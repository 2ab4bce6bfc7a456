import Posix
import QuickActionsClient
import Wire

/// `use -`: lines of standard input go to the daemon as they come.
///
/// Each line is looked at here first, by the daemon's own reader, so that every one that is refused is told, however
/// many there are in a second. An empty line stands for it on the way, which keeps the daemon's numbers of lines ours.
struct UseLines {
  private let invocation: Invocation
  private let stream: UseStream
  private var refused: UInt64 = 0

  /// The most that any daemon takes; the limit of this one is for it to say.
  private static let mostLineBytes = 1 << 20
  private static let partBytes = 65_536

  init(_ invocation: Invocation) throws(ClientError) {
    self.invocation = invocation
    stream = try invocation.stream()
    stream.onRefusal = { [output = invocation.output] in output.report($0) }
    stream.onUntoldRefusals = { [output = invocation.output] count, lines in
      output.note("lines \(lines.lowerBound) to \(lines.upperBound): \(count) more refused")
    }
  }

  mutating func run() throws -> ExitStatus {
    var cutter = LineCutter(maxLineBytes: Self.mostLineBytes)
    while let part = try nextPart() {
      try unsafe part.withUnsafeBytes { bytes in
        var rest = unsafe bytes
        while let cut = unsafe cutter.next(&rest) { try take(cut) }
      }
    }
    if let cut = cutter.finish() { try take(cut) }
    let sync = try stream.sync()
    return try invocation.finish(sync, refused: refused + sync.refused)
  }

  /// Waits for input and for the daemon's words, whichever comes first; nil at the end of the input.
  private func nextPart() throws -> [UInt8]? {
    let input = (StandardStream.input.rawValue, Poll.Events.read)
    if try Poll.wait(for: [input], milliseconds: 0)[0].isEmpty {
      try stream.flush()
      while true {
        let ready = try Poll.wait(for: [input, (stream.descriptor, .read)], milliseconds: nil)
        if !ready[1].isEmpty { try stream.takeReplies() }
        if !ready[0].isEmpty { break }
      }
    }
    let part = try StandardStream.input.read(limit: Self.partBytes)
    return part.isEmpty ? nil : part
  }

  private mutating func take(_ cut: Cut) throws {
    do throws(ClientError) {
      switch cut {
      case .line(let bytes, _):
        let line = unsafe [UInt8](bytes)
        try stream.send(line: (Use.check(line) ? line : []) + [0x0a])
      case .tooLong: throw ClientError.refused(Refusal(.lineTooLong(limit: Self.mostLineBytes)))
      }
    } catch .refused(let refusal) where refusal.line == nil {
      let line = try stream.send(line: [0x0a])
      refused += 1
      invocation.output.report(Refusal(line: line, code: refusal.code, message: refusal.message))
    }
  }
}
