package import Wire

/// What the daemon counts, and what is wrong with it at the moment.
public struct DaemonStatus: Hashable, Sendable {
  /// The daemon's version.
  public let version: String
  /// Its process.
  public let process: Int
  /// When it was started.
  public let startedAt: UnixTime?
  /// The round of publishing.
  public let generation: UInt64
  /// What was counted, by the names in docs/OPERATIONS.md; a newer daemon may have more.
  public let counters: [String: UInt64]
  /// Lines that were refused, by their code.
  public let refused: [String: UInt64]
  /// What is wrong, in words, by where: `storageError`, `snapshotError`, `settingsError`.
  public let problems: [String: String]
  /// Everything, as the JSON text of an object.
  public let text: String

  package init(_ node: JSONNode) {
    version = node["version"]?.string ?? ""
    process = node["pid"]?.whole ?? 0
    startedAt = node["startedAt"]?.time
    generation = node["generation"]?.count ?? 0
    counters = Self.table(node["counters"], \.count)
    refused = Self.table(node["refused"], \.count)
    problems = Self.table(node, \.string).filter { $0.key.hasSuffix("Error") }
    text = node.text
  }

  private static func table<Value>(_ node: JSONNode?, _ value: (JSONNode) -> Value?) -> [String: Value] {
    var table: [String: Value] = [:]
    for member in node?.members ?? [] { table[member.name] = value(member.node) }
    return table
  }
}
