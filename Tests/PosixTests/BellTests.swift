import Glibc
import Posix
import Testing

struct BellTests {
  private func isReadable(_ raw: Int32) -> Bool {
    var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test("a bell is readable from its first ring until it is taken, and all rings are taken at once")
  func rings() throws {
    let bell = try Bell()
    #expect(!isReadable(bell.raw))
    bell.ring()
    bell.ring()
    #expect(isReadable(bell.raw))
    bell.take()
    #expect(!isReadable(bell.raw))
  }

  @Test("taking from a bell that does not wait returns at once")
  func takesNothing() throws {
    let bell = try Bell()
    bell.take()
    #expect(!isReadable(bell.raw))
  }
}
