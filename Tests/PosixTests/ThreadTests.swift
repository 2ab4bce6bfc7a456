import Glibc
import Posix
import Synchronization
import Testing

struct ThreadTests {
  @Test("joining waits until the work has returned, which ran on a thread of its own")
  func join() throws {
    final class Seen: Sendable {
      let thread = Atomic<UInt>(0)
    }
    let seen = Seen()
    try Thread { seen.thread.store(pthread_self(), ordering: .relaxed) }.join()
    let thread = seen.thread.load(ordering: .relaxed)
    #expect(thread != 0 && thread != pthread_self())
  }

  @Test("signals that are blocked in the caller are blocked in the thread")
  func inheritsMask() async {
    await #expect(processExitsWith: .success) {
      Process.block([.user1])
      final class Box: Sendable {
        let isBlocked = Atomic(false)
      }
      let box = Box()
      try Thread {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        box.isBlocked.store(sigismember(&mask, SIGUSR1) == 1, ordering: .relaxed)
      }.join()
      let isBlocked = box.isBlocked.load(ordering: .relaxed)
      #expect(isBlocked)
    }
  }

  @Test("what the work holds is let go when it has returned")
  func letsGo() throws {
    final class Held: Sendable {}
    weak var seen: Held?
    do {
      let held = Held()
      seen = held
      try Thread { _ = held }.join()
    }
    #expect(seen == nil)
  }
}
