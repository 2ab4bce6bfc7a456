import Catalogue
import Ranking
import Wire

extension Snapshot {
  private static let columns = ["rank", "kind", "score", "uses", "lastUsed", "app", "action", "title"]

  /// The snapshot's rows for shells: columns parted by tabs, one header line that starts with `#`.
  ///
  /// Ids hold no tabs and no line ends by their own rules; those of a title are written as spaces. An action that was
  /// never used has an empty lastUsed.
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
      bytes += (shortcut.definition?.localizedTitle ?? "").utf8.map { Self.breaksRow($0) ? UInt8(ascii: " ") : $0 }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Whether a byte of a title would be taken for the end of a column or of a row.
  private static func breaksRow(_ byte: UInt8) -> Bool { [0x09, 0x0a, 0x0d].contains(byte) }
}
