import Glibc
import Posix

/// A datagram socket that nobody reads.
struct Datagrams {
  private let descriptor: Int32

  init(at path: String) throws { descriptor = try UnixSocket.bind(.datagram, path: path, mode: 0o600).release() }

  func close() { _ = Glibc.close(descriptor) }
}
