import Foundation
import Posix
import Ranking
import TestSupport
import Testing

@testable import Storage

@Suite("Rows read by the page are those that SQLite reads")
struct TableReaderTests {
  /// All actions of a folder's state, as each of the two reads them, by number, names and values.
  private static func rows(_ folder: Folder) throws -> (byPage: [ActionRecord], bySQLite: [ActionRecord], root: UInt32)
  {
    let connection = try Connection(opening: folder.path("state.db"))
    connection.keepLogOnClose(true)
    try connection.execute("BEGIN", "look")
    let root = try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'actions'")
    let page = try #require(root.flatMap { UInt32(exactly: $0) })
    let bySQLite = try #require(try connection.rows("actions") { ActionRecord($0) })
    var byPage: [ActionRecord] = []
    var reader = try Self.reader(folder, connection)
    var expected = 0
    try reader.eachRow(root: page, goesOn: { true }, expect: { _ in expected += 1 }) { row in
      guard let record = ActionRecord(row) else { return false }
      byPage.append(record)
      return true
    }
    #expect(expected <= byPage.count && expected * 8 >= byPage.count * 7)
    let estimate = try reader.estimatedRows(root: page)
    #expect(estimate >= byPage.count / 4 && estimate <= byPage.count * 4 + 1)
    return (byPage, bySQLite, page)
  }

  private static func reader(_ folder: Folder, _ connection: Connection? = nil) throws -> TableReader {
    let files = try StateFiles(in: folder.path)
    return try TableReader(
      of: connection ?? Connection(opening: files.path(of: files.database)), log: files.contents(of: files.log))
  }

  private static func agree(_ folder: Folder) throws -> Int {
    let (byPage, bySQLite, _) = try rows(folder)
    #expect(byPage.map(\.row) == bySQLite.map(\.row) && byPage.map(\.number) == bySQLite.map(\.number))
    return byPage.count
  }

  private static func change(_ database: StateDatabase, _ count: Int, _ random: inout SeededRandom) throws {
    var batch = CommitBatch.sample()
    var seen: Set<Int> = []
    for _ in 0..<count {
      let number = Int.random(in: 0..<6_000, using: &random)
      guard seen.insert(number).inserted else { continue }
      // Of all lengths, and with numbers of all sizes.
      let id = "a\(number)" + String(repeating: "x", count: number % 7 == 0 ? number % 240 : number % 20)
      var row = ActionRow.sample(id, app: "app.\(number % 11)", uses: random.next() >> UInt64(number % 63 + 1))
      row.firstUsed = Int64(truncatingIfNeeded: random.next()) >> Int64(number % 60)
      row.adaptive = number % 3 == 0 ? nil : .sample(step: UInt32(number))
      batch.changes.set(batch.changes.name(app: row.app, action: row.action), row.values)
    }
    if Bool.random(using: &random) {
      batch.edits = [.forgetApp(Array("app.\(Int.random(in: 0..<11, using: &random))".utf8))]
    }
    try database.commit(batch)
  }

  /// A folder with a state of about so many actions, which is closed.
  private static func state(_ count: Int, _ random: inout SeededRandom) throws -> Folder {
    let folder = try Folder(inMemory: true)
    let (database, _, _) = try folder.open()
    try change(database, count, &random)
    try database.close()
    return folder
  }

  @Test("whether they lie in the database or in its log, few or many, after changes and removals", arguments: 0..<2)
  func agrees(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder(inMemory: true)
    let (database, _, _) = try folder.open()
    #expect(try Self.agree(folder) == 0)
    for count in [1, 3, 40, 900, 4_000, 2_000, 300] {
      try Self.change(database, count, &random)
      // As a crash would leave it: what was stored last is in the log alone.
      let copy = try Folder(inMemory: true)
      try folder.copyState(to: copy)
      #expect(try Self.agree(copy) > 0 || count <= 40)
      let collector = StateCollector()
      let (again, _) = try StateDatabase.open(directory: copy.path, now: 0, receiver: collector)
      #expect(collector.beginnings == 1 && (collector.expected > 0 || collector.whole.actions.isEmpty))
      try again.close()
      #expect(try Self.agree(copy) == collector.whole.actions.count)
    }
    try database.close()
  }

  @Test("A tree that leads in circles, nowhere, or to other pages has an end, and no row of it is made up")
  func damagedTrees() throws {
    var random = SeededRandom(seed: 5)
    let folder = try Self.state(4_000, &random)
    let (rows, _, root) = try Self.rows(folder)
    let known = Set(rows.map(\.number))
    let sound = try folder.bytes("state.db")
    var failures = 0
    for _ in 0..<120 {
      var bytes = sound
      // Mostly where the tree branches, else anywhere.
      let place =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int.random(in: 4_096..<bytes.count, using: &random)
        : Int(root - 1) * 4_096 + Int.random(in: 0..<400, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
      let copy = try Folder(inMemory: true)
      try copy.write(bytes, to: "state.db")
      var reader = try Self.reader(copy)
      #expect((try? reader.estimatedRows(root: root)) ?? 0 <= bytes.count / 40)
      var count = 0
      do {
        try reader.eachRow(root: root, goesOn: { true }, expect: { _ in }) { row in
          guard let record = ActionRecord(row) else { return false }
          count += 1
          return known.contains(record.number)
        }
      } catch {
        failures += 1
      }
      #expect(count <= 64 * rows.count)
    }
    #expect(failures > 10)
  }

  @Test(
    "SQLite's locks on the database stay, so that nobody takes it for one that is not in use", arguments: [false, true])
  func locks(isNew: Bool) throws {
    let folder = try Folder()
    if !isNew { try folder.open().0.close() }
    let (database, _, _) = try folder.open()
    let file = try FileManager.default.attributesOfItem(atPath: folder.path("state.db"))[.systemFileNumber]
    let number = try #require(file as? Int)
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
    #expect(locks.contains { $0.contains(":\(number) ") && $0.contains("READ") && $0.contains(" \(getpid()) ") })
    // Whoever looks and writes takes nothing away.
    try run([
      "sqlite3", folder.path("state.db"), "PRAGMA user_version = \(Schema.version); SELECT count(*) FROM actions",
    ])
    #expect(folder.exists("state.db-wal"))
    try database.commit(.sample([.sample("a")]))
    #expect(folder.exists("state.db-wal"))
    #expect(try look(folder, "SELECT count(*) FROM actions") == "1")
    try database.close()
  }

  @Test("Whoever is asked whether to go on can end it")
  func ends() throws {
    var random = SeededRandom(seed: 6)
    let folder = try Self.state(50, &random)
    let (_, _, root) = try Self.rows(folder)
    var reader = try Self.reader(folder)
    var count = 0
    #expect(throws: TableReader.Failure.ended) {
      try reader.eachRow(root: root, goesOn: { true }, expect: { _ in }) { _ in
        count += 1
        return count < 7
      }
    }
    #expect(count == 7)
    // Pages that say that they hold very many rows, above one another.
    var bytes = try folder.bytes("state.db")
    for page in stride(from: 4_096, to: bytes.count, by: 4_096) {
      bytes.replaceSubrange(page..<page + 12, with: [2, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, UInt8(root)])
      bytes.replaceSubrange(page + 12..<page + 20, with: [0, 16, 0, 16, 0, 0, 0, UInt8(root)])
    }
    let deep = try Folder(inMemory: true)
    try deep.write(bytes, to: "state.db")
    let circle = try Self.reader(deep)
    #expect(throws: TableReader.Failure.tree) { try circle.estimatedRows(root: root) }
    #expect(throws: TableReader.Failure.tree) { try reader.estimatedRows(root: 0) }
    #expect(throws: TableReader.Failure.tree) { try reader.estimatedRows(root: .max) }
  }
}
