import Foundation
import Testing

@testable import Catalogue

/// Which files are read, what may stand in their places, and which definition counts.
struct CatalogueTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func names(_ catalogue: Catalogue) -> [String] {
    catalogue.apps.map { "\(String(decoding: $0.app, as: UTF8.self))=\($0.localizedName ?? "")" }
  }

  @Test("apps are in the order of their ids' bytes, whatever their files are called")
  func order() throws {
    try folder.write(definition("b"), to: "1.json")
    try folder.write(definition("é"), to: "2.json")
    try folder.write(definition("B"), to: "3.json")
    try folder.write(definition("a"), to: "4.json")
    try folder.write("[Desktop Entry]\nType=Application\n", to: "a.b.desktop")
    try folder.write("<plist><dict><key>CFBundleIdentifier</key><string>c</string></dict></plist>", to: "5.plist")
    let (catalogue, problems) = folder.load()
    #expect(problems == [])
    #expect(catalogue.ids == ["B", "a", "a.b", "b", "c", "é"])
    #expect(Catalogue().apps == [])
  }

  @Test("hidden files and other names are no part of it")
  func otherNames() throws {
    for name in [
      ".a.json", "a.json~", "a.JSON", "a.json.bak", "README", "json", ".json", "a.jsonx", "InfoPlist.strings",
    ] {
      try folder.write("no definition", to: name)
    }
    try folder.link(".#a.json", to: "somebody@somewhere.1234")
    #expect(folder.load().problems == [])
    #expect(folder.load().catalogue == Catalogue())
    #expect(folder.read("README").problems == ["DIR/README: its name has to end in one of .json, .plist, .desktop"])
  }

  @Test("a folder that does not exist is nothing, and one that is none is an error")
  func noFolder() throws {
    try folder.write("", to: "file")
    let (catalogue, problems) = Catalogue.load(
      folders: [folder.path + "/none", folder.path + "/file", folder.path + "/none/below"], languages: .none)
    #expect(catalogue == Catalogue())
    #expect(folder.shortened(problems) == ["DIR/file: not a folder"])
  }

  @Test("what is no regular file is refused by its kind, nothing waits for it, and the rest is read")
  func otherKinds() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/a.json", withIntermediateDirectories: false)
    #expect(unsafe mkfifo(folder.path + "/b.plist", 0o600) == 0)
    try makeSocket(at: folder.path + "/c.desktop")
    try folder.link("d.json", to: "/dev/zero")
    try folder.link("e.json", to: "nowhere")
    try folder.link("f.json", to: "f.json")
    try folder.link("g.json", to: "/dev/null")
    try folder.write([UInt8](repeating: 0x20, count: 1 << 20 + 1), to: "h.json")
    try folder.write("elsewhere", to: "elsewhere")
    try folder.write(definition("x"), to: "elsewhere")
    try folder.link("i.json", to: "elsewhere")
    let (catalogue, problems) = folder.load()
    #expect(catalogue.ids == ["x"])
    #expect(
      problems == [
        "DIR/a.json: a folder, not a regular file",
        "DIR/b.plist: a pipe, not a regular file",
        "DIR/c.desktop: a socket, not a regular file",
        "DIR/d.json: a device, not a regular file",
        "DIR/e.json: a link to a file that does not exist",
        "DIR/f.json: can't open it: Too many levels of symbolic links",
        "DIR/g.json: the file is empty",
        "DIR/h.json: larger than 1M",
      ])
    #expect(folder.read("none.json").problems == ["DIR/none.json: there is no such file"])
  }

  @Test("files and folders that may not be read are errors, and what they said stays")
  func unreadable() async {
    await #expect(processExitsWith: .success) {
      // Root may read everything: a process of its own takes the rights of nobody.
      if geteuid() == 0, seteuid(65534) != 0 { fatalError("root can't become nobody") }
      let folder = try Folder()
      try folder.write(definition("a"), to: "a.json")
      try folder.write(definition("b"), to: "b.json")
      let before = folder.load().catalogue
      guard unsafe chmod(folder.path + "/a.json", 0) == 0 else { fatalError("chmod") }
      let file = folder.load(before)
      if file.catalogue.ids != ["a", "b"] || file.problems != ["DIR/a.json: can't open it: Permission denied"] {
        fatalError("\(file)")
      }
      guard unsafe chmod(folder.path, 0) == 0 else { fatalError("chmod") }
      let whole = folder.load(before)
      _ = unsafe chmod(folder.path, 0o700)
      if whole.catalogue != before || whole.problems != ["DIR: can't list it: Permission denied"] {
        fatalError("\(whole)")
      }
    }
  }

  @Test("a later folder's definition counts as a whole, and hides what it says is not there")
  func layers() throws {
    try folder.write(
      #"{"app": "org.a", "localizedName": "1", "actions": [{"type": "x", "kind": "dynamic"}]}"#, to: "1/a.json")
    try folder.write(definition("org.b", name: "1"), to: "1/b.json")
    try folder.write(definition("org.c", name: "1"), to: "1/c.json")
    try folder.write(definition("org.a", name: "2"), to: "2/z.json")
    try folder.write("[Desktop Entry]\nType=Application\nHidden=true\n", to: "2/org.c.desktop")
    func load(_ folders: String...) -> Catalogue {
      let (catalogue, problems) = Catalogue.load(folders: folders.map { folder.path + "/" + $0 }, languages: .none)
      #expect(problems == [])
      return catalogue
    }
    #expect(names(load("1", "2")) == ["org.a=2", "org.b=1"])
    #expect(load("1", "2").apps[0].actions == [])
    #expect(names(load("2", "1")) == ["org.a=1", "org.b=1", "org.c=1"])
    #expect(load("2", "1").apps[0].ids == ["x"])
    #expect(names(load("1", "1")) == ["org.a=1", "org.b=1", "org.c=1"])
  }

  @Test("of two files of a folder about one app the one with the lower name counts, and the other is an error")
  func duplicate() throws {
    try folder.write(definition("a", name: "1"), to: "1.json")
    try folder.write(definition("a", name: "2"), to: "2.json")
    let (catalogue, problems) = folder.load()
    #expect(names(catalogue) == ["a=1"])
    #expect(problems == ["DIR/2.json: its app is defined by a file before it, too"])
    let previous = catalogue
    try folder.remove("1.json")
    #expect(names(folder.load(previous).catalogue) == ["a=2"])
  }

  @Test("a file that has become bad keeps what it said, until it is good again or gone")
  func previous() throws {
    try folder.write(definition("a", name: "1"), to: "a.json")
    try folder.write(definition("b", name: "1"), to: "b.json")
    let first = folder.load().catalogue
    try folder.write("{", to: "a.json")
    let second = folder.load(first)
    #expect(names(second.catalogue) == ["a=1", "b=1"])
    #expect(second.problems.count == 1)
    #expect(names(folder.load(second.catalogue).catalogue) == ["a=1", "b=1"])
    #expect(names(folder.load().catalogue) == ["b=1"])
    // Another file takes the app over.
    try folder.write(definition("a", name: "2"), to: "z.json")
    #expect(names(folder.load(second.catalogue).catalogue) == ["a=2", "b=1"])
    try folder.remove("z.json")
    try folder.write(definition("a", name: "3"), to: "a.json")
    #expect(names(folder.load(second.catalogue).catalogue) == ["a=3", "b=1"])
    try folder.remove("a.json")
    #expect(names(folder.load(second.catalogue).catalogue) == ["b=1"])
  }

  @Test("a bad file keeps also a definition that another folder's was preferred to")
  func previousBelow() throws {
    let folders = [folder.path + "/1", folder.path + "/2"]
    try folder.write(definition("a", name: "1"), to: "1/a.json")
    try folder.write(definition("a", name: "2"), to: "2/a.json")
    let first = Catalogue.load(folders: folders, languages: .none).catalogue
    try folder.write("{", to: "1/a.json")
    try folder.remove("2/a.json")
    #expect(names(Catalogue.load(folders: folders, languages: .none, previous: first).catalogue) == ["a=1"])
  }

  @Test("a folder with more files than are read says so")
  func manyFiles() throws {
    try folder.write("[Desktop Entry]\nType=Application\n", to: "one")
    for number in 1000..<5097 { try folder.link("a\(number).desktop", to: "one") }
    let (catalogue, problems) = folder.load()
    #expect(catalogue.apps.count == 4096 && catalogue.ids.last == "a5095")
    #expect(problems == ["DIR: has over 4096 files; those with the highest names are left out"])
  }

  @Test("no message repeats a text for persons")
  func privacy() throws {
    let secret = "s3cret"
    for text in [
      #"{"app": "a", "localizedName": 1, "x": "\#(secret)"}"#,
      JSONDefinitionTests.action(#""localizedTitle": "\#(secret)\u0000""#),
      JSONDefinitionTests.action(#""localizedTitle": "\#(secret)", "titles": ["\#(secret)"]"#),
      JSONDefinitionTests.action(#""userInfo": "\#(secret)""#), #"{"app": "a b\#(secret)"}"#,
      #"{"app": "a", "halfLife": "1 \#(secret)"}"#,
      JSONDefinitionTests.file(#"{"type": "a \#(secret)", "kind": "\#(secret)"}"#),
    ] {
      try folder.write(text, to: "x.json")
      let problems = folder.read("x.json").problems
      #expect(!problems.isEmpty && !problems.joined().contains(secret), "\(problems)")
    }
    try folder.write("[Desktop Entry]\n\(secret)\n", to: "x.desktop")
    try folder.write("<plist><\(secret)/></plist>", to: "x.plist")
    for name in ["x.desktop", "x.plist"] {
      let problems = folder.read(name).problems
      #expect(!problems.isEmpty && !problems.joined().contains(secret), "\(problems)")
    }
  }

  private func makeSocket(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
  }
}
