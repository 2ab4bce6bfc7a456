import Glibc
import Posix
import Testing

struct FileDescriptorTests {
  @Test("a descriptor is closed when its owner goes away")
  func closes() throws {
    let pair = try Pair.pipe()
    var byte: UInt8 = 0
    #expect(read(pair.first.raw, &byte, 1) == -1 && errno == EAGAIN)
    let first = pair.closeSecond()
    // The end of the pipe is the proof: a number could belong to somebody else by now.
    #expect(read(first.raw, &byte, 1) == 0)
  }

  @Test("a descriptor that was given up stays open and is its new owner's")
  func releases() throws {
    let pair = try Pair.sockets()
    let raw = pair.first.raw
    let released = dup(raw)
    let given = FileDescriptor(owning: released).release()
    #expect(given == released)
    #expect(try send([1], to: given) == 1)
    #expect(close(given) == 0)
  }

  @Test("a descriptor is closed once, so that the number's next owner keeps it")
  func closesOnce() async {
    await #expect(processExitsWith: .success) {
      func use(_ descriptor: consuming FileDescriptor) -> Int32 { descriptor.raw }
      // From here on nobody else takes numbers, whatever this process opens by itself.
      let null = open("/dev/null", O_RDONLY)
      func openNext() -> Int32 { fcntl(null, F_DUPFD, 700) }
      let raw = use(FileDescriptor(owning: openNext()))
      #expect(raw == 700 && fcntl(raw, F_GETFD) == -1)
      let next = openNext()
      #expect(next == raw)
      _ = use(FileDescriptor(owning: openNext()))
      #expect(fcntl(next, F_GETFD) >= 0)
    }
  }

  @Test("a negative number is no descriptor and traps")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = FileDescriptor(owning: -1) }
  }

  @Test("a call on a closed descriptor is a fault of our own and traps")
  func badDescriptor() async {
    await #expect(processExitsWith: .failure) { _ = try? UnixSocket.bytesWaiting(987) }
  }

  @Test("all bytes are written, and the mode is set whatever the umask")
  func writes() async {
    await #expect(processExitsWith: .success) {
      umask(0o077)
      let folder = try TemporaryFolder()
      let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
      let file = try folder.open().open("file", flags: O_WRONLY | O_CREAT, mode: 0o600)
      try file.writeAll(bytes)
      try file.setMode(0o644)
      try file.synchronize()
      #expect(mode(of: folder.path("file")) == 0o644)
      #expect(try RegularFile.read(folder.path("file"), limit: 1_000_000) == bytes)
    }
  }

  @Test("a locked file can't be locked by a second descriptor until the first is closed")
  func lock() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.open()
    let second = try directory.openLockFile("lock")
    func lockOnce() throws {
      let first = try directory.openLockFile("lock")
      #expect(try first.lock())
      #expect(try !second.lock())
    }
    try lockOnce()
    #expect(try second.lock())
    #expect(mode(of: folder.path("lock")) == 0o600)
  }
}
