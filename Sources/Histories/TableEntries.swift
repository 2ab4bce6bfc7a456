import Wire

/// A table with tabs.
///
///     table = *( row / comment / LF )
///     row   = action HTAB time [ HTAB [n] [ HTAB [app] ] ] [CR] LF    ; each as in the plain form of a use
///     comment = "#" *byte LF
struct TableEntries: HistoryEntries {
  private var lines: Lines
  private let app: [UInt8]?

  init(_ bytes: [UInt8], app: [UInt8]?) {
    lines = Lines(bytes)
    self.app = app
  }

  mutating func next() -> HistoryEntry? {
    while let line = lines.next() {
      let row = Self.withoutReturn(lines.bytes[line])
      if row.isEmpty || row.first == UInt8(ascii: "#") { continue }
      return HistoryEntry(lines.number, row.startIndex..<row.endIndex) { () throws(HistoryFault) in try use(row) }
    }
    return nil
  }

  private func use(_ row: ArraySlice<UInt8>) throws(HistoryFault) -> HistoryContent {
    let columns = Self.columns(row)
    guard (2...4).contains(columns.count) else { throw .columns(columns.count) }
    func column(_ index: Int) -> [UInt8]? {
      columns.indices.contains(index) && !columns[index].isEmpty ? columns[index] : nil
    }
    var (count, time): (UInt32, Int64) = (1, 0)
    do throws(LineError) {
      time = try UseText.time(columns[1])
      if let text = column(2) { count = try UseText.count(text) }
    } catch {
      throw .refused(error)
    }
    return .use(try HistoryUse(columns[0], app: column(3) ?? app, count: count, time: time))
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0d ? line.dropLast() : line
  }

  private static func columns(_ row: ArraySlice<UInt8>) -> [[UInt8]] {
    row.split(separator: 0x09, omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether a line has a time in its second column.
  static func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    let columns = columns(withoutReturn(line))
    return columns.count > 1 && (try? UseText.time(columns[1])) != nil
  }
}
