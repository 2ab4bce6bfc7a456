import Posix
import Testing

@testable import Service

struct ReplyQueueTests {
  /// Of a queue for the events sockets.
  private static let capacity = 65_536

  /// A queue that can be changed within an expectation.
  private final class Queue {
    private var queue = ReplyQueue(for: .events)
    var isEmpty: Bool { queue.isEmpty }
    var isBroken: Bool { queue.isBroken }
    var hasRoom: Bool { queue.hasRoom }
    func append(_ reply: [UInt8]) -> Bool { queue.append(reply) }
    func flush(to descriptor: Int32) { queue.flush(to: descriptor) }
  }

  private func reply(_ size: Int, _ byte: UInt8 = 0x78) -> [UInt8] {
    [UInt8](repeating: byte, count: size - 1) + [0x0a]
  }

  @Test("replies are kept up to the bound, and one that does not fit is lost as a whole")
  func bounded() throws {
    let queue = Queue()
    #expect(queue.isEmpty && queue.hasRoom)
    #expect(queue.append(reply(Self.capacity - 10)))
    #expect(!queue.append(reply(11, 0x79)))
    #expect(queue.append(reply(10, 0x7a)))
    #expect(!queue.hasRoom)
    #expect(!queue.append(reply(1)))
    let pair = try SocketPair()
    var seen: [UInt8] = []
    while !queue.isEmpty {
      queue.flush(to: pair.first.raw)
      seen += pair.readSecond()
    }
    #expect(seen == reply(Self.capacity - 10) + reply(10, 0x7a))
    #expect(queue.append(reply(Self.capacity)))
  }

  @Test("what a client takes in parts comes whole and in order, once")
  func inParts() throws {
    let pair = try SocketPair()
    let queue = Queue()
    var (sent, seen): ([UInt8], [UInt8]) = ([], [])
    // More than the kernel holds for a client that does not read.
    for index in 0..<200 {
      let next = reply(5000, UInt8(index % 200) + 11)
      if queue.append(next) { sent += next }
      queue.flush(to: pair.first.raw)
    }
    #expect(!queue.isEmpty)
    while true {
      let bytes = pair.readSecond()
      if bytes.isEmpty { break }
      seen += bytes
      queue.flush(to: pair.first.raw)
    }
    #expect(queue.isEmpty)
    #expect(seen == sent)
    #expect(!queue.isBroken)
  }

  @Test("for a client that is gone nothing is kept any more")
  func broken() throws {
    let pair = try SocketPair()
    pair.closeSecond()
    let queue = Queue()
    #expect(queue.append(reply(100)))
    queue.flush(to: pair.first.raw)
    #expect(queue.isBroken && queue.isEmpty && !queue.hasRoom)
    #expect(!queue.append(reply(1)))
  }
}
