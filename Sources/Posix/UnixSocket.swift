private import CPosix
import Glibc

/// What a receive call came back with.
package enum Received: Equatable, Sendable {
  /// So many bytes, at least 1.
  case bytes(Int)
  /// Nothing now.
  case nothing
  /// The peer has closed its side.
  case end
}

/// Who is at the other end of a socket, by the kernel's word.
package struct PeerCredentials: Equatable, Sendable {
  package var user: UInt32
  package var group: UInt32
  package var process: Int32

  package init(user: UInt32, group: UInt32, process: Int32) {
    self.user = user
    self.group = group
    self.process = process
  }
}

/// Calls on Unix sockets; all are non-blocking and close-on-exec.
package enum UnixSocket {
  /// The longest path of a socket, bytes: the kernel's 108 with the final zero.
  package static let longestPath = 107

  package enum Kind: Equatable, Sendable { case stream, datagram }

  /// A socket bound to `path`, listening if it is a stream. The mode is set before anyone can connect.
  ///
  /// - Throws: EADDRINUSE if there is anything at the path; ENAMETOOLONG if it is over ``longestPath`` bytes.
  package static func bind(_ kind: Kind, path: String, mode: FileMode) throws(SystemError) -> FileDescriptor {
    let descriptor = try socket(kind)
    // fchmod on an unbound socket sets the mode of the file that bind makes, so it never exists with another one.
    _ = try check("set the mode of the socket", path) { fchmod(descriptor.raw, mode) }
    let mask = umask(0)
    defer { _ = umask(mask) }
    unsafe try withAddress(path) { (address, length) throws(SystemError) in
      _ = try check("bind the socket", path) { unsafe Glibc.bind(descriptor.raw, address, length) }
    }
    if kind == .stream {
      _ = try check("listen on the socket", path) { listen(descriptor.raw, 4096) }
    }
    return descriptor
  }

  /// A socket connected to `path`.
  ///
  /// - Parameter allowsAbstract: whether a leading `@` stands for a name in the abstract namespace, not for a file.
  package static func connect(
    _ kind: Kind, path: String, allowsAbstract: Bool = false
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = try socket(kind)
    let isAbstract = allowsAbstract && path.hasPrefix("@")
    unsafe try withAddress(path, isAbstract: isAbstract) { (address, length) throws(SystemError) in
      _ = try check("connect to", path) { unsafe Glibc.connect(descriptor.raw, address, length) }
    }
    return descriptor
  }

  /// The next connection that waits at a listening socket, or nil. The corresponding C function is `accept4`.
  package static func accept(_ listener: Int32) throws(SystemError) -> FileDescriptor? {
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    while true {
      do {
        return try checkNonblocking("accept a connection") { cposix_accept4(listener, flags) }
          .map { FileDescriptor(owning: $0) }
      } catch {
        // A client that left before it was accepted; the next one may be there.
        if error.code == ECONNABORTED || error.code == EPROTO { continue }
        throw error
      }
    }
  }

  /// Receives from a stream into `buffer`, which has room for at least one byte.
  @inline(__always)
  package static func receive(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Received {
    switch try checkNonblocking(
      "receive", { unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) })
    {
    case nil: return .nothing
    case 0: return .end
    case let count?: return .bytes(count)
    }
  }

  /// Whether the peer has closed its side and everything that it sent was read. Takes nothing from the stream.
  package static func isAtEnd(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) == 0
  }

  /// Copies what waits to be read, and takes nothing of it. The corresponding C function is `recv` with MSG_PEEK.
  ///
  /// - Returns: how many bytes; 0 if nothing waits, or for whatever reason reading will tell.
  package static func peek(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    max(unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)), 0)
  }

  /// Whether the peer has closed its socket, and not only its side of the stream: nobody reads what is sent there.
  ///
  /// The corresponding C function is `poll`.
  package static func isHungUp(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP) != 0
  }

  /// Sends what the kernel takes now: how many bytes, 0 if none. Never raises SIGPIPE.
  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return try checkNonblocking(
      "send", { unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) }) ?? 0
  }

  /// Sends one message, with a descriptor attached if there is one; false if the receiver has no room now.
  ///
  /// The corresponding C function is `sendmsg` with SCM_RIGHTS.
  package static func send(
    _ socket: Int32, _ message: String, attaching descriptor: Int32?
  ) throws(SystemError) -> Bool {
    let bytes = Array(message.utf8)
    return try checkNonblocking("send a message") {
      unsafe cposix_send_descriptor(socket, bytes, bytes.count, descriptor ?? -1)
    } != nil
  }

  /// Who is at the other end of a connection.
  package static func peer(_ descriptor: Int32) throws(SystemError) -> PeerCredentials {
    var (user, group, process): (uid_t, gid_t, pid_t) = (0, 0, 0)
    _ = try check("ask for the peer's credentials") {
      unsafe cposix_peer_credentials(descriptor, &user, &group, &process)
    }
    return PeerCredentials(user: user, group: group, process: process)
  }

  /// How many bytes wait to be read. The corresponding C function is `ioctl` with FIONREAD.
  package static func bytesWaiting(_ descriptor: Int32) throws(SystemError) -> Int {
    Int(try check("ask how much waits") { cposix_bytes_waiting(descriptor) })
  }

  /// Makes a descriptor that was passed in non-blocking.
  package static func setNonblocking(_ descriptor: Int32) throws(SystemError) {
    _ = try check("make a socket non-blocking") { cposix_set_nonblocking(descriptor) }
  }

  private static func socket(_ kind: Kind) throws(SystemError) -> FileDescriptor {
    let type = Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try check("make a socket") { Glibc.socket(AF_UNIX, type | flags, 0) })
  }

  private static func withAddress(
    _ path: String, isAbstract: Bool = false, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard path.utf8.count <= longestPath else { throw SystemError("use the socket path", path, code: ENAMETOOLONG) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name in the abstract namespace is written with @ for its leading zero byte, and ends where its length says.
    let name = isAbstract ? [0] + path.utf8.dropFirst() : Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let size = MemoryLayout<sockaddr_un>.size
    let length = socklen_t(isAbstract ? size - longestPath - 1 + name.count : size)
    try unsafe withUnsafePointer(to: &address) { (pointer) throws(SystemError) in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (pointer) throws(SystemError) in
        try unsafe body(pointer, length)
      }
    }
  }
}
