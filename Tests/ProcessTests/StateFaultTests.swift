import Foundation
import Testing

@Suite("Faults of the state")
struct StateFaultTests {
  @Test(
    "Storing that fails is told to whoever asks, said once, and goes on by itself when it can",
    .enabled(if: Tracer.isThere),
    arguments: [
      ("pwrite64", "error=EROFS", "disk I/O error"), ("fsync,fdatasync", "error=EIO", ""),
      ("pwrite64", "error=ENOSPC", ""),
    ])
  func recoversFromErrors(calls: String, fault: String, words: String) throws {
    try withSite(settings: Site.slow + "[Storage]\nCommitInterval=100ms\n") { site in
      var daemon = try site.start()
      try daemon.count("a.b id=1\n")
      let tracer = try Tracer(daemon, calls: calls, fault: fault)
      let mark = daemon.notify.mark
      for place in 2...4 {
        let reply = try daemon.count("a.b id=\(place)\n")
        #expect(!reply.durable && reply.accepted == 1)
        #expect(reply.reason?.contains("cannot ") == true, "\(reply.reason ?? "")")
        #expect(reply.reason?.contains(words) == true || words.isEmpty, "\(reply.reason ?? "")")
      }
      try daemon.notify.wait(forStatus: "The state can't be stored since 20", after: mark)
      let status = try daemon.status()
      #expect(status.storageError != nil && status.storageErrorSince?.hasPrefix("20") == true)
      #expect(status["commitFailures"] >= 3)
      let failures = status["commitFailures"]
      try wait(for: "attempts that nobody asks for") { try daemon.status()["commitFailures"] >= failures + 2 }

      try tracer.detach()
      try wait(for: "the state to be stored") { try daemon.status().storageError == nil }
      #expect(daemon.child.errorLines.filter { $0.contains("the state can't be stored") }.count == 1)
      #expect(daemon.child.errorLines.filter { $0.contains("the state is stored again") }.count == 1)
      try daemon.notify.wait(for: "a STATUS without the failure", after: mark) {
        $0.hasPrefix("STATUS=Counted 4 uses") && !$0.contains("can't be stored")
      }
      #expect(try daemon.count("a.b id=5\n").durable)
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == 5)
      #expect(try daemon.count((1...5).map { "a.b id=\($0)\n" }.joined()).duplicates == 5)
    }
  }

  @Test("A full disk under the state is told, and over when there is room", .enabled(if: canMount))
  func survivesAFullDisk() throws {
    try withSite(settings: Site.slow + "[Storage]\nCommitInterval=100ms\n") { site in
      let mount = try PrivateMount(site, at: site.state, size: "1m")
      var daemon = try site.start(wrapper: mount.wrapper)
      try daemon.count("a.b id=first\n")
      try mount.fill(site.state + "/filler")
      // The log of the database may have some room still.
      var refused: SyncReply?
      var sent = 1
      while refused == nil, sent < 3000 {
        let reply = try daemon.count((0..<50).map { "a.\(sent + $0) id=\(sent + $0)\n" }.joined())
        sent += 50
        if !reply.durable { refused = reply }
      }
      #expect(
        refused?.reason?.contains("full") == true || refused?.reason?.contains("No space") == true,
        "\(refused.debugDescription)")
      try daemon.notify.wait(forStatus: "The state can't be stored since")
      try daemon.count("a.b\n")
      sent += 1
      try FileManager.default.removeItem(atPath: mount.root + site.state + "/filler")
      try wait(for: "the state to be stored") { try daemon.status().storageError == nil }
      daemon.child.kill()
      daemon = try site.start(wrapper: mount.wrapper)
      #expect(try daemon.status()["accepted"] == sent)
      #expect(try daemon.count("a.b id=first\n").duplicates == 1)
      #expect(try daemon.stop() == .status(0))
    }
  }

  @Test(
    "A runtime folder with little room gets a smaller intake log, or none, and it is said", .enabled(if: canMount),
    arguments: [("24m", 16 << 20), ("2m", 0)])
  func takesASmallerLog(size: String, expected: Int) throws {
    try withSite(settings: Site.slow) { site in
      let mount = try PrivateMount(site, at: site.runtime, size: size)
      for _ in 0..<2 {
        let daemon = try site.start(wrapper: mount.wrapper)
        daemon.root = mount.root
        let log = mount.root + site.runtime + "/intake.log"
        #expect((try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0 == expected)
        #expect(daemon.child.errors.contains("no room for an intake log of 67108864 bytes"))
        #expect(try daemon.count("a.b\n").durable)
        daemon.child.kill()
      }
      let last = try site.start(wrapper: mount.wrapper)
      last.root = mount.root
      #expect(try last.status()["uses"] == 2)
      #expect(try last.stop() == .status(0))
    }
  }

  /// What may have happened to a file.
  enum Damage: String, CaseIterable { case empty, zeros, garbage, cutShort, cutInHalf, flipped, folder }

  func damage(_ path: String, _ kind: Damage) throws {
    var bytes = try readFile(path)
    switch kind {
    case .empty: bytes = []
    case .zeros: bytes = [UInt8](repeating: 0, count: bytes.count)
    case .garbage: for place in bytes.indices { bytes[place] = .random(in: 0...255) }
    case .cutShort: bytes.removeLast(1000)
    case .cutInHalf: bytes.removeLast(bytes.count / 2)
    case .flipped: for _ in 0..<20 { bytes[.random(in: 0..<min(bytes.count, 1 << 20))] ^= 0x40 }
    case .folder:
      try FileManager.default.removeItem(atPath: path)
      return try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test(
    "A damaged state is set aside, said once and loudly, and the daemon is ready",
    arguments: Damage.allCases.filter { $0 != .folder })
  func recoversTheState(kind: Damage) throws {
    try withSite(settings: Site.slow) { site in
      var daemon = try site.start()
      try daemon.count((0..<200).map { "a\($0 % 9).x\($0) n=2\n" }.joined())
      #expect(try daemon.stop() == .status(0))
      try damage(site.state + "/state.db", kind)
      daemon = try site.start()
      let errors = daemon.child.errorLines.filter { $0.contains("error:") }
      #expect(errors.count == 1 && errors.first?.contains("state.db") == true, "\(daemon.child.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: site.state)
      #expect(names.filter { $0.hasPrefix("state.db.damaged-") }.count >= 1, "\(names)")
      #expect(try daemon.status()["uses"] <= 400)
      #expect(try daemon.count("a0.x0 n=7 id=x\n") == SyncReply(seq: 1, accepted: 1, duplicates: 0, refused: 0))
      let uses = try daemon.status()["uses"]
      daemon.child.kill()
      daemon = try site.start()
      #expect(!daemon.child.errors.contains("error:"), "\(daemon.child.errors)")
      #expect(try daemon.status()["uses"] == uses)
      #expect(try daemon.count("a0.x0 n=7 id=x\n").duplicates == 1)
      print("state \(kind): \(errors.first ?? "")")
    }
  }

  @Test("A state of a later version ends the start with 73, and stays as it is")
  func refusesALaterState() throws {
    try withSite(settings: Site.slow) { site in
      let daemon = try site.start()
      try daemon.count("a.b\n")
      #expect(try daemon.stop() == .status(0))
      let path = site.state + "/state.db"
      let (exit, _, errors) = try site.run([
        "sqlite3", path, "INSERT INTO schema_versions VALUES (9999, 'later'); PRAGMA user_version=9999",
      ])
      #expect(exit == .status(0), "\(errors)")
      let before = try readFile(path)
      // SQLite's own two files may be there, empty.
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: site.state).sorted()
          .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      }
      let namesBefore = try names()
      for _ in 0..<2 {
        let refused = try site.run(site.command())
        #expect(refused.exit == .status(73))
        #expect(refused.errors.contains("9999"), "\(refused.errors)")
      }
      #expect(try readFile(path) == before)
      #expect(try names() == namesBefore)
    }
  }

  @Test("A version that only the header says is damage, and the state is recovered from all of it")
  func recoversAFalseVersion() throws {
    try withSite(settings: Site.slow) { site in
      var daemon = try site.start()
      try daemon.count("a.b n=5\n")
      #expect(try daemon.stop() == .status(0))
      #expect(try site.run(["sqlite3", site.state + "/state.db", "PRAGMA user_version=9999"]).exit == .status(0))
      daemon = try site.start()
      #expect(daemon.child.errorLines.filter { $0.contains("error:") && $0.contains("9999") }.count == 1)
      #expect(try daemon.app("a").uses(of: "a.b") == 5)
    }
  }

  @Test("A folder in the state's place ends the start with 73, and stays")
  func refusesAFolder() throws {
    try withSite(settings: Site.slow) { site in
      try FileManager.default.createDirectory(atPath: site.state + "/state.db", withIntermediateDirectories: true)
      let refused = try site.run(site.command())
      #expect(refused.exit == .status(73))
      #expect(refused.errors.contains("\(site.state)/state.db"), "\(refused.errors)")
      #expect(FileFacts(site.state + "/state.db")?.isFolder == true)
    }
  }

  @Test("A damaged intake log is set aside, said once, and the daemon is ready", arguments: Damage.allCases)
  func setsTheLogAside(kind: Damage) throws {
    try withSite(settings: RestartTests.unstored + "IntakeLogSize=4M\n") { site in
      var daemon = try site.start()
      #expect(try daemon.count("a.b n=3 id=x\n").durable)
      try daemon.send((0..<500).map { "a.c\($0)\n" }.joined(), until: 501)
      daemon.child.kill()
      try damage(site.runtime + "/intake.log", kind)
      daemon = try site.start()
      let errors = daemon.child.errorLines.filter { $0.contains("error:") }
      // Where nothing lay in what is missing or changed, nothing is.
      let mayBeWhole = [.flipped, .cutShort, .cutInHalf].contains(kind) && errors.isEmpty
      if mayBeWhole {
        #expect(try daemon.status()["uses"] == 503)
      } else {
        #expect(errors.count == 1 && errors.first?.contains("intake log is damaged") == true, "\(daemon.child.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: site.runtime)
        #expect(names.filter { $0.hasPrefix("intake.log.damaged-") }.count == 1, "\(names)")
      }
      let uses = try daemon.status()["uses"]
      #expect((3...503).contains(uses))
      #expect(try daemon.count("a.b n=3 id=x\na.d\n") == SyncReply(seq: 1, accepted: 1, duplicates: 1, refused: 0))
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == uses + 1)
      #expect(!daemon.child.errors.contains("error:"), "\(daemon.child.errors)")
    }
  }

  @Test(
    "A state that is removed or replaced while the daemon runs is made anew from memory, and said",
    arguments: [true, false])
  func noticesARemovedState(isReplaced: Bool) throws {
    try withSite(settings: Site.slow + "[Storage]\nCommitInterval=100ms\n") { site in
      var daemon = try site.start()
      #expect(try daemon.count("a.b n=3 id=x\na.c\n").durable)
      let files = try FileManager.default.contentsOfDirectory(atPath: site.state).filter { $0.hasPrefix("state.db") }
      for name in files { try FileManager.default.removeItem(atPath: "\(site.state)/\(name)") }
      if isReplaced { try Data("not a database".utf8).write(to: URL(filePath: "\(site.state)/state.db")) }
      // What went to a file without a name would be safe from nobody.
      let reply = try daemon.count("a.d\n")
      #expect(!reply.durable && reply.reason?.contains("removed or replaced") == true, "\(reply)")
      try wait(for: "the state to be stored again") { try daemon.status().storageError == nil }
      #expect(try daemon.count("a.e\n").durable)
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == 6)
      #expect(try daemon.snapshot(of: "a").shortcuts.map(\.uses).reduce(0, +) == 6)
      #expect(try daemon.count("a.b n=3 id=x\n").duplicates == 1)
    }
  }
  @Test("A state whose folder is moved away while the daemon runs is made anew from memory, and said")
  func noticesAMovedFolder() throws {
    try withSite(settings: Site.slow + "[Storage]\nCommitInterval=100ms\n") { site in
      var daemon = try site.start()
      #expect(try daemon.count("a.b n=3 id=x\na.c\n").durable)
      try FileManager.default.moveItem(atPath: site.state, toPath: site.state + ".moved")
      let reply = try daemon.count("a.d\n")
      #expect(!reply.durable && reply.reason?.contains("removed or replaced") == true, "\(reply)")
      try wait(for: "the state to be stored again") { try daemon.status().storageError == nil }
      #expect(try daemon.count("a.e\n").durable)
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.status()["uses"] == 6)
      #expect(try daemon.count("a.b n=3 id=x\n").duplicates == 1)
    }
  }
}
