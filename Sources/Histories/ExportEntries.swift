import Wire

/// Lines as the daemon's `export` gives them: uses, and the ops that define, enable, disable, pin and block.
struct ExportEntries: HistoryEntries {
  private static let ops: Set<String> = ["define", "enable", "disable", "pin", "block"]

  private var lines: Lines
  private let modified: Int64

  init(_ bytes: [UInt8], modified: Int64) {
    lines = Lines(bytes)
    self.modified = modified
  }

  mutating func next() -> HistoryEntry? {
    while let range = lines.next() {
      let line = lines.bytes[range]
      if line.first == UInt8(ascii: "#") || line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) { continue }
      return HistoryEntry(lines.number, range) { () throws(HistoryFault) in
        try content(Array(line.last == 0x0d ? line.dropLast() : line))
      }
    }
    return nil
  }

  private func content(_ line: [UInt8]) throws(HistoryFault) -> HistoryContent {
    if let op = (try? JSONNode.object(line))?["op"] {
      guard let name = op.string, Self.ops.contains(name) else { throw .op }
      return .request(line)
    }
    guard let use = try use(line) else { throw .op }
    return .use(use)
  }

  /// The use of a line; nil for a line that is anything else.
  private func use(_ line: [UInt8]) throws(HistoryFault) -> HistoryUse? {
    var parser = LineParser()
    do throws(LineError) {
      return try unsafe line.withUnsafeBufferPointer { (bytes) throws(LineError) in
        guard case .use = unsafe try parser.parse(UnsafeRawBufferPointer(bytes)) else { return nil }
        return HistoryUse(parser.use, modified: modified)
      }
    } catch {
      throw .refused(error)
    }
  }
}

extension HistoryUse {
  /// A use as a line says it; one without a time happened when the file was changed.
  fileprivate init(_ line: UseLine, modified: Int64) {
    unsafe (action, app) = (Array(line.action), line.app.map { unsafe Array($0) })
    id = unsafe line.id.map { unsafe Array($0) } ?? []
    (count, time) = (line.count, line.time ?? modified)
  }
}
