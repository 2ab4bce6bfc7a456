package import Wire

/// A line or a request that the daemon refuses.
public struct Refusal: Hashable, Sendable {
  /// The line of the connection, counted from 1; nil if it was refused before it was sent, or is about the connection.
  public let line: UInt64?
  /// For programs: one of the codes in docs/PROTOCOL.md.
  public let code: String
  /// For people.
  public let message: String

  package init(line: UInt64?, code: String, message: String) {
    (self.line, self.code, self.message) = (line, code, message)
  }

  /// As the daemon would refuse it.
  package init(_ error: LineError, line: UInt64? = nil) {
    self.init(line: line, code: error.code.rawValue, message: error.message)
  }
}

/// Why a call did not do what it should.
public enum ClientError: Error, Hashable, Sendable {
  /// The daemon refuses, and has changed nothing.
  case refused(Refusal)
  /// No daemon answers in any of these runtime directories; empty if `XDG_RUNTIME_DIR` is needed and not set.
  case noDaemon(triedDirectories: [String])
  /// A daemon is there, but this user may not connect to its socket.
  case notPermitted(socket: String)
  /// The connection ended before the answer came: what was asked for may have been done or not.
  case connectionLost
  /// The answer did not come in time: what was asked for may have been done or not.
  case timedOut
  /// The daemon said something that its protocol does not know, in words.
  case badReply(String)
  /// A file or a system call failed, in words.
  case system(String)
}

extension ClientError: CustomStringConvertible {
  /// What happened, for people.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.message
    case .noDaemon(let directories) where directories.isEmpty:
      "no daemon can be found: XDG_RUNTIME_DIR is not set"
    case .noDaemon(let directories): "no daemon answers in \(directories.joined(separator: " or "))"
    case .notPermitted(let socket): "this user may not connect to \(socket)"
    case .connectionLost: "the connection to the daemon was lost"
    case .timedOut: "the daemon did not answer in time"
    case .badReply(let words): "the daemon's answer can't be understood: \(words)"
    case .system(let words): words
    }
  }
}
