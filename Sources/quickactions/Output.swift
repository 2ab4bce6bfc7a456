import Posix
import QuickActionsClient
import Wire

/// Where a subcommand writes: what it was asked for to standard output, everything else to standard error.
final class Output {
  /// Whether JSON is wanted.
  let isJSON: Bool
  /// Whether standard output takes colours.
  let colours: Bool
  private let errorColours: Bool
  private var pending: [UInt8] = []

  private static let mostPending = 65_536

  init(isJSON: Bool) {
    self.isJSON = isJSON
    let allows = Process.environment("NO_COLOR") == nil && Process.environment("TERM") ?? "dumb" != "dumb"
    colours = allows && StandardStream.output.isTerminal
    errorColours = allows && StandardStream.error.isTerminal
  }

  /// Text as it looks on standard output.
  func styled(_ text: String, _ style: Style) -> String { colours ? style.apply(text) : text }

  /// Writes a line of text, in which nothing is made visible.
  func line(_ text: String) throws(CommandFailure) { try write(Array(text.utf8) + [0x0a]) }

  /// Writes a table.
  func table(_ table: Table) throws(CommandFailure) {
    for line in table.lines(colours: colours) { try self.line(line) }
  }

  /// Writes one line of JSON, an object, whose members `body` writes.
  func json(_ body: (inout JSONWriter) -> Void) throws(CommandFailure) {
    var writer = JSONWriter()
    writer.object(body)
    writer.newline()
    try write(writer.bytes)
  }

  /// Writes an object as it came from the daemon, but for its `seq`.
  func json(_ reply: JSONNode) throws(CommandFailure) {
    try json { writer in
      for member in reply.members ?? [] where member.name != "seq" { writer.member(member.name, member.node) }
    }
  }

  /// Writes bytes to standard output, many at a time.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    pending += bytes
    if pending.count >= Self.mostPending { try flush() }
  }

  /// Writes what was kept back.
  func flush() throws(CommandFailure) {
    let bytes = pending
    pending = []
    do { try StandardStream.output.writeAll(bytes) } catch {
      throw .failed("cannot write to standard output: \(error.reason)")
    }
  }

  /// Says something beside the output, for people; nothing if JSON is wanted.
  func note(_ text: String) {
    if !isJSON { Process.writeToStandardError(text + "\n") }
  }

  /// Says which line was refused, and why.
  func report(_ refusal: Refusal) {
    let place = refusal.line.map { "line \($0): " } ?? ""
    if !isJSON { return note(place + VisibleText.of(refusal.message)) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member(
        "error",
        object: { writer in
          if let line = refusal.line { writer.member("line", line) }
          writer.member("code", refusal.code)
          writer.member("message", refusal.message)
        })
    }
    Process.writeToStandardError(String(decoding: writer.bytes, as: UTF8.self) + "\n")
  }

  /// Says why it did not work.
  func report(_ failure: CommandFailure) {
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member(
          "error",
          object: { writer in
            writer.member("status", failure.status.rawValue)
            writer.member("code", failure.code)
            writer.member("message", failure.message)
            writer.member("hint", failure.hint)
          })
      }
      Process.writeToStandardError(String(decoding: writer.bytes, as: UTF8.self) + "\n")
      return
    }
    let mark = errorColours ? Style.red.apply("quickactions:") : "quickactions:"
    var text = "\(mark) \(VisibleText.of(failure.message))\n"
    if let hint = failure.hint { text += "  \(VisibleText.of(hint))\n" }
    Process.writeToStandardError(text)
  }
}
