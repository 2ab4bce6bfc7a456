import Catalogue
import Ranking
package import Wire

extension Snapshot {
  /// The format's name in each file; a change that would break readers gets another number.
  package static let format = "quickactions-snapshot/1"

  /// The snapshot as JSON, ending in a line end.
  ///
  /// - Complexity: O(bytes), at most some 20 KiB.
  package func json() -> [UInt8] {
    var writer = JSONWriter(.indented, reserving: 2048)
    writer.object { writer in
      writer.member("format", Self.format)
      writeMembers(to: &writer)
    }
    writer.newline()
    return writer.bytes
  }

  /// The members of a snapshot's object, but for `format`.
  package func writeMembers(to writer: inout JSONWriter) {
    if let app { writer.member("app", utf8: app) }
    writer.member("generation", generation)
    writer.member("computedAt", RFC3339.string(nanoseconds: computedAt, fractionDigits: 3))
    writer.member("limit", limit)
    writer.member("method", object: method.write)
    writer.member("maxError", number: maxError)
    if let hits { writer.member("hits", object: hits.write) }
    writer.member("shortcuts", array: { writeList(shortcuts, to: &$0) })
    if app != nil { writer.member("dynamic", array: { writeList(dynamic, to: &$0) }) }
  }

  private func writeList(_ list: [Shortcut], to writer: inout JSONWriter) {
    for (place, shortcut) in list.enumerated() {
      writer.object { shortcut.writeMembers(rank: place + 1, namesApp: app == nil, to: &$0) }
    }
  }
}

extension Shortcut {
  /// The members of a row.
  package func writeMembers(rank: Int, namesApp: Bool, to writer: inout JSONWriter) {
    writer.member("rank", rank)
    writer.member("kind", kind)
    if namesApp { writer.member("app", utf8: action.app) }
    let hash = action.id.firstIndex(of: UInt8(ascii: "#"))
    writer.member("type", utf8: action.id[..<(hash ?? action.id.endIndex)])
    if let hash { writer.member("target", utf8: action.id[(hash + 1)...]) }
    (definition ?? .undefined).json(to: &writer)
    writer.member("score", number: action.score)
    writer.member("uses", action.uses)
    writer.member("lastUsed", action.lastUsed.map { RFC3339.string(nanoseconds: $0, fractionDigits: 0) })
  }
}

extension ActionDefinition {
  /// What is written of an action that nobody has defined: no title, no icon, nothing that the app wants back.
  fileprivate static let undefined = ActionDefinition(id: [], kind: .dynamic)
}
