private import CPosix
import Glibc

/// A counter in the kernel by which a thread wakes an event loop: rung from anywhere, watched by one.
///
/// The corresponding C function is `eventfd`.
package struct Bell: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try check("make an eventfd") { cposix_eventfd() })
  }

  /// The descriptor that becomes readable when the bell is rung.
  package var raw: Int32 { descriptor.raw }

  /// Rings; never blocks in practice (the counter would have to reach 2^64).
  package func ring() {
    var one: UInt64 = 1
    // EAGAIN could only mean that the waiter has 2^64 rings to answer already.
    unsafe _ = write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes all rings so far.
  package func take() {
    var rings: UInt64 = 0
    while unsafe read(descriptor.raw, &rings, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }
}
