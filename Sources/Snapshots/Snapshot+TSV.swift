import Catalogue
import Ranking
import Wire

extension Snapshot {
  private static let columns = ["rank", "kind", "score", "uses", "lastUsed", "app", "action", "title"]

  /// The snapshot's rows for shells: columns parted by tabs, one header line that starts with `#`.
  ///
  /// Ids hold no control characters and no line ends by their own rules; those of a title are written as spaces. An
  /// action that was never used has an empty lastUsed.
  ///
  /// - Complexity: O(bytes).
  package func tsv() -> [UInt8] {
    var bytes = Array(("#" + Self.columns.joined(separator: "\t") + "\n").utf8)
    for (place, shortcut) in shortcuts.enumerated() {
      let action = shortcut.action
      bytes += "\(place + 1)\t\(shortcut.kind)\t".utf8
      DecimalText.append(sixSignificantDigits: action.score, to: &bytes)
      bytes += "\t\(action.uses)\t".utf8
      if let lastUsed = action.lastUsed { RFC3339.append(nanoseconds: lastUsed, fractionDigits: 0, to: &bytes) }
      bytes.append(UInt8(ascii: "\t"))
      bytes += action.app
      bytes.append(UInt8(ascii: "\t"))
      bytes += action.id
      bytes.append(UInt8(ascii: "\t"))
      bytes += Self.cell(shortcut.definition?.localizedTitle ?? "").utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// A text with spaces for what some program would take for the end of a column or of a row, or a terminal would obey.
  private static func cell(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
