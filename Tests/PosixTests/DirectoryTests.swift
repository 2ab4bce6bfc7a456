import Foundation
import Posix
import Testing

struct DirectoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a folder is made with those above it, with the mode that was asked for whatever the umask")
  func create() async {
    await #expect(processExitsWith: .success) {
      umask(0o777)
      let folder = try TemporaryFolder()
      chmod(folder.path, 0o700)
      try Directory.create(folder.path("a/b/c"), mode: 0o751)
      for name in ["a", "a/b", "a/b/c"] { #expect(mode(of: folder.path(name)) == 0o751) }
    }
  }

  @Test("a folder that is there keeps its mode and what is in it")
  func createAgain() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try folder.write("text", to: "a/file")
    try Directory.create(folder.path("a"), mode: 0o755)
    try Directory.create(folder.path("a/"), mode: 0o755)
    #expect(mode(of: folder.path("a")) == 0o700)
    #expect(try folder.text(of: "a/file") == "text")
  }

  @Test("a folder below a file, or below a link to nothing, is refused")
  func createImpossible() throws {
    try folder.write("", to: "file")
    try folder.link("link", to: "nowhere")
    #expect(
      failure { () throws(SystemError) in try Directory.create(folder.path("file/a"), mode: 0o700) }?.code == ENOTDIR)
    #expect(
      failure { () throws(SystemError) in try Directory.create(folder.path("link/a"), mode: 0o700) }?.code == ENOENT)
    #expect(
      failure { () throws(SystemError) in try Directory.create(folder.path("link/a/b"), mode: 0o700) }?.code == ENOENT)
    #expect(failure { () throws(SystemError) in try Directory.create("", mode: 0o700) }?.code == ENOENT)
  }

  @Test("only a folder can be opened as one")
  func open() throws {
    try folder.write("", to: "file")
    let error = failure { () throws(SystemError) in _ = try Directory(opening: folder.path("file")) }
    #expect(error?.isNotAFolder == true)
    #expect(error?.description == "cannot open the folder \(folder.path)/file: Not a directory")
    let missing = failure { () throws(SystemError) in _ = try Directory(opening: folder.path("missing")) }
    #expect(missing?.isMissing == true)
  }

  @Test("the mode of an open folder is set")
  func setMode() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try folder.open().directory("a").setMode(0o750)
    #expect(mode(of: folder.path("a")) == 0o750)
  }

  @Test("the names in a folder are all of them but for . and .., each time anew")
  func names() throws {
    let directory = try folder.open()
    #expect(try directory.names() == [])
    let names = Set((0..<500).map { "name-\($0)" } + [".hidden", "...", String(repeating: "n", count: 255), "é"])
    for name in names { try folder.write("", to: name) }
    #expect(Set(try directory.names()) == names)
    #expect(try directory.names().count == names.count)
    try directory.remove("é")
    #expect(try directory.names().count == names.count - 1)
  }

  @Test("names that are not UTF-8 keep their bytes")
  func rawNames() throws {
    let path = Array(folder.path.utf8CString.dropLast()) + [0x2f, CChar(bitPattern: 0xff), 0]
    let file = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    close(file)
    #expect(try folder.open().rawNames() == [[0xff]])
    unlink(path)
  }

  @Test("each kind of file is told, links not followed")
  func kinds() throws {
    try folder.write("", to: "file")
    try Directory.create(folder.path("folder"), mode: 0o700)
    try folder.link("link", to: "file")
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    _ = try UnixSocket.bind(.datagram, path: folder.path("socket"), mode: 0o600)
    let directory = try folder.open()
    #expect(try directory.kind(of: "file") == .regular)
    #expect(try directory.kind(of: "folder") == .folder)
    #expect(try directory.kind(of: "link") == .link)
    #expect(try directory.kind(of: "pipe") == .pipe)
    #expect(try directory.kind(of: "socket") == .socket)
    #expect(try directory.kind(of: "missing") == nil)
    #expect(try Directory(opening: "/dev").kind(of: "null") == .device)
    #expect(try directory.destination(of: "link") == "file")
  }

  @Test("renaming replaces what had the name")
  func rename() throws {
    try folder.write("new", to: "a")
    try folder.write("old", to: "b")
    try folder.open().rename("a", to: "b")
    #expect(try folder.names() == ["b"])
    #expect(try folder.text(of: "b") == "new")
    let error = failure { () throws(SystemError) in try Directory(opening: folder.path).rename("a", to: "b") }
    #expect(error?.isMissing == true)
  }

  @Test("removing what is not there is fine, and a folder is not removed as a file")
  func remove() throws {
    try folder.write("", to: "file")
    try Directory.create(folder.path("folder"), mode: 0o700)
    let directory = try folder.open()
    try directory.remove("file")
    try directory.remove("file")
    #expect(try folder.names() == ["folder"])
    #expect(throws: SystemError.self) { try directory.remove("folder") }
  }

  @Test("a folder is the same one by whatever path it was opened")
  func isSame() throws {
    try folder.link("link", to: ".")
    try Directory.create(folder.path("a"), mode: 0o700)
    let directory = try folder.open()
    #expect(try directory.isSame(as: Directory(opening: folder.path("link"))))
    #expect(try directory.isSame(as: Directory(opening: folder.path("a/.."))))
    #expect(try !directory.isSame(as: Directory(opening: folder.path("a"))))
  }

  @Test("syncing a folder and its file system works")
  func synchronize() throws {
    try folder.open().synchronize()
    try folder.open().synchronizeFileSystem()
  }
}
