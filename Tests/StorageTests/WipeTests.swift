import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("What is forgotten is in no file any more")
struct WipeTests {
  /// In every id, of actions and apps, that these tests forget.
  private static let secret = Array("zq7.secret".utf8)

  /// The files of a folder that hold the secret.
  private static func traces(in folder: Folder) throws -> [String] {
    try folder.names.filter { Data(try folder.bytes($0)).range(of: Data(secret)) != nil }
  }

  private static func action(_ number: Int, isSecret: Bool, uses: UInt64 = 1) -> ActionRow {
    // Rows of many lengths, so that pages are split and joined in many ways.
    let tail = String(repeating: "x", count: number * 37 % 190)
    return isSecret
      ? .sample("zq7.secret.\(number).\(tail)", app: "secret.app", uses: uses)
      : .sample("known.\(number).\(tail)", app: "app\(number % 7)", uses: uses)
  }

  /// A state that holds secrets in its pages, its log, its backup and files that were set aside: actions that were
  /// inserted in between others, changed, moved to another app, and deleted again.
  private static func makeState(in folder: Folder, actions: Int) throws -> StateDatabase {
    let (database, _, _) = try folder.open()
    database.limits.checkpoint = 50
    for part in 0..<4 {
      var batch = CommitBatch.sample()
      for number in stride(from: part, to: actions, by: 4) {
        batch.actions += [action(number, isSecret: false), action(number, isSecret: true)]
      }
      batch.hourly = batch.actions.map { HourlyRow(app: $0.app, action: $0.action, hour: 499_000, uses: 1) }
      try database.commit(batch)
    }
    try database.backUp()
    var batch = CommitBatch.sample(
      stride(from: 0, to: actions, by: 3).map { action($0, isSecret: true, uses: .max / 3) })
    batch.edits = stride(from: 0, to: actions, by: 5).map {
      .moveAction(action: action($0, isSecret: true).action, from: Array("secret.app".utf8), to: Array("app3".utf8))
    }
    batch.actions = batch.actions.enumerated().filter { $0.offset * 3 % 5 != 0 }.map(\.element)
    batch.apps = ["secret.app", "zq7.secret", "app3"].map {
      .sample(Array($0.utf8), state: $0 == "app3" ? [] : Array(String(repeating: "zq7.secret", count: 300).utf8))
    }
    batch.dailyHits = ["zq7.secret", "app3"].map {
      DailyHitsRow(day: 20_832, app: Array($0.utf8), trials: 1, hits: 1, changes: 1)
    }
    batch.registrations = [
      .set(.sample("zq7.secret.1", definition: String(repeating: "zq7.secret,", count: 2_000))),
      .set(.sample("known", definition: #"{"title":"zq7.secret"}"#)),
    ]
    batch.connections = [
      ConnectionRow(
        number: 1, isControl: false, lineNumber: 0, accepted: 0, duplicates: 0, refused: 0, unfinished: secret,
        isSkipping: false, pendingSyncs: [])
    ]
    try database.commit(batch)
    for name in ["state.db.damaged-17", "state.db.damaged-17-wal", "state.db.damaged-18", "state.db.recovering"] {
      try folder.write(secret, to: name)
    }
    return database
  }

  /// All that holds a secret leaves, each in its own way.
  private static func forgetting(actions: Int) -> CommitBatch {
    var batch = CommitBatch.sample([action(0, isSecret: false, uses: 5)])
    batch.edits = stride(from: 0, to: actions, by: 5).map {
      .forgetAction(app: Array("app3".utf8), action: action($0, isSecret: true).action)
    }
    batch.edits += ["secret.app", "zq7.secret"].map { .forgetApp(Array($0.utf8)) }
    batch.registrations = [
      .remove(app: Array("com.example.mail".utf8), action: Array("zq7.secret.1".utf8)), .set(.sample("known")),
    ]
    return batch
  }

  @Test("Every byte of every file is free of it once the commit returns", arguments: [1, 6, 300, 6_000])
  func everyByte(actions: Int) throws {
    let folder = try Folder(inMemory: true)
    let database = try Self.makeState(in: folder, actions: actions)
    let before = try Self.traces(in: folder)
    #expect(before.count >= 6 && before.contains("state.db.backup"))
    let stays = database.known.hourlyRows
    try database.commit(Self.forgetting(actions: actions))
    #expect(try Self.traces(in: folder) == [])
    #expect(!database.isWipeOwed && database.wipeError == nil)
    #expect(try folder.bytes("state.db-wal").isEmpty)
    #expect(try folder.names == ["state.db", "state.db-shm", "state.db-wal", "state.db.backup"])
    #expect(database.known.hourlyRows == stays / 2)
    #expect(try look(folder, "SELECT count(*), (SELECT wipe_is_owed FROM daemon) FROM actions") == "\(actions)|0")
    #expect(
      try look(folder, "SELECT count(*), (SELECT wipe_is_owed FROM daemon) FROM actions", file: "state.db.backup")
        == "\(actions)|0")
    try database.close()
    #expect(try Self.traces(in: folder) == [])
    let (again, state, report) = try folder.open()
    #expect(report == .opened && state.actions.count == actions)
    try again.close()
  }

  @Test("Everything is forgotten at once, and an app by its name alone")
  func everything() throws {
    for edit in [StateEdit.forgetEverything, .forgetApp(Array("secret.app".utf8))] {
      let folder = try Folder(inMemory: true)
      let (database, _, _) = try folder.open()
      var batch = CommitBatch.sample((0..<500).map { Self.action($0, isSecret: true) })
      batch.apps = [.sample(Array("secret.app".utf8), state: Self.secret)]
      batch.dailyHits = [DailyHitsRow(day: 20_832, app: Array("secret.app".utf8), trials: 1, hits: 0, changes: 0)]
      try database.commit(batch)
      try database.backUp()
      batch = .sample()
      batch.edits = [edit]
      try database.commit(batch)
      #expect(try Self.traces(in: folder) == [])
      try database.close()
    }
  }

  @Test("Hours that were forgotten are in no file, and a batch can ask for a wipe without any edit")
  func hoursAndWish() throws {
    let folder = try Folder(inMemory: true)
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a")])
    // 8 bytes of uses that are found again.
    let uses: UInt64 = 0x7A71_372E_7365_6372
    batch.hourly = [.sample("a", hour: 499_999, uses: uses)]
    try database.commit(batch)
    func isFound() throws -> Bool {
      let bytes = Data((0..<8).map { UInt8(truncatingIfNeeded: uses >> (56 - 8 * $0)) })
      return try folder.names.contains { Data(try folder.bytes($0)).range(of: bytes) != nil }
    }
    #expect(try isFound())
    batch = .sample()
    batch.edits = [.forgetHours(from: 499_999)]
    try database.commit(batch)
    #expect(try !isFound())
    batch = .sample()
    batch.choices = [.sample("zq7.secret", blockedAt: 1)]
    try database.commit(batch)
    batch.choices = [ChoiceRow(app: batch.choices[0].app, action: batch.choices[0].action)]
    try database.commit(batch)
    #expect(try Self.traces(in: folder) == ["state.db-wal"])
    batch = .sample()
    batch.wipes = true
    try database.commit(batch)
    #expect(try Self.traces(in: folder) == [])
    try database.close()
  }

  @Test("While somebody reads, the commit succeeds and the wipe stays owed until it can be done")
  func reader() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder, actions: 100)
    let reader = try Reader(folder)
    try database.commit(Self.forgetting(actions: 100))
    #expect(database.isWipeOwed && database.isVacuumed)
    #expect(database.wipeError?.message == "another process is reading the state")
    #expect(try look(folder, "SELECT count(*), (SELECT wipe_is_owed FROM daemon) FROM actions") == "100|1")
    // Nothing is written anew for that at each further commit.
    let pages = database.session?.connection.pagesInLog ?? 0
    for _ in 0..<3 { try database.commit(.sample()) }
    #expect(database.isWipeOwed && database.wipeError != nil)
    #expect(database.session?.connection.pagesInLog ?? .max < pages + 20)
    // As a crash at this moment would leave it.
    let crashed = try Folder()
    try folder.copyState(to: crashed)
    try crashed.write(Self.secret, to: "state.db.damaged-17")
    #expect(Set(try Self.traces(in: crashed)).isSuperset(of: ["state.db.backup", "state.db.damaged-17"]))
    #expect(try Self.traces(in: crashed).count > 2)
    let (again, state, report) = try crashed.open()
    #expect(report == .opened && state.actions.count == 100)
    #expect(!again.isWipeOwed)
    #expect(try Self.traces(in: crashed) == [])
    try again.close()

    // After three failures it is tried once a minute, by the clock that never steps.
    try reader.end()
    var batch = CommitBatch.sample()
    batch.clock.reading.boot += 59_999_999_999
    try database.commit(batch)
    #expect(database.isWipeOwed)
    batch.clock.reading.boot += 1
    try database.commit(batch)
    #expect(!database.isWipeOwed && database.wipeError == nil)
    #expect(try Self.traces(in: folder) == [])
    try database.close()
  }

  @Test("What is forgotten while a wipe waits is wiped at once, with what waits")
  func forgottenWhileOneWaits() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder, actions: 20)
    let reader = try Reader(folder)
    try database.commit(Self.forgetting(actions: 20))
    for _ in 0..<3 { try database.commit(.sample()) }
    try reader.end()
    try database.commit(.sample())
    #expect(database.isWipeOwed)
    var batch = CommitBatch.sample()
    batch.wipes = true
    try database.commit(batch)
    #expect(!database.isWipeOwed)
    #expect(try Self.traces(in: folder) == [])
    try database.close()
  }

  @Test("A wipe that was owed in one that was not acknowledged is done with the commit that follows")
  func unacknowledged() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder, actions: 50)
    var batch = Self.forgetting(actions: 50)
    try database.commitUnacknowledged(batch)
    batch.edits = []
    try database.commit(batch)
    #expect(!database.isWipeOwed)
    #expect(try Self.traces(in: folder) == [])
    try database.close()
  }

  @Test("A backup that cannot be made anew is removed, and what cannot be removed keeps the wipe owed")
  func blockedFiles() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder, actions: 50)
    try run(["mkdir", folder.path("state.db.backup.new"), folder.path("state.db.damaged-19")])
    try database.commit(Self.forgetting(actions: 50))
    #expect(database.isWipeOwed && database.wipeError != nil)
    #expect(!folder.exists("state.db.backup"))
    try run(["rmdir", folder.path("state.db.backup.new")])
    try database.commit(.sample())
    #expect(database.isWipeOwed && database.wipeError?.operation.contains("state.db.damaged-19") == true)
    try run(["rmdir", folder.path("state.db.damaged-19")])
    try database.commit(.sample())
    #expect(!database.isWipeOwed && database.wipeError == nil)
    #expect(try Self.traces(in: folder) == [])
    try database.close()
  }

  @Test(
    "What was forgotten does not come back when the state turns out to be damaged before it is wiped",
    arguments: 0..<3, [false, true])
  func damageBeforeWipe(kind: Int, isVacuumed: Bool) throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder, actions: 300)
    // The database file has the secrets in pages that the log has anew.
    database.limits.checkpoint = .max
    let reader = try Reader(folder)
    if isVacuumed {
      try database.commit(Self.forgetting(actions: 300))
    } else {
      try database.commitUnacknowledged(Self.forgetting(actions: 300))
    }
    let crashed = try Folder()
    try folder.copyState(to: crashed)
    var bytes = try crashed.bytes("state.db")
    switch kind {
    case 0: bytes[69] ^= 1
    case 1: bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: 0, count: 4096))
    default:
      bytes[69] ^= 1
      for page in stride(from: 3, to: bytes.count / 4096, by: 3) {
        bytes.replaceSubrange(page * 4096..<page * 4096 + 4096, with: [UInt8](repeating: 0xA5, count: 4096))
      }
    }
    try crashed.write(bytes, to: "state.db")
    #expect(Set(try Self.traces(in: crashed)).isSuperset(of: ["state.db", "state.db.backup"]))
    let (again, state, report) = try crashed.open()
    guard case .recovered(let recovery) = report else { throw ToolFailure(output: "\(report)") }
    #expect(!again.isWipeOwed && recovery.setAside == nil)
    #expect(try Self.traces(in: crashed) == [])
    #expect(!state.actions.isEmpty && !state.actions.contains { $0.action.starts(with: Self.secret) })
    #expect(!recovery.description.contains("set aside"))
    try again.close()
    try reader.end()
    try database.close()
  }
}
