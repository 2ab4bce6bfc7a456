import Foundation

/// One import, as a line of a source file says it.
struct Import: Hashable {
  var module: String
  /// The one name that is imported, with its kind: `func exp2`; nil for a whole module.
  var name: String?
  var isPrivate = false

  private static let access: Set = ["private", "fileprivate", "internal", "package", "public"]
  private static let kinds: Set = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"]

  init(module: String, name: String? = nil, isPrivate: Bool = false) {
    self.module = module
    self.name = name
    self.isPrivate = isPrivate
  }

  /// Reads a line of source; nil if it is no import.
  ///
  ///     import = *attribute [access] "import" [kind] module *( "." name )
  init?(line: String) {
    let code = line.components(separatedBy: "//")[0]
    var words = code.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" }).map(String.init)[...]
    while words.first?.hasPrefix("@") == true { words.removeFirst() }
    if let word = words.first, Self.access.contains(word) {
      isPrivate = word == "private" || word == "fileprivate"
      words.removeFirst()
    }
    guard words.popFirst() == "import", let first = words.popFirst() else { return nil }
    let kind = Self.kinds.contains(first) ? first : nil
    let path = (kind == nil ? first : words.popFirst() ?? "").split(separator: ".", maxSplits: 1).map(String.init)
    module = path.first ?? ""
    if path.count == 2 { name = [kind, path[1]].compactMap { $0 }.joined(separator: " ") }
  }

  /// Whether an import of a file is what this one, of the table, allows.
  func allows(_ other: Import) -> Bool {
    module == other.module && (!isPrivate || other.isPrivate) && (name == nil || name == other.name)
  }
}

/// One row of the table of layers.
struct Layer {
  let level: Int
  let target: String
  let allowed: [Import]

  /// Reads a row such as ``| 1 | `Wire` | words | `Ranking`, `func Glibc.memchr` |``; nil if it is none.
  init?(row: String) {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard cells.count == 6, let level = Int(cells[1]), let target = Self.code(cells[2]).first else { return nil }
    self.level = level
    self.target = target
    allowed = Self.code(cells[4]).compactMap { item in
      let isPrivate = item.hasPrefix("private ")
      let words = item.dropFirst(isPrivate ? "private ".count : 0)
      guard var result = Import(line: "import \(words)") else { return nil }
      result.isPrivate = isPrivate
      return result
    }
  }

  /// What stands between backticks.
  private static func code(_ cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}

/// The repository that this file belongs to.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The lines of a text; a last line without its end counts.
  static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The targets in `Sources`.
  static func targets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Every Swift file in `Sources`, by its path below the root, with its target.
  static func sources() throws -> [(target: String, path: String)] {
    try targets().flatMap { target in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources/\(target)").path)
        .filter { $0.hasSuffix(".swift") }.sorted().map { (target, "Sources/\(target)/\($0)") }
    }
  }

  static func layers() throws -> [Layer] { lines(try text("docs/ARCHITECTURE.md")).compactMap { Layer(row: $0) } }
}
