import Foundation
import Testing

@Suite("A start that is refused")
struct RefusedStartTests {
  /// Something at a socket's path that is not the daemon's to remove.
  enum Obstacle: String, CaseIterable {
    case file, folder, link, danglingLink, pipe

    func make(_ path: String) throws {
      switch self {
      case .file: try writeFile(path, "precious")
      case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .link:
        try writeFile(path + ".target", "precious")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
      case .danglingLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
      case .pipe: guard mkfifo(path, 0o600) == 0 else { throw Failure.system("make a pipe") }
      }
    }
  }

  static let socketNames = ["events.sock", "events.dgram", "control.sock"]

  @Test("Whatever is at a socket's path is kept, and named", arguments: socketNames, Obstacle.allCases)
  func keepsObstacles(name: String, obstacle: Obstacle) throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.runtime, withIntermediateDirectories: false)
      let path = site.runtime + "/" + name
      try obstacle.make(path)
      let before = FileFacts(path)
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(73))
      #expect(errors.contains(path))
      #expect(FileFacts(path) == before)
      if obstacle == .file { #expect(try readFile(path) == Array("precious".utf8)) }
      if obstacle == .link { #expect(try readFile(path + ".target") == Array("precious".utf8)) }
    }
  }

  @Test("A living socket of someone else is kept, and goes on working", arguments: socketNames)
  func keepsForeignSockets(name: String) throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.runtime, withIntermediateDirectories: false)
      let path = site.runtime + "/" + name
      let foreign = try RawSocket.bound(name == "events.dgram" ? SOCK_DGRAM : SOCK_STREAM, path)
      defer { close(foreign) }
      let before = FileFacts(path)
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(69))
      #expect(errors.contains(path))
      #expect(FileFacts(path) == before)
      _ = try Client(path, datagram: name == "events.dgram")
    }
  }

  @Test("A living socket of another type is kept")
  func keepsSocketsOfAnotherType() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.runtime, withIntermediateDirectories: false)
      let foreign = try RawSocket.bound(SOCK_DGRAM, site.runtime + "/events.sock")
      defer { close(foreign) }
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(73))
      #expect(errors.contains("/events.sock"))
      _ = try Client(site.runtime + "/events.sock", datagram: true)
    }
  }

  @Test("A socket path over 107 bytes is refused by name, one of 107 is fine")
  func refusesLongPaths() throws {
    try withSite { site in
      // The longest name in the folder is that of control.sock or events.dgram: 12 bytes, and a slash.
      let longest = site.path + "/" + String(repeating: "r", count: 107 - 13 - site.path.utf8.count - 1)
      let (exit, _, errors) = try site.run(site.command(runtime: longest + "r"))
      #expect(exit == .status(73))
      #expect(errors.contains(longest + "r/"))
      #expect(errors.contains("107"))
      let daemon = try site.start(command: site.command(runtime: longest))
      #expect(FileFacts(longest + "/control.sock") != nil)
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test(
    "A file where a folder should be is named and kept",
    arguments: ["run", "state", "state/snapshots", "run/x", "state/x"])
  func refusesFilesForFolders(name: String) throws {
    try withSite { site in
      let isInside = name.hasSuffix("/x")
      let file = site.path + "/" + (isInside ? String(name.dropLast(2)) : name)
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try writeFile(file, "precious")
      let command = site.command(
        runtime: name == "run/x" ? site.runtime + "/x" : nil, state: name == "state/x" ? site.state + "/x" : nil)
      let (exit, _, errors) = try site.run(command)
      #expect(exit == .status(73))
      #expect(errors.contains(file))
      #expect(try readFile(file) == Array("precious".utf8))
    }
  }

  @Test("A folder in the place of a snapshot is named and kept")
  func refusesAFolderForASnapshot() throws {
    try withSite { site in
      let path = site.state + "/snapshots/top.json"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(73))
      #expect(errors.contains("top.json"))
      #expect(FileFacts(path)?.isFolder == true)
    }
  }

  @Test("A state folder that can't be written to is named", .enabled(if: canMount))
  func refusesUnwritableState() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.state, withIntermediateDirectories: true)
      let mount = "mount --bind \(site.state) \(site.state) && mount -o remount,ro,bind \(site.state)"
      let (exit, _, errors) = try site.run(
        ["unshare", "-m", "sh", "-c", "\(mount) && exec \"$0\" \"$@\""] + site.command())
      #expect(exit == .status(73))
      #expect(errors.contains(site.state))
      #expect(errors.contains("Read-only file system"))
    }
  }

  // MARK: Settings and arguments

  @Test("A bad setting is told with file, line, key and what is allowed")
  func refusesBadSettings() throws {
    try withSite(settings: "# quick\n[Ranking]\nLimit=21\n[Snapshot]\nInterval=soon\n") { site in
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(78))
      #expect(errors.contains("\(site.config):3: [Ranking] Limit=21"))
      #expect(errors.contains("\(site.config):5: [Snapshot] Interval=soon"))
      #expect(FileFacts(site.runtime) == nil)
      #expect(FileFacts(site.state) == nil)
    }
  }

  @Test("A bad setting in a drop-in is told with the drop-in's name")
  func refusesBadDropIns() throws {
    try withSite { site in
      try writeFile(site.config + ".d/50-test.conf", "[Ranking]\nHalfLife=0s\n")
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(78))
      #expect(errors.contains("\(site.config).d/50-test.conf:2: [Ranking] HalfLife=0s"))
    }
  }

  @Test("A settings file that was named has to be there")
  func refusesMissingSettings() throws {
    try withSite { site in
      try FileManager.default.removeItem(atPath: site.config)
      let (exit, _, errors) = try site.run(site.command())
      #expect(exit == .status(78))
      #expect(errors.contains(site.config))
    }
  }

  @Test("An unknown key is a warning with its line, and no more")
  func warnsOfUnknownKeys() throws {
    try withDaemon(settings: "[Ranking]\nLimit=4\nColour=red\n[Weather]\nRain=yes\n") { daemon in
      #expect(daemon.child.errors.contains("\(daemon.site.config):3: [Ranking] Colour"))
      #expect(daemon.child.errors.contains("\(daemon.site.config):4: [Weather]"))
    }
  }

  @Test("--check-settings shows the effective settings, or ends with 78, and touches nothing")
  func checksSettings() throws {
    try withSite(settings: "[Ranking]\nLimit=7\n") { site in
      let good = try site.run(site.command() + ["--check-settings"])
      #expect(good.exit == .status(0))
      #expect(good.output.contains("Limit=7"))
      #expect(good.output.contains("Interval=5s"))
      #expect(good.errors == "")
      try writeFile(site.config, "[Ranking]\nLimit=0\n")
      let bad = try site.run(site.command() + ["--check-settings"])
      #expect(bad.exit == .status(78))
      #expect(bad.output == "")
      #expect(bad.errors.contains("\(site.config):2: [Ranking] Limit=0"))
      #expect(FileFacts(site.runtime) == nil)
      #expect(FileFacts(site.state) == nil)
      #expect(FileFacts(site.path + "/home") == nil)
    }
  }

  @Test("What --check-settings shows can be read as settings again")
  func rendersReadableSettings() throws {
    try withSite(settings: "[Ranking]\nHalfLife=1h 30min\n[Snapshot]\nMode=0644\n") { site in
      let first = try site.run(site.command() + ["--check-settings"])
      try writeFile(site.config, first.output)
      let second = try site.run(site.command() + ["--check-settings"])
      #expect(second.exit == .status(0))
      #expect(second.output == first.output)
    }
  }

  @Test(
    "Wrong usage ends with 64",
    arguments: [["--colour"], ["extra"], ["--state-dir"], ["--runtime-dir="], ["--check-settings=yes"], ["-h"]])
  func refusesWrongUsage(arguments: [String]) throws {
    try withSite { site in
      let (exit, output, errors) = try site.run([Site.program] + arguments)
      #expect(exit == .status(64))
      #expect(output == "")
      #expect(errors.contains("--help"))
    }
  }

  @Test("--help and --version end with 0", arguments: ["--help", "--version"])
  func explainsItself(argument: String) throws {
    try withSite { site in
      let (exit, output, errors) = try site.run([Site.program, argument])
      #expect(exit == .status(0))
      #expect(output.contains("quickactionsd"))
      #expect(errors == "")
    }
  }
}
