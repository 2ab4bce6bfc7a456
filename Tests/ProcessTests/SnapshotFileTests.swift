import Foundation
import Testing

@Suite("Snapshot files")
struct SnapshotFileTests {
  @Test("Only what has changed is written")
  func leavesFilesAlone() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\nc.d\n")
      try daemon.snapshot(of: "a")
      try daemon.snapshot(of: "c")
      let before = [FileFacts(daemon.appPath("a")), FileFacts(daemon.appPath("a", "tsv"))]
      for round in 2...4 {
        try daemon.count("c.d\n")
        try daemon.snapshot(of: "c") { $0.uses(of: "c.d") == round }
      }
      #expect([FileFacts(daemon.appPath("a")), FileFacts(daemon.appPath("a", "tsv"))] == before)
    }
  }

  @Test("JSON and TSV tell the same, of an app and of all")
  func writesBothForms() throws {
    try withDaemon { daemon in
      try daemon.count("a.b n=3\nc.d#x n=2\na.e\n")
      try daemon.snapshot(of: "a")
      let top = try value(of: "three actions in top") { try daemon.top().shortcuts.count == 3 ? daemon.top() : nil }
      #expect(top.shortcuts.map(\.action) == ["a.b", "c.d#x", "a.e"])
      #expect(top.shortcuts.map(\.app) == ["a", "c", "a"])
      let rows = String(decoding: try readFile(daemon.topPath("tsv")), as: UTF8.self).split(separator: "\n")
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      #expect(rows.first == ["#rank", "kind", "score", "uses", "lastUsed", "app", "action", "title"])
      #expect(rows.dropFirst().map { $0[6] } == ["a.b", "c.d#x", "a.e"])
      #expect(rows.dropFirst().map { $0[3] } == ["3", "2", "1"])
      let app = try daemon.app("a")
      #expect(app.shortcuts.map(\.action) == ["a.b", "a.e"])
      #expect(app.dynamic?.map(\.action) == ["a.b", "a.e"])
      #expect(app.generation <= top.generation)
    }
  }

  @Test("Modes are those of the settings, whatever the umask", arguments: ["000", "077"])
  func setsModes(umask: String) throws {
    try withDaemon(
      settings: Site.quick + "Mode=0604\n", wrapper: ["sh", "-c", "umask \(umask); exec \"$0\" \"$@\""]
    ) { daemon in
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      for path in [daemon.topPath(), daemon.topPath("tsv"), daemon.appPath("a"), daemon.appPath("a", "tsv")] {
        #expect(FileFacts(path)?.mode == 0o604)
      }
      for folder in ["snapshots", "snapshots/apps"] {
        #expect(FileFacts("\(daemon.site.state)/\(folder)")?.mode == 0o705)
      }
    }
  }

  @Test("A snapshot that is a link is written through it", arguments: [nil, "/dev/shm"])
  func followsLinks(otherFileSystem: String?) throws {
    try withSite { site in
      let elsewhere = (otherFileSystem ?? site.path) + "/qa-elsewhere-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: elsewhere) }
      try FileManager.default.createDirectory(atPath: site.state + "/snapshots", withIntermediateDirectories: true)
      let link = site.state + "/snapshots/top.json"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere + "/mine.json")
      let daemon = try site.start()
      try daemon.count("a.b\n")
      try wait(for: "the use to show") { try daemon.top().uses(of: "a.b") == 1 }
      #expect(FileFacts(link)?.isLink == true)
      #expect(FileFacts(elsewhere + "/mine.json")?.isRegular == true)
      #expect(FileFacts(elsewhere + "/mine.json")?.mode == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["mine.json"])
    }
  }

  @Test("The state folder may be a link")
  func worksInALinkedFolder() throws {
    try withSite { site in
      let real = site.path + "/real"
      try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: site.state, withDestinationPath: real)
      let daemon = try site.start()
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      #expect(try daemon.stop() == .status(0))
      #expect(FileFacts(site.state)?.isLink == true)
      #expect(FileFacts(real + "/snapshots/apps/a.json")?.isRegular == true)
    }
  }

  @Test("While a folder is not usable it counts on, says so once, and goes back to work by itself")
  func recoversFromABrokenFolder() throws {
    try withDaemon { daemon in
      let apps = daemon.site.state + "/snapshots/apps"
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      try FileManager.default.moveItem(atPath: apps, toPath: apps + ".away")
      try writeFile(apps, "in the way")
      let mark = daemon.notify.mark
      try daemon.count("a.b\n")
      try daemon.notify.wait(forStatus: "can't be written", apps, after: mark)
      let failures = try daemon.status()["snapshotFailures"]
      try wait(for: "more attempts") { try daemon.status()["snapshotFailures"] >= failures + 3 }
      try daemon.count("a.b\n")
      #expect(try daemon.status().snapshotError?.contains(apps) == true)
      #expect(try readFile(apps) == Array("in the way".utf8))

      try FileManager.default.removeItem(atPath: apps)
      let fixed = daemon.notify.mark
      #expect(try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == 3 }.generation > 1)
      try daemon.notify.wait(for: "a STATUS without the failure", after: fixed) {
        $0.hasPrefix("STATUS=Counted 3 uses") && !$0.contains("can't be written")
      }
      #expect(try daemon.status().snapshotError == nil)
      #expect(daemon.child.errorLines.filter { $0.contains("can't be written") }.count == 1)
      #expect(daemon.child.errorLines.filter { $0.contains("written again") }.count == 1)
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test(
    "A full disk leaves the old files whole, and once there is room the next interval writes",
    .enabled(if: canMount))
  func survivesAFullDisk() throws {
    try withSite { site in
      try FileManager.default.createDirectory(atPath: site.state, withIntermediateDirectories: false)
      let mount = "mount -t tmpfs -o size=1m,mode=0700 tmpfs \(site.state)"
      let daemon = try site.start(wrapper: ["unshare", "-m", "sh", "-c", "\(mount) && exec \"$0\" \"$@\""])
      let folder = "/proc/\(daemon.child.pid)/root\(site.state)"
      func uses() throws -> Int? {
        try decode(Snapshot.self, String(decoding: readFile(folder + "/snapshots/apps/a.json"), as: UTF8.self))
          .uses(of: "a.b")
      }
      try daemon.count("a.b\n")
      try wait(for: "the first use") { FileFacts(folder + "/snapshots/apps/a.json") != nil }
      #expect(try uses() == 1)

      try fill(folder + "/filler")
      try daemon.count("a.b\n")
      try daemon.notify.wait(forStatus: "can't be written", "No space left on device")
      let failures = try daemon.status()["snapshotFailures"]
      for _ in 0..<2 { try daemon.count((0..<20).map { "new\($0).x\n" }.joined()) }
      try wait(for: "more attempts") { try daemon.status()["snapshotFailures"] >= failures + 3 }
      #expect(try uses() == 1)
      for name in ["top.json", "apps/a.json"] {
        let text = String(decoding: try readFile(folder + "/snapshots/" + name), as: UTF8.self)
        _ = try decode(Snapshot.self, text)
      }

      try FileManager.default.removeItem(atPath: folder + "/filler")
      try wait(for: "the second use") { try uses() == 2 }
      try wait(for: "the end of the failure") { try daemon.status().snapshotError == nil }
      try wait(for: "all apps") {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/snapshots/apps").count == 42
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/snapshots/apps")
      #expect(!left.contains { $0.hasPrefix(".") })
      #expect(daemon.child.errorLines.filter { $0.contains("can't be written") }.count == 1)
    }
  }

  /// Writes a file until the disk is full.
  private func fill(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure.system("open \(path)") }
    defer { close(descriptor) }
    for size in [4096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(descriptor, bytes, size) > 0 {}
    }
    if errno != ENOSPC { throw Failure.system("fill the disk") }
  }

  @Test("Scores fade without events, down to 0")
  func fades() throws {
    try withDaemon(settings: Site.quick + "[Ranking]\nHalfLife=1s\n") { daemon in
      let now = Int(Date().timeIntervalSince1970)
      // Worth some 2^-1070 by now, close to the smallest number there is.
      try daemon.count("old.x t=\(now - 1070)\nnew.x n=1000\n")
      var scores = [try daemon.snapshot(of: "new").shortcuts[0].score]
      while scores.count < (isLong ? 60 : 8) {
        let last = scores[scores.count - 1]
        scores.append(try daemon.snapshot(of: "new") { $0.shortcuts[0].score != last }.shortcuts[0].score)
      }
      #expect(scores == scores.sorted(by: >))
      #expect(scores.allSatisfy { $0 > 0 && $0 <= 1000 })
      let row = try daemon.snapshot(of: "old") { $0.shortcuts[0].score == 0 }.shortcuts[0]
      #expect(row.uses == 1)
      // An app at 0 has nothing left to fade, so its file rests.
      let rested = FileFacts(daemon.appPath("old"))
      let last = try daemon.app("new").shortcuts[0].score
      try daemon.snapshot(of: "new") { $0.shortcuts[0].score < last }
      #expect(FileFacts(daemon.appPath("old")) == rested)
      try daemon.count("old.x\n")
      #expect(try daemon.snapshot(of: "old") { $0.uses(of: "old.x") == 2 }.shortcuts[0].score > 0.3)
    }
  }

  @Test("A reader never sees a part of a file, nor an older one after a newer one")
  func isNeverTorn() throws {
    try withDaemon { daemon in
      try daemon.count("a.b\n")
      try daemon.snapshot(of: "a")
      let (top, app, hasEnded) = (daemon.topPath(), daemon.appPath("a"), Flag())
      let reader = inThread {
        var (reads, last) = (0, [0, 0])
        while !hasEnded.isSet {
          for (index, path) in [top, app].enumerated() {
            let text = String(decoding: try readFile(path), as: UTF8.self)
            let snapshot = try decode(Snapshot.self, text)
            #expect(text.hasSuffix("}\n"))
            #expect(snapshot.generation >= last[index])
            last[index] = snapshot.generation
            reads += 1
          }
        }
        return reads
      }
      let start = try daemon.top().generation
      var round = 0
      try wait(for: "some rounds of snapshots") {
        round += 1
        try daemon.count("a.r\(round % 50)\na.b\n")
        daemon.child.signal(SIGUSR1)
        return try daemon.top().generation >= start + (isLong ? 1000 : 40)
      }
      hasEnded.set()
      #expect(try reader.join() > 40)
    }
  }

  @Test("App ids become file names without harm", arguments: ["../../escape", "a/b", ".hidden", "ü", "a%2Fb", "-rf"])
  func escapesNames(app: String) throws {
    try withDaemon { daemon in
      try daemon.count("x.y app=\(app)\n")
      let folder = daemon.site.state + "/snapshots/apps"
      let names = try value(of: "two files") {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".tmp") }
        return names.count == 2 ? names.sorted() : nil
      }
      let snapshot = try decode(Snapshot.self, String(decoding: readFile(folder + "/" + names[0]), as: UTF8.self))
      #expect(snapshot.app == app)
      #expect(names.allSatisfy { !$0.hasPrefix(".") })
      #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.site.path).contains("escape.json") == false)
    }
  }
}
