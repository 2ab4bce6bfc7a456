import Glibc

/// One thread beside the main one, which runs until its work returns.
package struct Thread: ~Copyable {
  private let handle: pthread_t

  private final class Start {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  /// Starts `work` on a thread of its own. Signals that are blocked in the caller are blocked there too.
  package init(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
    var handle = pthread_t()
    let start = unsafe Unmanaged.passRetained(Start(work))
    let code = unsafe pthread_create(
      &handle, nil,
      { argument in
        if let argument = unsafe argument { unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().work() }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw SystemError("start a thread", code: code)
    }
    self.handle = handle
  }

  deinit { _ = pthread_detach(handle) }

  /// Waits until the work has returned. A thread that nobody joins goes on by itself, and leaves nothing behind.
  package consuming func join() {
    _ = pthread_join(handle, nil)
    discard self
  }
}
