import Posix
import QuickActionsClient
import Wire

// What can be seen without a daemon.
extension Invocation {
  /// Asks the daemon; if none answers, or this user may not ask it, reads what it has published, and tells how old that is.
  ///
  /// - Parameter read: looks into one state directory; nil if there is nothing.
  /// - Throws: why the daemon does not answer, if nothing is published either.
  func askOrRead(
    _ ask: () throws(ClientError) -> JSONNode, read: (_ directory: String) throws(ClientError) -> JSONNode?
  ) throws(ClientError) -> (node: JSONNode, isFromFile: Bool) {
    do { return (try ask(), false) } catch {
      switch error {
      case .noDaemon, .notPermitted, .timedOut: break
      default: throw error
      }
      for directory in stateDirectories {
        guard let node = try read(directory) else { continue }
        let age = node["computedAt"]?.time.map { TimeText.ago($0, now: .now) } ?? "some time ago"
        output.note("\(error.description); this was published \(age), in \(VisibleText.of(directory))")
        return (node, true)
      }
      throw error
    }
  }
}
