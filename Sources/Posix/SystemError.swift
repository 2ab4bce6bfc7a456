import Glibc

/// A system call that failed: what was being done, to what, and the kernel's reason.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done, as it follows "cannot": "open", "bind".
  package let operation: String
  /// What it was done to: a path, or empty.
  package let subject: String
  /// The error number (errno).
  package let code: Int32

  package init(_ operation: String, _ subject: String = "", code: Int32) {
    self.operation = operation
    self.subject = subject
    self.code = code
  }

  /// The kernel's reason in words.
  package var reason: String { unsafe String(cString: strerror(code)) }

  package var description: String {
    subject.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation) \(subject): \(reason)"
  }

  /// Whether there is nothing at the path.
  package var isMissing: Bool { code == ENOENT }

  /// Whether something other than a folder stands in a folder's place.
  package var isNotAFolder: Bool { code == ENOTDIR }

  /// Whether nobody listens at the socket that was to be connected to.
  package var isRefusedConnection: Bool { code == ECONNREFUSED }

  /// Whether whoever was connected to is not there any more.
  package var isPeerGone: Bool { [ECONNREFUSED, ENOTCONN, ECONNRESET, EPIPE, EDESTADDRREQ].contains(code) }

  /// Whether this user has no right to it.
  package var isDenied: Bool { code == EACCES || code == EPERM }

  /// Whether the call would have had to wait.
  package var isWouldBlock: Bool { code == EAGAIN }

  /// Whether the file system does not let this process in, or not write: a state that does not pass by itself.
  package var isForbidden: Bool { [EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG].contains(code) }

  /// Whether descriptors or memory ran out: a state that passes by itself.
  package var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}

/// The result of a system call that returns a negative number on failure: EINTR retried, EBADF and EFAULT trapped, as
/// only a fault of our own can cause them.
///
/// errno is read in the same expression as the call's result, before anything else can change it.
@inline(__always)
func check<Result: SignedInteger>(
  _ operation: @autoclosure () -> String, _ subject: @autoclosure () -> String = "", _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let (result, code) = (call(), errno)
    if result >= 0 { return result }
    if code == EINTR { continue }
    precondition(code != EBADF && code != EFAULT, "a system call was given a bad descriptor or address")
    throw SystemError(operation(), subject(), code: code)
  }
}

/// As ``check(_:_:_:)``, with "would block" as a value: nil.
@inline(__always)
func checkNonblocking<Result: SignedInteger>(
  _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result? {
  while true {
    let (result, code) = (call(), errno)
    if result >= 0 { return result }
    switch code {
    case EINTR: continue
    case EAGAIN: return nil
    default:
      precondition(code != EBADF && code != EFAULT, "a system call was given a bad descriptor or address")
      throw SystemError(operation(), code: code)
    }
  }
}
