import Posix
import Testing

struct PollTests {
  @Test("what is ready is told for each descriptor")
  func ready() throws {
    let pair = try Pair.sockets()
    let waited: [(Int32, Poll.Events)] = [(pair.first.raw, .read), (pair.second.raw, .write)]
    #expect(try Poll.wait(for: waited, milliseconds: 0) == [[], .write])
    #expect(try UnixSocket.send(pair.second.raw, [1]) == 1)
    #expect(try Poll.wait(for: waited, milliseconds: nil) == [.read, .write])
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(try UnixSocket.receive(pair.first.raw, into: &buffer) == .bytes(1))
    #expect(buffer[0] == 1)
  }

  @Test("no descriptors is a way to wait, and a negative time is none")
  func nothing() throws {
    #expect(try Poll.wait(for: [], milliseconds: 1).isEmpty)
    #expect(try Poll.wait(for: [], milliseconds: -5).isEmpty)
  }

  @Test("a peer that is gone ends the wait, and is told without being asked for")
  func end() throws {
    let first = try Pair.sockets().closeSecond()
    let ready = try Poll.wait(for: [(first.raw, [])], milliseconds: nil)[0]
    #expect(!ready.isDisjoint(with: .end))
  }
}
