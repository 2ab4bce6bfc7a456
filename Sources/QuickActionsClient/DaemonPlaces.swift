import Posix

/// Where a daemon's sockets and files are.
public struct DaemonPlaces: Hashable, Sendable {
  /// The folder of the sockets.
  public var runtimeDirectory: String
  /// The folder that holds `snapshots`; nil if it is not known.
  public var stateDirectory: String?

  /// Those in two folders.
  public init(runtimeDirectory: String, stateDirectory: String?) {
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
  }

  /// Those of the machine's daemon.
  public static let system = DaemonPlaces(
    runtimeDirectory: "/run/quickactions", stateDirectory: "/var/lib/quickactions")

  /// Those of the user's own daemon; nil without `XDG_RUNTIME_DIR`.
  public static var user: DaemonPlaces? {
    Process.environment("XDG_RUNTIME_DIR").map {
      DaemonPlaces(runtimeDirectory: $0 + "/quickactions", stateDirectory: userStateDirectory)
    }
  }

  private static var userStateDirectory: String? {
    (Process.environment("XDG_STATE_HOME") ?? Process.environment("HOME").map { $0 + "/.local/state" })
      .map { $0 + "/quickactions" }
  }

  /// The sockets in a runtime directory.
  enum Socket: String {
    case events = "events.sock"
    case datagrams = "events.dgram"
    case control = "control.sock"
  }

  func path(of socket: Socket) -> String { runtimeDirectory + "/" + socket.rawValue }
}

/// Which daemon is meant.
public enum DaemonChoice: Hashable, Sendable {
  /// The user's own if it answers, else the machine's.
  case automatic
  /// The user's own.
  case user
  /// The machine's.
  case system
  /// The one in these places.
  case at(DaemonPlaces)

  /// Where to look, in this order; empty if nothing says where the user's daemon is.
  public var candidates: [DaemonPlaces] {
    switch self {
    case .automatic: [DaemonPlaces.user, .system].compactMap { $0 }
    case .user: [DaemonPlaces.user].compactMap { $0 }
    case .system: [.system]
    case .at(let places): [places]
    }
  }
}
