import Glibc

/// An open descriptor that is closed when its owner goes away, and never twice.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for a call that only borrows it.
  package let raw: Int32

  /// Takes over an open descriptor.
  package init(owning raw: Int32) {
    precondition(raw >= 0)
    self.raw = raw
  }

  deinit {
    // Never retried: on Linux the descriptor is gone even if close says EINTR.
    _ = Glibc.close(raw)
  }

  /// Gives up ownership without closing.
  package consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }
}
