import Glibc
import Posix

/// Sockets that wait, as those of a plain client do.
enum Socket {
  static func connect(_ kind: UnixSocket.Kind, to path: String) throws -> FileDescriptor {
    let socket = try make(kind)
    try unsafe withAddress(path) { address, length in
      try check("connect", unsafe Glibc.connect(socket.raw, address, length))
    }
    return socket
  }

  static func bind(_ kind: UnixSocket.Kind, at path: String) throws -> FileDescriptor {
    let socket = try make(kind)
    try unsafe withAddress(path) { address, length in try check("bind", unsafe Glibc.bind(socket.raw, address, length))
    }
    if kind == .stream { try check("listen", listen(socket.raw, 4096)) }
    return socket
  }

  static func accept(_ listener: borrowing FileDescriptor) throws -> FileDescriptor {
    FileDescriptor(owning: Int32(try check("accept", Glibc.accept(listener.raw, nil, nil))))
  }

  /// Sends everything, `size` bytes a call.
  static func sendAll(_ socket: borrowing FileDescriptor, _ bytes: ArraySlice<UInt8>, size: Int) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent..<min(sent + size, bytes.count)])
        sent += try unsafe check("send", send(socket.raw, part.baseAddress, part.count, Int32(MSG_NOSIGNAL)))
      }
    }
  }

  /// What comes next, waiting for it; nothing at the end.
  static func receive(_ socket: borrowing FileDescriptor, into buffer: inout [UInt8]) throws -> Int {
    try check("receive", unsafe recv(socket.raw, &buffer, buffer.count, 0))
  }

  /// Says that nothing more will be sent.
  static func finish(_ socket: borrowing FileDescriptor) throws {
    try check("shut down", shutdown(socket.raw, Int32(SHUT_WR)))
  }

  private static func make(_ kind: UnixSocket.Kind) throws -> FileDescriptor {
    let flags = Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: Int32(try check("make a socket", Glibc.socket(AF_UNIX, flags, 0))))
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
    guard path.utf8.count <= UnixSocket.longestPath else { throw LoadFailure("the path \(path) is too long") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    try unsafe withUnsafePointer(to: &address) {
      try unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  @discardableResult
  static func check<Result: SignedInteger>(_ what: String, _ call: @autoclosure () -> Result) throws -> Int {
    while true {
      let (result, code) = (call(), errno)
      if result >= 0 { return Int(result) }
      if code != EINTR { throw SystemError(what, code: code) }
    }
  }
}

/// A descriptor in an array.
final class Connection {
  let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }
}
