import Glibc

/// The signals that the daemon and its client have to do with.
package enum Signal: CaseIterable, Sendable {
  case hangUp, interrupt, user1, brokenPipe, terminate, windowChange

  /// The kernel's number for it.
  package var number: Int32 {
    switch self {
    case .hangUp: SIGHUP
    case .interrupt: SIGINT
    case .user1: SIGUSR1
    case .brokenPipe: SIGPIPE
    case .terminate: SIGTERM
    case .windowChange: SIGWINCH
    }
  }
}
