import Posix
import QuickActionsClient
import Wire

extension Subcommand {
  static let export = Subcommand(
    name: "export", summary: "Write everything that the daemon knows as lines", synopsis: "[FILE]",
    details: """
      What is registered and chosen, and all uses with their times, as lines that the control socket takes; import
      --format export gives them to another daemon. Without FILE they go to standard output. A file is written beside
      the old one, for you alone to read, and takes its place once it is whole.
      """, operands: 0...1
  ) { invocation in
    let connection = try invocation.connect()
    guard let path = invocation.operands.first, path != "-" else {
      try connection.export { (lines) throws(ClientError) in
        do throws(CommandFailure) { try invocation.output.write(text(lines)) } catch { throw .system(error.message) }
      }
      return .done
    }
    var (bytes, count): ([UInt8], Int) = ([], 0)
    try connection.export { (lines) throws(ClientError) in
      bytes += text(lines)
      count += lines.count
    }
    try write(bytes, to: path)
    if invocation.output.isJSON {
      try invocation.output.json { json in
        json.member("file", path)
        json.member("lines", count)
      }
    } else {
      invocation.output.note("\(AmountText.count(count, "line")) in \(VisibleText.of(path))")
    }
    return .done
  }

  private static func text(_ lines: [String]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [0x0a] } }

  private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let folder = try Directory(opening: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    try AtomicFile(bytes, replacing: name, in: folder, mode: 0o600, synchronizes: true).commit(in: folder)
    try folder.synchronize()
  }
}
