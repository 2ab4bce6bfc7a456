import Posix
import Systemd

/// The daemon's sockets, passed in by systemd or bound by itself.
struct Sockets {
  struct Listener {
    let raw: Int32
    let kind: UnixSocket.Kind
    let access: Access
    /// The file that was made for it; nil if systemd owns it.
    let ownName: String?
  }

  private(set) var listeners: [Listener] = []
  /// Connections that the service manager kept while no daemon ran.
  private(set) var kept: [(name: ConnectionName, raw: Int32)] = []
  private let runtimeDirectory: String

  private static let all: [(name: String, kind: UnixSocket.Kind, access: Access)] = [
    (Places.eventsStream, .stream, .events), (Places.eventsDatagram, .datagram, .events),
    (Places.control, .stream, .control),
  ]

  /// Takes what systemd passed, told apart by name and type, and binds what is missing.
  ///
  /// The lock on the runtime directory must be held, so that a socket found there belongs to no other instance.
  init(inherited: [InheritedSocket], runtimeDirectory: String, log: Log) throws(StartFailure) {
    self.runtimeDirectory = runtimeDirectory
    for socket in inherited {
      if socket.kind == nil, let name = ConnectionName(socket.name) {
        kept.append((name, socket.raw))
        continue
      }
      guard let access = Self.access(of: socket),
        !listeners.contains(where: { $0.kind == socket.kind && $0.access == access })
      else {
        log(
          .warning,
          "the service manager passed a socket named '\(socket.name)' that has no use here; allowed are one stream and "
            + "one datagram socket named events, and one stream socket named control")
        _ = FileDescriptor(owning: socket.raw)
        continue
      }
      try StartFailure.unlessPossible { () throws(SystemError) in try UnixSocket.setNonblocking(socket.raw) }
      listeners.append(Listener(raw: socket.raw, kind: socket.kind ?? .stream, access: access, ownName: nil))
    }
    do throws(StartFailure) {
      for (name, kind, access) in Self.all
      where !listeners.contains(where: { $0.kind == kind && $0.access == access }) {
        listeners.append(
          Listener(raw: try Self.bind(name, kind, in: runtimeDirectory), kind: kind, access: access, ownName: name))
      }
    } catch {
      // None or all: a socket without a daemon behind it would only mislead its clients.
      close()
      throw error
    }
  }

  private static func access(of socket: InheritedSocket) -> Access? {
    switch (socket.name, socket.kind) {
    case ("events", .stream), ("events", .datagram): .events
    case ("control", .stream): .control
    default: nil
    }
  }

  private static func bind(
    _ name: String, _ kind: UnixSocket.Kind, in folder: String
  ) throws(StartFailure) -> Int32 {
    let path = folder + "/" + name
    guard path.utf8.count <= UnixSocket.longestPath else {
      throw StartFailure(
        status: .cannotCreate,
        message: "the socket path \(path) has \(path.utf8.count) bytes; allowed are \(UnixSocket.longestPath)")
    }
    let kindThere = try StartFailure.unlessPossible { () throws(SystemError) in
      try Directory(opening: folder).kind(of: name)
    }
    switch kindThere {
    case nil: break
    case .socket:
      try proveStale(path, kind)
      try StartFailure.unlessPossible { () throws(SystemError) in try Directory(opening: folder).remove(name) }
    case .some(let other):
      throw StartFailure(
        status: .cannotCreate, message: "\(path) is a \(other.words), not a socket; it was left as it is")
    }
    return try StartFailure.unlessPossible { () throws(SystemError) in
      try UnixSocket.bind(kind, path: path, mode: 0o600)
    }.release()
  }

  /// Returns only if nobody listens at `path`: the kernel refuses the connection.
  private static func proveStale(_ path: String, _ kind: UnixSocket.Kind) throws(StartFailure) {
    do {
      _ = try UnixSocket.connect(kind, path: path)
    } catch {
      if error.isRefusedConnection { return }
      if !error.isWouldBlock {
        throw StartFailure(status: .cannotCreate, message: "\(path) is in use or out of reach: \(error.reason)")
      }
    }
    throw StartFailure(status: .anotherInstanceRuns, message: "another process listens at \(path)")
  }

  /// Closes the sockets, and removes the files of those that were bound here.
  func close() {
    for listener in listeners { _ = FileDescriptor(owning: listener.raw) }
    guard let directory = try? Directory(opening: runtimeDirectory) else { return }
    for listener in listeners {
      if let name = listener.ownName { try? directory.remove(name) }
    }
  }
}
