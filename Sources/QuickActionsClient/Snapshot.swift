import Posix
package import Wire

/// One ranked list: of an app, or over all apps.
public struct Snapshot: Hashable, Sendable {
  /// Whose list; nil for the one over all apps.
  public let app: AppID?
  /// The round of publishing.
  public let generation: UInt64
  /// When the scores held.
  public let computedAt: UnixTime?
  /// The most entries that the list may have.
  public let limit: Int
  /// What to show, best first: static actions, then the best dynamic ones.
  public let shortcuts: [Shortcut]
  /// The best dynamic actions, whatever the static ones are; empty in the list over all apps.
  public let dynamic: [Shortcut]

  package init(_ node: JSONNode) throws(ClientError) {
    app = node["app"]?.string.map { AppID($0) }
    generation = node["generation"]?.count ?? 0
    computedAt = node["computedAt"]?.time
    limit = node["limit"]?.whole ?? 0
    shortcuts = try Shortcut.list(node["shortcuts"], app: app)
    dynamic = try Shortcut.list(node["dynamic"], app: app)
  }

  /// The version of the files' format that is read.
  static let format = "quickactions-snapshot/1"
  /// Far more than a file of 20 shortcuts can have.
  private static let mostBytes = 1 << 20

  /// Reads the published list of an app, or over all apps, without asking the daemon; nil if there is none.
  ///
  /// A published file is always whole, and may be as old as the last change of the ranking.
  ///
  /// - Parameter stateDirectory: the daemon's; see ``DaemonPlaces``.
  public static func read(of app: AppID? = nil, in stateDirectory: String) throws(ClientError) -> Snapshot? {
    guard let node = try node(of: app, in: stateDirectory) else { return nil }
    return try Snapshot(node)
  }

  /// As ``read(of:in:)``, from the first of the daemon's places that has the list.
  public static func read(
    of app: AppID? = nil, _ daemon: DaemonChoice = .automatic
  ) throws(ClientError) -> Snapshot? {
    for directory in daemon.candidates.compactMap(\.stateDirectory) {
      if let snapshot = try read(of: app, in: directory) { return snapshot }
    }
    return nil
  }

  /// The contents of a published file.
  package static func node(of app: AppID?, in stateDirectory: String) throws(ClientError) -> JSONNode? {
    let name = app.map { "apps/" + SnapshotName(app: Array($0.text.utf8)).base } ?? "top"
    return try node(in: "\(stateDirectory)/snapshots/\(name).json")
  }

  /// The contents of a published file by its path.
  package static func node(in path: String) throws(ClientError) -> JSONNode? {
    guard let bytes = try bytes(in: path) else { return nil }
    let node: JSONNode
    do { node = try JSONNode.object(bytes) } catch { throw .badReply("\(path): \(error.message)") }
    guard node["format"]?.string == format else { throw .badReply("\(path) is no \(format)") }
    return node
  }

  private static func bytes(in path: String) throws(ClientError) -> [UInt8]? {
    do { return try RegularFile.read(path, limit: mostBytes) } catch {
      switch error {
      case .missing, .danglingLink: return nil
      case .notRegular(let kind): throw .system("cannot read \(path): it is a \(kind.words)")
      case .tooLarge: throw .system("cannot read \(path): it has over \(mostBytes) bytes")
      case .system(let error) where error.isNotAFolder: return nil
      case .system(let error): throw .system("cannot \(error.operation) \(path): \(error.reason)")
      }
    }
  }
}
