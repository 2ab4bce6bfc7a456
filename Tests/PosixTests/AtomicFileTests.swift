import Foundation
import Posix
import Testing

struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String, synchronizes: Bool = true) throws {
    let directory = try folder.open()
    let file = try AtomicFile(
      Array(text.utf8), replacing: name, in: directory, mode: 0o640, synchronizes: synchronizes)
    try file.commit(in: directory)
  }

  @Test("a file is replaced as a whole, and whoever had the old one open keeps it", arguments: [true, false])
  func replace(synchronizes: Bool) throws {
    try folder.write("old", to: "file")
    let old = try FileHandle(forReadingFrom: URL(filePath: folder.path("file")))
    try write("new", to: "file", synchronizes: synchronizes)
    #expect(try folder.text(of: "file") == "new")
    #expect(try old.readToEnd() == Data("old".utf8))
    #expect(try folder.names() == ["file"])
  }

  @Test("the new file has the mode that was asked for, whatever the umask and the old file's")
  func setsMode() async {
    await #expect(processExitsWith: .success) {
      umask(0o077)
      let folder = try TemporaryFolder()
      try folder.write("old", to: "file")
      let directory = try folder.open()
      try AtomicFile([1], replacing: "file", in: directory, mode: 0o644, synchronizes: false).commit(in: directory)
      #expect(mode(of: folder.path("file")) == 0o644)
    }
  }

  @Test("until it is committed the old file stands, beside a hidden temporary one")
  func notYet() throws {
    try folder.write("old", to: "file")
    let directory = try folder.open()
    let file = try AtomicFile([1], replacing: "file", in: directory, mode: 0o640, synchronizes: false)
    #expect(try folder.text(of: "file") == "old")
    #expect(try folder.names() == [".file.tmp", "file"])
    file.abandon(in: directory)
    #expect(try folder.text(of: "file") == "old")
    #expect(try folder.names() == ["file"])
  }

  @Test("a left-over temporary file or link is replaced, and what the link led to stays as it was")
  func leftOver() throws {
    try folder.write("half", to: ".file.tmp")
    try write("new", to: "file")
    #expect(try folder.names() == ["file"])
    try folder.write("precious", to: "elsewhere")
    try folder.link(".file.tmp", to: "elsewhere")
    try write("newer", to: "file")
    #expect(try folder.text(of: "elsewhere") == "precious")
    #expect(try folder.text(of: "file") == "newer")
    #expect(try folder.names() == ["elsewhere", "file"])
  }

  @Test("temporary names are known as such, and a snapshot's is not one")
  func temporaryName() {
    #expect(AtomicFile.temporaryName(for: "top.json") == ".top.json.tmp")
    #expect(AtomicFile.isTemporary(AtomicFile.temporaryName(for: "x")))
    for name in ["top.json", "x.tmp", ".x", "%2Ex.tmp"] { #expect(!AtomicFile.isTemporary(name)) }
  }

  @Test("a link is written through, over several links and folders, and stays")
  func link() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try folder.write("old", to: "a/target")
    try folder.link("a/second", to: "target")
    try folder.link("first", to: "a/second")
    try folder.link("absolute", to: folder.path("first"))
    try write("new", to: "first")
    #expect(try folder.text(of: "a/target") == "new")
    try write("newer", to: "absolute", synchronizes: false)
    #expect(try folder.text(of: "a/target") == "newer")
    let directory = try folder.open()
    #expect(try directory.kind(of: "first") == .link)
    #expect(try directory.kind(of: "absolute") == .link)
    #expect(try folder.names() == ["a", "absolute", "first"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a")).sorted() == ["second", "target"])
  }

  @Test("a link to what is not there yet makes it")
  func danglingLink() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try folder.link("file", to: "a/target")
    try write("new", to: "file")
    #expect(try folder.text(of: "a/target") == "new")
  }

  @Test("abandoning what a link leads to leaves nothing there either")
  func abandonLinked() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try folder.link("file", to: "a/target")
    let directory = try folder.open()
    let file = try AtomicFile([1], replacing: "file", in: directory, mode: 0o640, synchronizes: false)
    file.abandon(in: directory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a")) == [])
  }

  @Test("links in a circle are refused, with nothing left behind")
  func circle() throws {
    try folder.link("a", to: "b")
    try folder.link("b", to: "a")
    let error = #expect(throws: SystemError.self) { try write("new", to: "a") }
    #expect(error?.code == ELOOP)
    #expect(error?.isForbidden == true)
    #expect(try folder.names() == ["a", "b"])
  }

  @Test("a folder in the file's place is kept, with nothing left behind")
  func folderInPlace() throws {
    try Directory.create(folder.path("file"), mode: 0o700)
    #expect(throws: SystemError.self) { try write("new", to: "file") }
    #expect(try folder.names() == ["file"])
  }

  @Test("a full disk leaves the old file whole and nothing beside it, and names the file")
  func full() async {
    await #expect(processExitsWith: .success) {
      // A limit on the size of files fails a write as a full disk does.
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      try folder.write("old", to: "file")
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let directory = try folder.open()
      let error = #expect(throws: SystemError.self) {
        try AtomicFile(
          [UInt8](repeating: 7, count: 20_000), replacing: "file", in: directory, mode: 0o640, synchronizes: true)
      }
      #expect(error?.code == EFBIG)
      #expect(error?.subject == folder.path("file"))
      #expect(try folder.names() == ["file"])
      #expect(try folder.text(of: "file") == "old")
    }
  }
}
