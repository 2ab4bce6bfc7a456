private import CSystemd
private import Glibc
package import Posix

/// A descriptor that the service manager passed to this process.
package struct InheritedSocket: Equatable, Sendable {
  /// FileDescriptorName= of its socket unit.
  package let name: String
  /// What it is; nil for anything but a bound Unix datagram socket or a listening Unix stream socket.
  package let kind: UnixSocket.Kind?
  /// The open descriptor: whoever takes the socket owns it.
  package let raw: Int32
}

/// The sockets of socket activation.
package enum InheritedSockets {
  /// Takes over all that were passed; a second call finds none.
  ///
  /// The corresponding C function is `sd_listen_fds_with_names`, with the environment cleaned up.
  package static func take() throws(SystemError) -> [InheritedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    if count < 0 { throw SystemError("take over the sockets from the service manager", code: -count) }
    defer {
      for index in 0..<Int(count) { unsafe free(names?[index]) }
      unsafe free(names)
    }
    return (0..<Int(count)).map { index in
      let raw = Int32(SD_LISTEN_FDS_START) + Int32(index)
      let name = unsafe names?[index].map { unsafe String(cString: $0) } ?? "unknown"
      return InheritedSocket(name: name, kind: kind(of: raw), raw: raw)
    }
  }

  private static func kind(of raw: Int32) -> UnixSocket.Kind? {
    if sd_is_socket_unix(raw, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 { return .stream }
    if sd_is_socket_unix(raw, Int32(SOCK_DGRAM.rawValue), -1, nil, 0) > 0 { return .datagram }
    return nil
  }
}
