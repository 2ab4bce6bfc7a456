import Glibc
import Posix
import Synchronization
import Testing

struct BellTests {
  private func isReadable(_ raw: Int32) -> Bool {
    var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test("a bell is readable from its first ring until it is taken, and all rings are taken at once")
  func rings() throws {
    let bell = try Bell(waits: false)
    #expect(!isReadable(bell.raw))
    bell.ring()
    bell.ring()
    #expect(isReadable(bell.raw))
    bell.take()
    #expect(!isReadable(bell.raw))
  }

  @Test("taking from a bell that does not wait returns at once")
  func takesNothing() throws {
    let bell = try Bell(waits: false)
    bell.take()
    #expect(!isReadable(bell.raw))
  }

  @Test("a bell that waits returns when another thread rings")
  func waits() throws {
    final class Shared: Sendable {
      let there: Bell
      let back: Bell
      let rings = Atomic(0)
      init() throws {
        there = try Bell(waits: true)
        back = try Bell(waits: true)
      }
    }
    let shared = try Shared()
    let thread = try Thread {
      for _ in 0..<100 {
        shared.there.take()
        shared.rings.add(1, ordering: .relaxed)
        shared.back.ring()
      }
    }
    for round in 1...100 {
      shared.there.ring()
      shared.back.take()
      #expect(shared.rings.load(ordering: .relaxed) == round)
    }
    thread.join()
  }
}
