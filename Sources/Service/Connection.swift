import Posix
import Systemd

/// One open connection.
final class Connection {
  let session: StreamSession
  let access: Access
  let peer: PeerCredentials
  private let descriptor: FileDescriptor
  private var source: EventSource?
  private var waitsForRoom = false

  /// Takes over an accepted descriptor and watches it.
  ///
  /// - Parameter handler: called when there is something to read, or room for replies.
  init(
    _ descriptor: consuming FileDescriptor, access: Access, peer: PeerCredentials, maxLineBytes: Int,
    loop: EventLoop, handler: @escaping (Connection) -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.access = access
    self.peer = peer
    session = StreamSession(access: access, peer: peer, maxLineBytes: maxLineBytes)
    source = try loop.watch(self.descriptor.raw) { [unowned self] _ in handler(self) }
  }

  /// The descriptor's number, by which the connection is known.
  var number: Int32 { descriptor.raw }

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
