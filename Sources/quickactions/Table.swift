/// Rows whose columns stand under each other, for people.
struct Table {
  enum Alignment: Sendable { case left, right }

  /// A cell's text, and how it looks.
  struct Cell {
    var text: String
    var style: Style?

    /// A cell; what a terminal would obey in its text is made visible.
    init(_ text: String, _ style: Style? = nil) {
      self.text = VisibleText.of(text)
      self.style = style
    }
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[Cell]] = []

  /// An empty table. Columns without any title at all get no header.
  init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row of as many cells as there are columns.
  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count)
    rows.append(cells)
  }

  /// The lines of the table, without line ends; none ends in blanks.
  func lines(colours: Bool) -> [String] {
    let header = columns.map { Cell($0.title, .faint) }
    let all = columns.contains { !$0.title.isEmpty } ? [header] + rows : rows
    let widths = columns.indices.map { column in all.map { DisplayWidth.of($0[column].text) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      var owed = 0
      for (column, cell) in row.enumerated() {
        let padding = widths[column] - DisplayWidth.of(cell.text)
        if columns[column].alignment == .right { owed += padding }
        if !cell.text.isEmpty {
          line += String(repeating: " ", count: owed)
          line += colours ? cell.style?.apply(cell.text) ?? cell.text : cell.text
          owed = 0
        }
        if columns[column].alignment == .left { owed += padding }
        owed += 2
      }
      return line
    }
  }
}

/// How text looks on a terminal.
enum Style: String, Sendable {
  case bold = "1"
  case faint = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"

  /// The text between the terminal's codes for it.
  func apply(_ text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
