import Wire

/// Reads the entries of a history one after the other.
///
/// An entry's use gets an idempotency id of `import:` and 128 bits of a hash over the format, the entry's bytes, and its
/// number among entries of the same bytes: reading the same history again, or one that has grown, gives the same ids.
package struct HistoryReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let format: HistoryFormat
  private var entries: any HistoryEntries
  private var occurrences: [ArraySlice<UInt8>: Int] = [:]

  /// A reader at the first entry.
  ///
  /// - Parameters:
  ///   - bytes: all of the file.
  ///   - app: the owner of commands, and of rows that name none; nil for the format's own name, and for rows of their
  ///     actions' default owner. Lines of an export keep what they say.
  ///   - modified: when the file was last changed, Unix nanoseconds: the time of entries without one.
  package init(_ bytes: [UInt8], format: HistoryFormat, app: [UInt8]?, modified: Int64) {
    self.bytes = bytes
    self.format = format
    let commands = CommandEntryMaker(app: app ?? Array(format.rawValue.utf8), modified: modified)
    entries =
      switch format {
      case .tsv: TableEntries(bytes, app: app)
      case .bash: BashEntries(bytes, commands)
      case .zsh: ZshEntries(bytes, commands)
      case .fish: FishEntries(bytes, commands)
      case .zoxide: ZoxideEntries(bytes, app: commands.app)
      case .export: ExportEntries(bytes, modified: modified)
      }
  }

  /// The next entry; nil at the end.
  ///
  /// - Complexity: O(n) in the entry's bytes; in memory, a slice for each entry so far.
  package mutating func next() -> HistoryEntry? {
    guard var entry = entries.next() else { return nil }
    if case .use(var use) = entry.content, use.id.isEmpty {
      use.id = id(of: bytes[entry.source])
      entry.content = .use(use)
    }
    return entry
  }

  private mutating func id(of source: ArraySlice<UInt8>) -> [UInt8] {
    let occurrence = occurrences[source, default: 0] + 1
    occurrences[source] = occurrence
    let text = Array(format.rawValue.utf8) + [0x0a] + source + [0x0a] + Array(String(occurrence).utf8)
    let digits = SHA256.digest(text).prefix(16).flatMap { [$0 >> 4, $0 & 15] }
    return Array("import:".utf8) + digits.map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
  }
}

/// The entries of one format.
protocol HistoryEntries {
  /// The next entry, its use without an id unless the history has one; nil at the end.
  mutating func next() -> HistoryEntry?
}

/// Makes uses of command lines.
struct CommandEntryMaker {
  /// The app of all commands.
  let app: [UInt8]
  /// The time of commands that have none, Unix nanoseconds.
  let modified: Int64

  /// The use of what a command line runs, at Unix seconds.
  func use(_ command: some Collection<UInt8>, at seconds: Int64?) throws(HistoryFault) -> HistoryContent {
    guard let name = CommandName.of(command) else { throw .noCommand }
    let time = if let seconds { try nanoseconds(seconds) } else { modified }
    return .use(try HistoryUse(app + [UInt8(ascii: ".")] + name, app: app, time: time))
  }
}
