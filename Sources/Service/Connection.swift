import Posix
import Systemd

/// One open connection.
final class Connection {
  let name: ConnectionName
  let session: StreamSession
  let peer: PeerCredentials
  private let descriptor: FileDescriptor
  private var source: EventSource?
  private var waitsForRoom = false
  /// Whether something was read from it already.
  var hasBeenRead = false

  /// Takes over a descriptor and watches it.
  ///
  /// - Parameter handler: called when there is something to read, or room for replies.
  init(
    _ descriptor: consuming FileDescriptor, name: ConnectionName, peer: PeerCredentials, session: StreamSession,
    loop: EventLoop, handler: @escaping (Connection) -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.name = name
    self.peer = peer
    self.session = session
    session.sender = "user \(peer.user), process \(peer.process)"
    source = try loop.watch(self.descriptor.raw) { [unowned self] _ in handler(self) }
  }

  deinit {
    // Before the descriptor is closed: the service manager may hold a copy of it, and as long as one is open the loop
    // would go on to hear of it.
    source = nil
  }

  /// The descriptor's number, for a call that only borrows it.
  var raw: Int32 { descriptor.raw }

  /// Whether the client has closed its side, and only replies are left to be sent.
  private(set) var isAtEnd = false

  /// Stops or goes on reading; replies wait as well.
  func setPaused(_ isPaused: Bool) { source?.setEnabled(!isPaused && !isAtEnd) }

  /// Stops reading for good. What the kernel takes of replies from now on goes out at once, and the rest is lost.
  func endReading() {
    isAtEnd = true
    source?.setEnabled(false)
  }

  /// Sends replies as far as the client takes them, and waits for room if some are left.
  func flushReplies() {
    if session.replies.isEmpty, !waitsForRoom { return }
    session.replies.flush(to: descriptor.raw)
    let waits = !session.replies.isEmpty
    if waits != waitsForRoom {
      source?.watch(for: waits ? [.readable, .writable] : .readable)
      waitsForRoom = waits
    }
  }
}
