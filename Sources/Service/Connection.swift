import Posix

/// One open connection.
final class Connection {
  let name: ConnectionName
  let session: StreamSession
  let peer: PeerCredentials
  private let descriptor: FileDescriptor
  private let ready: ReadyConnections
  private var isWatched = false
  private var waitsForRoom = false
  /// Whether something was read from it already.
  var hasBeenRead = false
  /// Whether a commit has taken it.
  var mayBeStored = false

  /// Takes over a descriptor. It is not watched until ``watch()``: many a connection is over with its first read.
  init(
    _ descriptor: consuming FileDescriptor, name: ConnectionName, peer: PeerCredentials, session: StreamSession,
    ready: ReadyConnections
  ) {
    self.descriptor = descriptor
    self.name = name
    self.peer = peer
    self.session = session
    self.ready = ready
    session.peer = peer
  }

  deinit { unwatch() }

  /// The descriptor's number, for a call that only borrows it.
  var raw: Int32 { descriptor.raw }

  /// Has it take its turn whenever there is something to read, or room for replies that wait.
  func watch() throws(SystemError) {
    if isWatched || isAtEnd { return }
    try ready.add(raw, name.number, alsoWritable: waitsForRoom)
    isWatched = true
  }

  /// Before the descriptor is closed: the service manager may hold a copy of it, and as long as one is open the kernel
  /// would go on to report it.
  private func unwatch() {
    if isWatched { ready.remove(raw) }
    isWatched = false
  }

  /// Whether the client has closed its side, and only replies are left to be sent.
  private(set) var isAtEnd = false

  /// Stops reading for good. What the kernel takes of replies from now on goes out at once, and the rest is lost.
  func endReading() {
    isAtEnd = true
    unwatch()
  }

  /// Sends replies as far as the client takes them, and waits for room if some are left.
  func flushReplies() {
    if session.replies.isEmpty, !waitsForRoom { return }
    session.replies.flush(to: descriptor.raw)
    let waits = !session.replies.isEmpty
    if waits != waitsForRoom {
      waitsForRoom = waits
      if isWatched { ready.change(raw, name.number, alsoWritable: waits) }
    }
  }
}
