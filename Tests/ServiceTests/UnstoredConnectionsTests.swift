import Glibc
import Posix
import Storage
import Systemd
import Testing

@testable import Service

struct UnstoredConnectionsTests {
  /// Connections that nobody reads.
  private final class Bench {
    let fixture = Fixture()
    let loop: EventLoop
    let ready: ReadyConnections
    var pairs: [SocketPair] = []
    var open: [UInt64: Connection] = [:]
    var unstored = UnstoredConnections()

    init() throws {
      loop = try EventLoop()
      ready = try ReadyConnections(loop: loop)
    }

    func add(_ number: UInt64) throws {
      let pair = try SocketPair()
      pairs.append(pair)
      let connection = Connection(
        FileDescriptor(owning: dup(pair.first.raw)), name: ConnectionName(number: number, access: .events),
        peer: PeerCredentials(user: 1, group: 1, process: 1), session: fixture.session(), ready: ready)
      open[number] = connection
      unstored.mark(connection)
    }

    private func connection(_ number: UInt64) throws -> Connection { try #require(open[number]) }

    func mark(_ number: UInt64) throws { unstored.mark(try connection(number)) }

    func close(_ number: UInt64) throws {
      unstored.noteClosed(try connection(number))
      open[number] = nil
    }

    /// What a commit takes: open connections, and those that are gone.
    func take() -> [[UInt64]?] {
      let changes = unstored.take(of: open)
      return [changes.rows.map(\.number).sorted(), changes.closed?.sorted()]
    }
  }

  @Test("The first commit takes all connections, later ones what has changed since the last that succeeded")
  func changes() throws {
    let bench = try Bench()
    try bench.add(1)
    try bench.add(2)
    #expect(bench.take() == [[1, 2], nil])
    // It has failed.
    try bench.add(3)
    #expect(bench.take() == [[1, 2, 3], nil])
    bench.unstored.noteStored()
    #expect(bench.take() == [[], []])
    try bench.mark(2)
    #expect(bench.take() == [[2], []])
    try bench.mark(3)
    #expect(bench.take() == [[2, 3], []])
    try bench.mark(1)
    bench.unstored.noteStored()
    #expect(bench.take() == [[1], []])
  }

  @Test("Of those that are gone a commit hears once, and never of those that no commit has seen")
  func closed() throws {
    let bench = try Bench()
    try bench.add(1)
    _ = bench.take()
    bench.unstored.noteStored()
    try bench.add(2)
    try bench.close(2)
    #expect(bench.take() == [[], []])
    try bench.add(3)
    #expect(bench.take() == [[3], []])
    // While it is under way, and then it fails.
    try bench.close(3)
    try bench.close(1)
    #expect(bench.take() == [[], [1, 3]])
    bench.unstored.noteStored()
    #expect(bench.take() == [[], []])
  }

  @Test("What was stored may be lost while a commit is under way: the next one takes all")
  func lost() throws {
    let bench = try Bench()
    try bench.add(1)
    _ = bench.take()
    bench.unstored.markAll()
    bench.unstored.noteStored()
    #expect(bench.take() == [[1], nil])
    bench.unstored.noteStored()
    #expect(bench.take() == [[], []])
  }

  @Test("A connection that is gone is never ready again, though somebody has a copy of its descriptor")
  func leaves() throws {
    let bench = try Bench()
    try bench.add(1)
    try bench.add(2)
    for connection in bench.open.values { try connection.watch() }
    #expect(bench.ready.take() == nil)
    for pair in bench.pairs { try pair.writeSecond("a") }
    let taken = [bench.ready.take(), bench.ready.take()]
    #expect(Set(taken) == [1, 2])
    // The test has a copy of the first end of each pair.
    bench.open[1] = nil
    // The other stays ready, as nobody reads.
    for _ in 1...3 { #expect(bench.ready.take() == 2) }
    bench.open[2]?.endReading()
    #expect(bench.ready.take() == nil)
  }
}
