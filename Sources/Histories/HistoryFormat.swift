/// Where a history comes from; the raw value is the name a person gives it.
package enum HistoryFormat: String, CaseIterable, Sendable {
  /// Columns separated by tabs: action, time, count, app; the last two may be left out.
  case tsv
  /// What bash writes to HISTFILE, with times or without.
  case bash
  /// What zsh writes to HISTFILE, extended or plain.
  case zsh
  /// What fish keeps in `fish_history`.
  case fish
  /// The database of zoxide, version 3.
  case zoxide
  /// What the daemon's `export` gave.
  case export

  /// The format that a file's bytes show, or else its name; nil if neither does.
  ///
  /// A bash or zsh history without times is just lines: only a name with `bash` or `zsh` in it tells.
  /// - Complexity: O(1): the first 64 KiB are looked at.
  package static func guess(_ bytes: [UInt8], name: String) -> HistoryFormat? {
    if bytes.starts(with: ZoxideEntries.signature) { return .zoxide }
    var lines = Lines(Array(bytes.prefix(65_536)))
    while let line = lines.next() {
      let line = lines.bytes[line]
      if line.isEmpty { continue }
      if line.first == UInt8(ascii: "{") { return .export }
      if line.starts(with: FishEntries.start) { return .fish }
      if ZshEntries.stamp(line) != nil { return .zsh }
      if BashEntries.stamp(line) != nil { return .bash }
      if line.first != UInt8(ascii: "#"), TableEntries.isRow(line) { return .tsv }
    }
    for format in [HistoryFormat.bash, .zsh] where name.contains(format.rawValue) { return format }
    return nil
  }
}
