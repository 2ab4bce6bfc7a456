private import CPosix
import Glibc

/// A counter in the kernel by which one thread wakes another: rung from anywhere, waited for by one.
///
/// The corresponding C function is `eventfd`.
package struct Bell: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// - Parameter waits: whether ``take()`` blocks until the bell is rung; if not, it is for an event loop to watch.
  package init(waits: Bool) throws(SystemError) {
    descriptor = FileDescriptor(owning: try check("make an eventfd") { cposix_eventfd(waits ? 0 : 1) })
  }

  /// The descriptor that becomes readable when the bell is rung.
  package var raw: Int32 { descriptor.raw }

  /// Rings; never blocks in practice (the counter would have to reach 2^64).
  package func ring() {
    var one: UInt64 = 1
    // EAGAIN could only mean that the waiter has 2^64 rings to answer already.
    unsafe _ = write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes all rings so far; waits for the first one if the bell was made so.
  package func take() {
    var rings: UInt64 = 0
    while unsafe read(descriptor.raw, &rings, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }
}
