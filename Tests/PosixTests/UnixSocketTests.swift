import Glibc
import Posix
import Testing

struct UnixSocketTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct NobodyThere: Error {}

  private func accept(_ listener: borrowing FileDescriptor) throws -> FileDescriptor {
    guard let accepted = try UnixSocket.accept(listener.raw) else { throw NobodyThere() }
    return accepted
  }

  private func failureToBind(_ kind: UnixSocket.Kind, _ path: String) -> SystemError? {
    failure { () throws(SystemError) in _ = try UnixSocket.bind(kind, path: path, mode: 0o600) }
  }

  @Test("a socket's file has the mode that was asked for, and the umask is as before")
  func bindMode() async {
    await #expect(processExitsWith: .success) {
      umask(0o177)
      let folder = try TemporaryFolder()
      chmod(folder.path, 0o700)
      let stream = try UnixSocket.bind(.stream, path: folder.path("stream"), mode: 0o660)
      let datagram = try UnixSocket.bind(.datagram, path: folder.path("datagram"), mode: 0o600)
      #expect(mode(of: folder.path("stream")) == 0o660)
      #expect(mode(of: folder.path("datagram")) == 0o600)
      #expect(umask(0) == 0o177)
      _ = (stream.raw, datagram.raw)
    }
  }

  @Test(
    "a path of 107 bytes works, and one of 108 is refused with nothing made",
    arguments: [UnixSocket.Kind.stream, .datagram])
  func pathLength(kind: UnixSocket.Kind) throws {
    let longest = folder.path(String(repeating: "s", count: UnixSocket.longestPath - folder.path.utf8.count - 1))
    #expect(longest.utf8.count == 107)
    let listener = try UnixSocket.bind(kind, path: longest, mode: 0o600)
    let client = try UnixSocket.connect(kind, path: longest)
    #expect(client.raw != listener.raw)
    let name = String(longest.dropFirst(folder.path.utf8.count + 1))
    #expect(try folder.names() == [name])
    let error = failureToBind(kind, longest + "s")
    #expect(error?.code == ENAMETOOLONG)
    #expect(error?.subject == longest + "s")
    #expect(
      failure { () throws(SystemError) in _ = try UnixSocket.connect(kind, path: longest + "s") }?.code == ENAMETOOLONG)
    #expect(try folder.names() == [name])
  }

  @Test("whatever is at the path is not replaced", arguments: ["file", "folder", "link", "socket"])
  func addressInUse(name: String) throws {
    try folder.write("text", to: "file")
    try Directory.create(folder.path("folder"), mode: 0o700)
    try folder.link("link", to: "nowhere")
    let socket = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600)
    let before = try folder.open().kind(of: name)
    #expect(failureToBind(.stream, folder.path(name))?.code == EADDRINUSE)
    #expect(failureToBind(.datagram, folder.path(name))?.code == EADDRINUSE)
    #expect(try folder.open().kind(of: name) == before)
    #expect(try folder.text(of: "file") == "text")
    _ = socket.raw
  }

  @Test("connecting where nobody listens any more is told from other failures")
  func refused() throws {
    func bindAndLeave() throws { _ = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600) }
    try bindAndLeave()
    let error = failure { () throws(SystemError) in _ = try UnixSocket.connect(.stream, path: folder.path("socket")) }
    #expect(error?.isRefusedConnection == true)
    let missing = failure { () throws(SystemError) in _ = try UnixSocket.connect(.stream, path: folder.path("other")) }
    #expect(missing?.isMissing == true)
    #expect(missing?.isRefusedConnection == false)
  }

  @Test("a path that starts with @ is a file's, unless names in the abstract namespace are allowed")
  func leadingAt() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      chdir(folder.path)
      let listener = try UnixSocket.bind(.stream, path: "@socket", mode: 0o600)
      #expect(try folder.names() == ["@socket"])
      let client = try UnixSocket.connect(.stream, path: "@socket")
      let error = #expect(throws: SystemError.self) {
        _ = try UnixSocket.connect(.stream, path: "@socket", allowsAbstract: true)
      }
      #expect(error?.isRefusedConnection == true)
      _ = (listener.raw, client.raw)
    }
  }

  @Test("a stream carries bytes both ways, and tells nothing from the end")
  func stream() throws {
    let listener = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600)
    #expect(throws: NobodyThere.self) { _ = try accept(listener) }
    let client = try UnixSocket.connect(.stream, path: folder.path("socket"))
    let server = try accept(listener)
    #expect(try receive(server.raw).0 == .nothing)
    #expect(try UnixSocket.bytesWaiting(server.raw) == 0)
    #expect(try send([1, 2, 3], to: client.raw) == 3)
    #expect(try send([4], to: client.raw) == 1)
    #expect(try UnixSocket.bytesWaiting(server.raw) == 4)
    let (received, bytes) = try receive(server.raw, room: 3)
    #expect(received == .bytes(3))
    #expect(bytes == [1, 2, 3])
    #expect(try UnixSocket.bytesWaiting(server.raw) == 1)
    #expect(try send([5], to: server.raw) == 1)
    #expect(try receive(client.raw).1 == [5])
    shutdown(client.raw, Int32(SHUT_WR))
    #expect(try receive(server.raw).1 == [4])
    #expect(try receive(server.raw).0 == .end)
    #expect(throws: NobodyThere.self) { _ = try accept(listener) }
  }

  @Test("what was accepted does not block and is closed on exec")
  func acceptedFlags() throws {
    let listener = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600)
    let client = try UnixSocket.connect(.stream, path: folder.path("socket"))
    let server = try accept(listener)
    for raw in [listener.raw, client.raw, server.raw] {
      #expect(fcntl(raw, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test("the peer is known by the kernel's word")
  func peer() throws {
    let listener = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600)
    let client = try UnixSocket.connect(.stream, path: folder.path("socket"))
    let server = try accept(listener)
    let peer = try UnixSocket.peer(server.raw)
    #expect(peer.user == geteuid() && peer.group == getegid() && peer.process == getpid())
    _ = client.raw
  }

  @Test("a full socket takes no more, says so by zero, and loses nothing that it took")
  func full() throws {
    let pair = try Pair.sockets()
    let block = [UInt8](repeating: 7, count: 65_536)
    var taken = 0
    while true {
      let count = try send(block, to: pair.first.raw)
      if count == 0 { break }
      taken += count
    }
    var seen = 0
    while case (.bytes(let count), _) = try receive(pair.second.raw, room: 65_536) { seen += count }
    #expect(taken > 0 && seen == taken)
  }

  @Test("a peer that has closed its socket is gone, one that has closed its side is not")
  func hungUp() throws {
    let half = try Pair.sockets()
    #expect(!UnixSocket.isHungUp(half.first.raw))
    shutdown(half.second.raw, Int32(SHUT_WR))
    #expect(try receive(half.first.raw).0 == .end)
    #expect(!UnixSocket.isHungUp(half.first.raw))
    let first = half.closeSecond()
    #expect(UnixSocket.isHungUp(first.raw))
  }

  @Test("sending to a peer that has closed fails without a signal")
  func brokenPipe() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let first = try Pair.sockets().closeSecond()
      let error = #expect(throws: SystemError.self) { try send([1], to: first.raw) }
      #expect(error?.code == EPIPE)
    }
  }

  @Test("a descriptor that was passed in is made non-blocking")
  func setNonblocking() throws {
    let pair = try Pair.sockets()
    #expect(fcntl(pair.first.raw, F_GETFL) & O_NONBLOCK == 0)
    try UnixSocket.setNonblocking(pair.first.raw)
    #expect(fcntl(pair.first.raw, F_GETFL) & O_NONBLOCK != 0)
  }
}
