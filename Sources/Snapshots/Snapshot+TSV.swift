import Ranking
import Wire

extension Snapshot {
  private static let columns = ["rank", "kind", "score", "uses", "lastUsed", "app", "action", "title"]

  /// The snapshot's rows for shells: columns parted by tabs, one header line that starts with `#`.
  ///
  /// Ids hold no tabs and no line ends by their own rules.
  ///
  /// - Complexity: O(bytes).
  package func tsv() -> [UInt8] {
    var bytes = Array(("#" + Self.columns.joined(separator: "\t") + "\n").utf8)
    for (place, action) in shortcuts.enumerated() {
      bytes += "\(place + 1)\tdynamic\t".utf8
      DecimalText.append(sixSignificantDigits: action.score, to: &bytes)
      bytes += "\t\(action.uses)\t".utf8
      RFC3339.append(nanoseconds: action.lastUsed, fractionDigits: 0, to: &bytes)
      bytes.append(UInt8(ascii: "\t"))
      bytes += action.app
      bytes.append(UInt8(ascii: "\t"))
      bytes += action.id
      // No title as long as nothing declares one.
      bytes += "\t\n".utf8
    }
    return bytes
  }
}
