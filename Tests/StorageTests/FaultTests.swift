import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("Commits under faults")
struct FaultTests {
  private static func hour(_ name: String, uses: UInt64 = 1) -> HourlyRow {
    HourlyRow(app: Array("com.example.mail".utf8), action: Array(name.utf8), hour: 499_999, uses: uses)
  }

  @Test("A crash at any byte of a commit leaves all of it or nothing, and nothing is called damaged")
  func crashInCommit() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample((0..<100).map { .sample("action.\($0)") })
    batch.hourly = batch.actions.map { HourlyRow(app: $0.app, action: $0.action, hour: 1, uses: 1) }
    try database.commit(batch)
    let before = try folder.bytes("state.db-wal").count
    batch.actions = (50..<150).map { .sample("action.\($0)", uses: 2) }
    batch.arrivals = 2
    try database.commit(batch)
    let log = try folder.bytes("state.db-wal")
    var cuts = Array(stride(from: before, through: log.count, by: 1_373)) + [log.count - 1, log.count]
    // Torn rather than cut: a page of the last commit never reached the disk.
    cuts.append(-1)
    for cut in cuts {
      let crashed = try Folder()
      try crashed.write(folder.bytes("state.db"), to: "state.db")
      var bytes = cut < 0 ? log : Array(log.prefix(cut))
      if cut < 0 { for index in before + 100..<before + 3_000 { bytes[index] = 0 } }
      try crashed.write(bytes, to: "state.db-wal")
      let (opened, state, report) = try crashed.open()
      #expect(report == .opened)
      let isWhole = cut == log.count
      #expect(state.actions.count == (isWhole ? 150 : 100), "cut at \(cut) of \(log.count)")
      #expect(state.arrivals == (isWhole ? 2 : 1))
      #expect(state.actions.allSatisfy { $0.uses == 1 } == !isWhole)
      try opened.close()
    }
    try database.close()
  }

  @Test("A reader that stays for long neither stops commits nor lets the log grow beyond its bound")
  func longReader() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    database.limits = StateDatabase.LogLimits(checkpoint: 20, truncate: 40, replace: 100)
    var batch = CommitBatch.sample((0..<200).map { .sample("action.\($0)") })
    try database.commit(batch)

    let reader = try Reader(folder)
    var longest = 0
    for round in 2..<80 as Range<UInt64> {
      batch.actions = (0..<200).map { .sample("action.\($0)", uses: round) }
      try database.commit(batch)
      longest = max(longest, (try? folder.bytes("state.db-wal").count) ?? 0)
    }
    #expect(longest < 200 * 4_120)
    #expect(database.logError == nil)
    // The reader still sees what it began with; whoever comes now sees all.
    #expect(reader.ask("SELECT sum(uses) FROM actions;") == "200\n")
    #expect(try look(folder, "SELECT sum(uses) FROM actions") == "\(200 * 79)")
    #expect(reader.ask("END; SELECT sum(uses) > 0 FROM actions;") == "1\n")
    try reader.end()
    try database.commit(batch)
    try database.close()
    let (again, state, report) = try folder.open()
    #expect(report == .opened)
    #expect(state.actions.allSatisfy { $0.uses == 79 })
    try again.close()
    #expect(try folder.names == ["state.db"])
  }

  @Test("A backup is one whole file, and the state when the main file is gone")
  func backup() throws {
    let folder = try Folder()
    let (database, state, _) = try folder.open()
    try database.commit(.sample([.sample("a", uses: 4)]))
    try database.backUp()
    try database.commit(.sample([.sample("b")]))
    #expect(try look(folder, "SELECT action, uses FROM actions", file: "state.db.backup") == "a|4")
    #expect(try folder.names.filter { $0.contains("backup") } == ["state.db.backup"])
    try database.close()
    // A person puts it in the place of the state.
    let restored = try Folder()
    try restored.write(folder.bytes("state.db.backup"), to: "state.db")
    let (again, back, report) = try restored.open()
    #expect(report == .opened)
    #expect(back.actions == [.sample("a", uses: 4)] && back.idSecret == state.idSecret)
    try again.commit(.sample([.sample("c")]))
    try again.close()
  }

  @Test("When a commit fails it can be given again, and counts once")
  func failedCommitCountsOnce() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a")])
    batch.hourly = [Self.hour("a", uses: 3)]
    try database.commit(batch)
    // Another process holds the lock that a commit needs.
    let blocker = try Connection(opening: folder.path("state.db"))
    try blocker.execute("BEGIN IMMEDIATE", "block")
    batch.actions = [.sample("a", uses: 2), .sample("b")]
    for _ in 0..<3 { #expect(throws: StorageError.self) { try database.commit(batch) } }
    try blocker.execute("ROLLBACK", "let go")
    try database.commit(batch)
    try database.close()
    #expect(try look(folder, "SELECT sum(uses) FROM hourly_uses") == "6")
    #expect(try look(folder, "SELECT group_concat(action || uses) FROM actions") == "a2,b1")
  }

  @Test("A commit that failed but is found in the log all the same is not counted twice")
  func unacknowledgedCommitCountsOnce() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a")])
    batch.hourly = [Self.hour("a", uses: 3)]
    try database.commit(batch)
    batch.actions = [.sample("a", uses: 2), .sample("b")]
    batch.hourly = [Self.hour("a", uses: 10), Self.hour("b", uses: 5)]
    try database.commitUnacknowledged(batch)
    batch.actions.append(.sample("c"))
    batch.hourly.append(Self.hour("c", uses: 1))
    try database.commit(batch)
    try database.close()
    #expect(try look(folder, "SELECT sum(uses) FROM hourly_uses") == "19")
    let (again, state, _) = try folder.open()
    #expect(state.actions.map(\.action) == ["a", "b", "c"].map { Array($0.utf8) })
    try again.close()
  }

  @Test("A state that another program has changed is not written to; opening it anew helps")
  func replacedFile() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample([.sample("a")]))
    database.dropSession()
    try run(["sqlite3", folder.path("state.db"), "UPDATE daemon SET commit_number = 77"])
    let error = #expect(throws: StorageError.self) { try database.commit(.sample([.sample("b")])) }
    #expect(error?.isDamaged == true)
    let (again, state, report) = try folder.open()
    guard case .recovered = report else { throw ToolFailure(output: "\(report)") }
    #expect(state.actions == [.sample("a")])
    try again.close()
  }

  @Test("On a full disk a commit fails as a whole, and the same batch is stored once there is room")
  func fullDisk() throws {
    guard let path = ProcessInfo.processInfo.environment["QUICKACTIONS_SMALL_DISK"] else {
      return try Self.runOnSmallDisk("fullDisk", expecting: "stored after")
    }
    let (database, _, _) = try StateDatabase.open(directory: path, now: 0)
    var batch = CommitBatch.sample([.sample("a")])
    batch.hourly = [Self.hour("a")]
    try database.commit(batch)
    let filler = path + "/filler"
    var failures = 0
    for round in 0..<40 as Range<UInt64> {
      try run(["sh", "-c", "cat /dev/zero > \"$0\" 2>&1; true", filler])
      batch.actions = (0..<200).map { .sample("action.\(round).\($0)", uses: round + 1) } + [.sample("a", uses: round)]
      do throws(StorageError) { try database.commit(batch) } catch {
        failures += 1
        #expect(error.isFull, "\(error)")
        #expect(throws: StorageError.self) { try database.commit(batch) }
        try FileManager.default.removeItem(atPath: filler)
        if failures == 3 { break }
        try database.commit(batch)
        continue
      }
      try? FileManager.default.removeItem(atPath: filler)
      if failures == 3 { break }
    }
    #expect(failures >= 1)
    try? FileManager.default.removeItem(atPath: filler)
    try database.commit(batch)
    try database.close()
    let (again, state, report) = try StateDatabase.open(directory: path, now: 0)
    #expect(report == .opened)
    #expect(state.actions.count % 200 == 1)
    try again.close()
    // A start while there is no room at all: what is stored is there, and the first commit that can be is made.
    try run(["sh", "-c", "cat /dev/zero > \"$0\" 2>&1; true", filler])
    let (full, loaded, fullReport) = try StateDatabase.open(directory: path, now: 0)
    #expect(fullReport == .opened && loaded.actions == state.actions)
    let error = #expect(throws: StorageError.self) { try full.commit(batch) }
    #expect(error?.isFull == true, "\(String(describing: error))")
    try FileManager.default.removeItem(atPath: filler)
    try full.commit(batch)
    try full.close()
    print("full disk: the same batch was stored after each of \(failures) failures")
  }

  @Test("On a full disk what cannot be wiped stays owed, and is wiped once there is room")
  func fullDiskInWipe() throws {
    guard let path = ProcessInfo.processInfo.environment["QUICKACTIONS_SMALL_DISK"] else {
      return try Self.runOnSmallDisk("fullDiskInWipe", expecting: "wiped after")
    }
    let (database, _, _) = try StateDatabase.open(directory: path, now: 0)
    try database.commit(.sample((0..<800).map { .sample("kept.\($0).with-a-name-that-takes-room") }))
    try database.commit(.sample([.sample("zq7.secret")]))
    _ = try database.session?.connection.checkpoint(truncates: true)
    let filler = path + "/filler"
    // Room for the pages that change, not for all of them.
    try run(["sh", "-c", "cat /dev/zero > \"$0\" 2>&1; truncate -s -80K \"$0\"", filler])
    var batch = CommitBatch.sample()
    batch.edits = [.forget("zq7.secret")]
    try database.commit(batch)
    #expect(database.isWipeOwed && database.wipeError?.isFull == true, "\(String(describing: database.wipeError))")
    try database.commit(.sample([.sample("more")]))
    #expect(database.isWipeOwed)
    try FileManager.default.removeItem(atPath: filler)
    try database.commit(.sample())
    #expect(!database.isWipeOwed && database.wipeError == nil)
    try database.close()
    #expect(try run(["grep", "-rlaF", "zq7.secret", path]).output.isEmpty)
    let (again, state, report) = try StateDatabase.open(directory: path, now: 0)
    #expect(report == .opened && state.actions.count == 801)
    try again.close()
    print("full disk: wiped after there was room")
  }

  /// Runs one test in a process and on a small disk of its own.
  private static func runOnSmallDisk(_ test: String, expecting words: String) throws {
    guard isRoot else { return print("\(test): skipped, as only root may mount a small file system") }
    let folder = try Folder()
    let finished = try run(
      [
        "unshare", "--mount", "sh", "-c",
        "mount -t tmpfs -o size=1M none \"$0\" && QUICKACTIONS_SMALL_DISK=\"$0\" exec \"$@\"", folder.path,
      ]
        + argumentsForThis(test))
    #expect(finished.status == 0 && finished.output.contains(words), "\(finished.output)")
  }

  /// How this very test process is started for one test alone.
  private static func argumentsForThis(_ test: String) -> [String] {
    var arguments = ["/proc/self/exe"]
    arguments[0] = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? arguments[0]
    var skips = false
    for argument in CommandLine.arguments.dropFirst() {
      if skips {
        skips = false
      } else if argument == "--filter" || argument == "--skip" {
        skips = true
      } else {
        arguments.append(argument)
      }
    }
    return arguments + ["--filter", "StorageTests.FaultTests/\(test)\\("]
  }
}
