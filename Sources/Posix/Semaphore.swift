import Glibc

/// A counter by which one thread wakes another that waits, without a descriptor.
///
/// The corresponding C functions are `sem_post` and `sem_wait`.
@safe
package struct Semaphore: ~Copyable, @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe semaphore.initialize(to: sem_t())
    // It fails for a start value over SEM_VALUE_MAX only.
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Adds one; never blocks.
  package func post() {
    // EOVERFLOW could only mean that the waiter has 2^31 answers to give already.
    unsafe _ = sem_post(semaphore)
  }

  /// Takes one, and waits for it.
  package func wait() { while unsafe sem_wait(semaphore) < 0, errno == EINTR {} }
}
