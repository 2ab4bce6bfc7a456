import Foundation
import Posix
import Testing

struct RegularFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ name: String, limit: Int = 100) -> RegularFile.Failure? {
    do throws(RegularFile.Failure) { _ = try RegularFile.read(folder.path(name), limit: limit) } catch { return error }
    return nil
  }

  @Test("a file of as many bytes as allowed is read, and one byte more is refused", arguments: [0, 5, 70_000, 200_000])
  func limit(size: Int) throws {
    try folder.write(String(repeating: "x", count: size), to: "file")
    #expect(try RegularFile.read(folder.path("file"), limit: size).count == size)
    try folder.write(String(repeating: "x", count: size + 1), to: "file")
    #expect(failure("file", limit: size) == .tooLarge(limit: size))
  }

  @Test("a link is followed, and one to nothing is told from nothing")
  func links() throws {
    try folder.write("text", to: "file")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "nowhere")
    #expect(try RegularFile.read(folder.path("link"), limit: 10) == Array("text".utf8))
    #expect(failure("dangling") == .danglingLink)
    #expect(failure("missing") == .missing)
  }

  @Test("what is no regular file is refused by its kind without waiting, but /dev/null is empty")
  func kinds() throws {
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    _ = try UnixSocket.bind(.stream, path: folder.path("socket"), mode: 0o600)
    try Directory.create(folder.path("folder"), mode: 0o700)
    try folder.link("zero", to: "/dev/zero")
    try folder.link("null", to: "/dev/null")
    #expect(failure("pipe") == .notRegular(.pipe))
    #expect(failure("socket") == .notRegular(.socket))
    #expect(failure("folder") == .notRegular(.folder))
    #expect(failure("zero") == .notRegular(.device))
    #expect(try RegularFile.read(folder.path("null"), limit: 0) == [])
  }

  @Test("a path through a file fails with the kernel's reason")
  func system() throws {
    try folder.write("", to: "file")
    #expect(failure("file/below") == .system(SystemError("open", code: ENOTDIR)))
  }
}
