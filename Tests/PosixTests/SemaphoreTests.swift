import Posix
import Synchronization
import Testing

struct SemaphoreTests {
  @Test("a thread that waits goes on when another one posts")
  func waits() throws {
    final class Shared: Sendable {
      let there = Semaphore()
      let back = Semaphore()
      let posts = Atomic(0)
    }
    let shared = Shared()
    let thread = try Thread {
      for _ in 0..<100 {
        shared.there.wait()
        shared.posts.add(1, ordering: .relaxed)
        shared.back.post()
      }
    }
    for round in 1...100 {
      shared.there.post()
      shared.back.wait()
      #expect(shared.posts.load(ordering: .relaxed) == round)
    }
    thread.join()
  }
}
