import Foundation
import KeyFiles
import Testing

@testable import Settings

/// Which files are read, in which order, and what may stand in their places.
struct SettingsFilesTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test("without any file everything is at its default")
  func noFiles() throws {
    let loaded = try folder.load()
    #expect(loaded.settings == Settings())
    #expect(loaded.files == [])
    try FileManager.default.removeItem(atPath: folder.main + ".d")
    #expect(try folder.load().settings == Settings())
  }

  @Test("a main file that has to exist is missed")
  func missing() {
    #expect(folder.errors(mustExist: true) == ["DIR/quickactions.conf: there is no such file"])
  }

  @Test("drop-ins are read after the main file in the order of their bytes, and a later value wins")
  func order() throws {
    try folder.write("[Ranking]\nLimit=1\nHalfLife=1d\n[Intake]\nMaxConnections=7\n", to: folder.main)
    try folder.write("[Ranking]\nLimit=2\nHalfLife=2d\n", to: folder.dropIn("10-a.conf"))
    try folder.write("[Ranking]\nLimit=3\n", to: folder.dropIn("9.conf"))
    try folder.write("[Ranking]\nLimit=4\n", to: folder.dropIn("B.conf"))
    try folder.write("[Ranking]\nLimit=5\n", to: folder.dropIn("a.conf"))
    try folder.write("[Ranking]\nLimit=6\n", to: folder.dropIn("é.conf"))
    let loaded = try folder.load()
    #expect(loaded.settings.limit == 6)
    #expect(loaded.settings.halfLife == 2 * DurationText.day)
    #expect(loaded.settings.maxConnections == 7)
    let names = ["10-a.conf", "9.conf", "B.conf", "a.conf", "é.conf"]
    #expect(loaded.files == [folder.main] + names.map { folder.dropIn($0) })
  }

  @Test("drop-ins are read without a main file too")
  func dropInsAlone() throws {
    try folder.write("[Ranking]\nLimit=2\n", to: folder.dropIn("a.conf"))
    #expect(try folder.load().settings.limit == 2)
    #expect(try folder.load().files == [folder.dropIn("a.conf")])
  }

  @Test("names that start with a dot or do not end in .conf are no drop-ins")
  func otherNames() throws {
    for name in [".hidden.conf", ".conf", "a.conf~", "a.conf.bak", "README", "a.CONF", "conf"] {
      try folder.write("no settings at all", to: folder.dropIn(name))
    }
    try folder.link(folder.dropIn(".#a.conf"), to: "somebody@somewhere.1234")  // An editor's lock.
    #expect(try folder.load().files == [])
  }

  @Test("an empty value in a drop-in sets a key back to its default")
  func reset() throws {
    try folder.write("[Ranking]\nLimit=2\nHalfLife=1h\n", to: folder.main)
    try folder.write("[Ranking]\nLimit= \t\n", to: folder.dropIn("a.conf"))
    #expect(try folder.load().settings.limit == 4)
    #expect(try folder.load().settings.halfLife == DurationText.hour)
  }

  @Test("links to files are followed")
  func links() throws {
    try folder.write("[Ranking]\nLimit=2\n", to: folder.path + "/elsewhere")
    try folder.link(folder.main, to: "elsewhere")
    try folder.link(folder.dropIn("a.conf"), to: "../elsewhere")
    #expect(try folder.load().files == [folder.main, folder.dropIn("a.conf")])
    #expect(try folder.load().settings.limit == 2)
  }

  @Test("/dev/null counts as an empty file")
  func nullDevice() throws {
    try folder.link(folder.main, to: "/dev/null")
    try folder.link(folder.dropIn("a.conf"), to: "/dev/null")
    #expect(try folder.load(mustExist: true).settings == Settings())
    #expect(try SettingsFiles.load(path: "/dev/null", mustExist: true).settings == Settings())
  }

  @Test("what is no regular file is refused by its kind, and nothing waits for it")
  func otherKinds() throws {
    try FileManager.default.createDirectory(atPath: folder.main, withIntermediateDirectories: false)
    #expect(unsafe mkfifo(folder.dropIn("a.conf"), 0o600) == 0)
    try makeSocket(at: folder.dropIn("b.conf"))
    try folder.link(folder.dropIn("c.conf"), to: "/dev/zero")
    try folder.link(folder.dropIn("d.conf"), to: "nowhere")
    try folder.link(folder.dropIn("e.conf"), to: "e.conf")
    #expect(
      folder.errors() == [
        "DIR/quickactions.conf: a folder, not a regular file",
        "DIR/quickactions.conf.d/a.conf: a pipe, not a regular file",
        "DIR/quickactions.conf.d/b.conf: a socket, not a regular file",
        "DIR/quickactions.conf.d/c.conf: a device, not a regular file",
        "DIR/quickactions.conf.d/d.conf: a link to a file that does not exist",
        "DIR/quickactions.conf.d/e.conf: can't open it: Too many levels of symbolic links",
      ])
  }

  @Test("a main file that is a link to nothing is an error, though it need not exist")
  func danglingMainFile() throws {
    try folder.link(folder.main, to: "nowhere")
    #expect(folder.errors() == ["DIR/quickactions.conf: a link to a file that does not exist"])
  }

  @Test("a file in the place of the drop-ins' folder is an error")
  func noFolder() throws {
    try FileManager.default.removeItem(atPath: folder.main + ".d")
    try folder.write("", to: folder.main + ".d")
    #expect(folder.errors() == ["DIR/quickactions.conf.d: not a folder"])
  }

  @Test("files and folders that may not be read are errors")
  func unreadable() async {
    await #expect(processExitsWith: .success) {
      // Root may read everything: a process of its own takes the rights of nobody.
      if geteuid() == 0, seteuid(65534) != 0 { fatalError("root can't become nobody") }
      let folder = try Folder()
      try folder.write("", to: folder.main)
      guard unsafe chmod(folder.main, 0) == 0, unsafe chmod(folder.main + ".d", 0) == 0 else { fatalError("chmod") }
      let errors = folder.errors()
      _ = unsafe chmod(folder.main + ".d", 0o700)
      let expected = [
        "DIR/quickactions.conf: can't open it: Permission denied",
        "DIR/quickactions.conf.d: can't list it: Permission denied",
      ]
      if errors != expected { fatalError("\(errors)") }
    }
  }

  @Test("a file of 1 MiB is read and one byte more is refused")
  func tooLarge() throws {
    let end = Array("\n[Ranking]\nLimit=2".utf8)
    try folder.write([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20 - end.count) + end, to: folder.main)
    #expect(try folder.load().settings.limit == 2)
    try folder.write([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20 + 1 - end.count) + end, to: folder.main)
    #expect(folder.errors() == ["DIR/quickactions.conf: larger than 1M"])
  }

  @Test("the problems of all files are told, with the warnings beside them")
  func allProblems() throws {
    try folder.write("[Ranking]\nLimit=0\nHalfLife=soon\n[Else]\n", to: folder.main)
    try folder.write("x\n", to: folder.dropIn("a.conf"))
    try folder.write("[Ranking]\nLimit=4\n[Intake]\n\nMaxLineBytes=1\n", to: folder.dropIn("b.conf"))
    let errors = #expect(throws: SettingsErrors.self) { try folder.load() }
    let places = errors?.problems.map { "\($0.file.dropFirst(folder.path.utf8.count)):\($0.line ?? 0)" }
    #expect(
      places == [
        "/quickactions.conf:2", "/quickactions.conf:3", "/quickactions.conf.d/a.conf:1",
        "/quickactions.conf.d/b.conf:5",
      ])
    #expect(errors?.warnings.map(\.line) == [4])
  }

  @Test("a name that would break the line of a message is made printable")
  func strangeName() throws {
    try folder.write("x", to: folder.dropIn("a\n<0>b.conf"))
    #expect(
      folder.errors() == [
        "DIR/quickactions.conf.d/a\\u{a}<0>b.conf:1: \"x\" is neither [Section], Key=value nor # comment"
      ])
  }

  private func makeSocket(at path: String) throws {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < 108)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    try #require(result == 0)
  }
}
