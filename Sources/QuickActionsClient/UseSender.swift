import Posix
import Synchronization

/// Records uses without ever making its caller wait: for apps, menus and shells, from any thread.
///
/// Each use is one datagram. What the kernel does not take at once, or has no receiver for, is dropped and counted; after
/// the daemon was restarted the next use finds it again.
public final class UseSender: Sendable {
  private struct State: ~Copyable {
    var socket: FileDescriptor?
    var dropped: UInt64 = 0
  }

  private let daemon: DaemonChoice
  private let state = Mutex(State())

  /// A sender to a daemon, which need not be there yet.
  public init(_ daemon: DaemonChoice = .automatic) { self.daemon = daemon }

  /// Uses that were dropped so far.
  public var dropped: UInt64 { state.withLock { $0.dropped } }

  /// What became of a use.
  public enum Outcome: Hashable, Sendable {
    /// The kernel has it for the daemon.
    case sent
    /// No daemon is there to take it: dropped.
    case noDaemon
    /// The daemon has more waiting than the kernel keeps for it: dropped.
    case full
  }

  /// Records one use of an action, now.
  ///
  /// - Throws: ``ClientError/refused(_:)`` for an id that is no valid one. Nothing else is thrown.
  @discardableResult
  public func record(_ action: ActionID) throws(ClientError) -> Outcome { try record(Use(action)) }

  /// Records a use.
  ///
  /// - Throws: ``ClientError/refused(_:)`` for a use that the daemon would refuse. Nothing else is thrown.
  @discardableResult
  public func record(_ use: Use) throws(ClientError) -> Outcome {
    let line = try use.line()
    return state.withLock { state in
      let outcome = Self.send(line, &state.socket, to: daemon)
      if outcome != .sent { state.dropped += 1 }
      return outcome
    }
  }

  private static func send(_ line: [UInt8], _ socket: inout FileDescriptor?, to daemon: DaemonChoice) -> Outcome {
    if let raw = socket?.raw {
      let outcome = send(line, over: raw)
      if outcome != .noDaemon { return outcome }
    }
    socket = nil
    for places in daemon.candidates {
      do {
        let found = try UnixSocket.connect(.datagram, path: places.path(of: .datagrams))
        let outcome = send(line, over: found.raw)
        socket = consume found
        return outcome
      } catch {
        continue
      }
    }
    return .noDaemon
  }

  private static func send(_ line: [UInt8], over socket: Int32) -> Outcome {
    do { return try UnixSocket.send(socket, line) > 0 ? .sent : .full } catch {
      return error.isPeerGone ? .noDaemon : .full
    }
  }
}
