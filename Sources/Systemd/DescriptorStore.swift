package import Posix

/// Descriptors that systemd keeps for this service, so that a connection outlives a crash of the daemon.
///
/// libsystemd's call waits while the manager is busy; this one says that there is no room and leaves the loop free.
package struct DescriptorStore: ~Copyable {
  private let socket: FileDescriptor

  /// The most bytes that a name may have: long ones overflow the environment of the next start.
  package static let longestName = 6

  /// A way to the manager; nil without one.
  package init?() {
    guard let path = Process.environment("NOTIFY_SOCKET"),
      let socket = try? UnixSocket.connect(.datagram, path: path, allowsAbstract: true)
    else { return nil }
    self.socket = socket
  }

  /// Hands a copy of a descriptor to the manager; false if it has no room for the message now.
  ///
  /// The manager is told not to watch the descriptor: it would drop it, and what is unread in it, when the peer closes.
  package func add(_ descriptor: Int32, name: String) throws(SystemError) -> Bool {
    precondition((1...Self.longestName).contains(name.utf8.count))
    return try UnixSocket.send(socket, "FDSTORE=1\nFDPOLL=0\nFDNAME=\(name)", attaching: descriptor)
  }

  /// Has the manager close its copies under a name; false if it has no room for the message now.
  package func remove(name: String) throws(SystemError) -> Bool {
    try UnixSocket.send(socket, "FDSTOREREMOVE=1\nFDNAME=\(name)", attaching: nil)
  }
}
