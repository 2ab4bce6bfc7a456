import Posix
import Testing

struct DatagramBatchTests {
  private let folder: TemporaryFolder
  private let sockets: Sockets

  /// A class, because a test suite has to be copyable and a descriptor is not.
  private final class Sockets {
    let receiver: FileDescriptor
    let sender: FileDescriptor
    init(_ path: String) throws {
      receiver = try UnixSocket.bind(.datagram, path: path, mode: 0o600)
      sender = try UnixSocket.connect(.datagram, path: path)
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    sockets = try Sockets(folder.path("socket"))
  }

  private var receiver: Int32 { sockets.receiver.raw }
  private var sender: Int32 { sockets.sender.raw }

  @Test("datagrams come in a batch, in order, each by itself, an empty one too")
  func batch() throws {
    var batch = DatagramBatch()
    #expect(try batch.receive(from: receiver) == 0)
    let sent: [[UInt8]] = [[1, 2, 3], [], [4]]
    for datagram in sent { #expect(try send(datagram, to: sender) == datagram.count) }
    let count = try batch.receive(from: receiver)
    #expect((0..<count).map { batch[$0].map { Array($0) } } == sent)
    #expect(try batch.receive(from: receiver) == 0)
  }

  @Test("a datagram of 64 KiB comes whole, a larger one is marked as cut, and the next is as it was sent")
  func sizes() throws {
    var batch = DatagramBatch()
    let largest = (0..<DatagramBatch.largest).map { UInt8(truncatingIfNeeded: $0 / 7) }
    #expect(largest.count == 65_536)
    for datagram in [largest, largest + [1], [9]] { #expect(try send(datagram, to: sender) == datagram.count) }
    #expect(try batch.receive(from: receiver) == 3)
    #expect(batch[0].map { Array($0) } == largest)
    #expect(batch[1] == nil)
    #expect(batch[2].map { Array($0) } == [9])
    #expect(try send([8], to: sender) == 1)
    #expect(try batch.receive(from: receiver) == 1)
    #expect(batch[0].map { Array($0) } == [8])
  }

  @Test("a call brings no more than a batch holds, and the next brings the rest")
  func capacity() throws {
    var batch = DatagramBatch()
    // The kernel queues only a few datagrams (net.unix.max_dgram_qlen): as many as it takes are sent.
    var sent = 0
    while sent < DatagramBatch.capacity + 3, try send([UInt8(sent)], to: sender) == 1 { sent += 1 }
    var seen: [UInt8] = []
    while true {
      let count = try batch.receive(from: receiver)
      if count == 0 { break }
      #expect(count <= DatagramBatch.capacity)
      for index in 0..<count { seen += batch[index].map { Array($0) } ?? [] }
    }
    #expect(seen == (0..<sent).map { UInt8($0) })
  }
}
