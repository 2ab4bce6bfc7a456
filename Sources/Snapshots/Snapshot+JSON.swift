import Ranking
import Wire

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
      if let app { writer.member("app", utf8: app) }
      writer.member("generation", generation)
      writer.member("computedAt", RFC3339.string(nanoseconds: computedAt, fractionDigits: 3))
      writer.member("limit", limit)
      writeList("shortcuts", to: &writer)
      // Every action is dynamic as long as nothing declares static ones.
      if app != nil { writeList("dynamic", to: &writer) }
    }
    writer.newline()
    return writer.bytes
  }

  private func writeList(_ name: String, to writer: inout JSONWriter) {
    writer.key(name)
    writer.array { writer in
      for (place, action) in shortcuts.enumerated() { write(action, rank: place + 1, to: &writer) }
    }
  }

  private func write(_ action: RankedAction, rank: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("rank", rank)
      writer.member("kind", "dynamic")
      if app == nil { writer.member("app", utf8: action.app) }
      let hash = action.id.firstIndex(of: UInt8(ascii: "#"))
      writer.member("type", utf8: action.id[..<(hash ?? action.id.endIndex)])
      if let hash { writer.member("target", utf8: action.id[(hash + 1)...]) }
      for name in ["localizedTitle", "localizedSubtitle", "icon"] { writer.memberNull(name) }
      writer.member("userInfo", object: { _ in })
      writer.member("score", number: action.score)
      writer.member("uses", action.uses)
      writer.member("lastUsed", RFC3339.string(nanoseconds: action.lastUsed, fractionDigits: 0))
    }
  }
}
