import Foundation
import Ranking
import TestSupport
import Testing

@testable import Storage

@Suite("The state comes back as it was stored")
struct StateDatabaseTests {
  @Test("A new state is empty, has a secret, and leaves one file when it is closed")
  func aNewStateIsEmpty() throws {
    let folder = try Folder()
    let (database, state, report) = try folder.open()
    #expect(report == .created)
    #expect(state.actions.isEmpty && state.clock == nil && state.halfLife == nil)
    try database.close()
    #expect(try folder.names == ["state.db"])
    let (again, reopened, secondReport) = try folder.open()
    #expect(secondReport == .opened)
    #expect(reopened.idSecret == state.idSecret)
    try again.close()
  }

  /// Everything that there is, with the extremes of what it can hold.
  private static func everything() -> CommitBatch {
    var batch = CommitBatch.sample()
    let values: [Double] = [
      0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1, 3, 0.1, 1e300, .greatestFiniteMagnitude, 123_456,
      9_007_199_254_740_994, .leastNonzeroMagnitude * 12_345,
    ]
    for (place, value) in values.enumerated() {
      batch.actions.append(
        ActionRow(
          app: Array("app\(place % 3)".utf8), action: Array("é\u{301}.\(place)".utf8),
          score: DecayedCount(value: value, landmark: place % 2 == 0 ? .min : .max), uses: UInt64(Int64.max),
          firstUsed: .min, lastUse: Moment(decay: .max, wall: .min), lastArrival: UInt64(Int64.max)))
    }
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: 255)
    batch.actions.append(
      ActionRow(
        app: longest, action: longest, score: .zero, uses: 0, firstUsed: 0, lastUse: Moment(decay: .min, wall: .max),
        lastArrival: 0))
    batch.newIDs = [
      RememberedID(hash: .min, time: .min), RememberedID(hash: .max, time: 0), RememberedID(hash: 1 << 64, time: .max),
    ]
    batch.clock = ClockMark(
      bootID: "boot", reading: ClockReading(boot: .max, wall: .min), decay: .min,
      unsureSince: UnsureDowntime(wall: .max, decay: .min))
    batch.halfLife = .max
    batch.totals = [("accepted", UInt64(Int64.max)), ("refused.invalidAction", 0)]
    batch.logPosition = LogPosition(log: .max, offset: UInt64(Int64.max))
    batch.connections = [
      ConnectionRow(
        number: 3, isControl: true, lineNumber: 1, accepted: 2, duplicates: 3, refused: 4,
        unfinished: [0, 255, 10], isSkipping: true, isRestUnknown: true, pendingSyncs: [nil, .min, .max]),
      ConnectionRow(
        number: UInt64(Int64.max), isControl: false, lineNumber: 0, accepted: 0, duplicates: 0, refused: 0,
        unfinished: [UInt8](repeating: 7, count: 1 << 20), isSkipping: false, pendingSyncs: []),
    ]
    batch.nextConnection = UInt64(Int64.max)
    batch.arrivals = UInt64(Int64.max)
    return batch
  }

  @Test("Everything comes back bit for bit, whatever its extremes")
  func everythingComesBack() throws {
    let folder = try Folder()
    let batch = Self.everything()
    let (database, _, _) = try folder.open()
    try database.commit(batch)
    try database.close()
    let (again, state, report) = try folder.open()
    #expect(report == .opened)
    #expect(state.actions == batch.actions)
    for (stored, given) in zip(state.actions, batch.actions) {
      #expect(stored.score.value.bitPattern == (given.score.value + 0).bitPattern)
    }
    #expect(state.ids == batch.newIDs)
    #expect(state.clock == batch.clock)
    #expect(state.halfLife == batch.halfLife)
    #expect(
      Dictionary(uniqueKeysWithValues: state.totals.map { ($0.name, $0.value) })
        == Dictionary(uniqueKeysWithValues: batch.totals.map { ($0.name, $0.value) }))
    #expect(state.logPosition == batch.logPosition)
    #expect(state.connections == batch.connections)
    #expect(state.nextConnection == batch.nextConnection)
    #expect(state.arrivals == batch.arrivals)
    try again.close()
  }

  @Test("Connections that have changed are written and those that are gone leave, or all are replaced")
  func connectionsThatChange() throws {
    func row(_ number: UInt64, _ unfinished: [UInt8]) -> ConnectionRow {
      ConnectionRow(
        number: number, isControl: false, lineNumber: 1, accepted: 1, duplicates: 0, refused: 0, unfinished: unfinished,
        isSkipping: false, pendingSyncs: [])
    }
    let folder = try Folder()
    let large = [UInt8](repeating: 120, count: 1 << 20)
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    batch.connections = [row(1, large), row(2, [1]), row(3, [2])]
    try database.commit(batch)
    let before = try folder.bytes("state.db-wal").count
    batch.connections = [row(4, [3]), row(2, [4])]
    batch.closedConnections = [3, 9]
    try database.commit(batch)
    #expect(try folder.bytes("state.db-wal").count - before < 1 << 18)
    try database.close()
    let (again, state, _) = try folder.open()
    #expect(state.connections == [row(1, large), row(2, [4]), row(4, [3])])
    batch.connections = [row(2, [5])]
    batch.closedConnections = nil
    try again.commit(batch)
    try again.close()
    let (last, end, _) = try folder.open()
    #expect(end.connections == [row(2, [5])])
    try last.close()
  }

  @Test("Counts beyond 63 bits are stored as the largest number, and a score that is none as 0")
  func countsSaturate() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var row = ActionRow.sample("a", uses: .max)
    row.lastArrival = .max
    try database.commit(.sample([row]))
    try database.close()
    let (_, state, _) = try folder.open()
    #expect(state.actions.first?.uses == UInt64(Int64.max))
    #expect(state.actions.first?.lastArrival == UInt64(Int64.max))
  }

  @Test("A commit changes what it is given and nothing else, and the order of first insertion stays")
  func onlyWhatIsGivenChanges() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample(["c", "a", "b"].map { .sample($0) }))
    try database.commit(.sample([.sample("a", uses: 9), .sample("A"), .sample("a", app: "other")]))
    try database.close()
    let (_, state, _) = try folder.open()
    #expect(
      state.actions == [
        .sample("c"), .sample("a", uses: 9), .sample("b"), .sample("A"), .sample("a", app: "other"),
      ])
  }

  @Test("Hourly uses add up, and the sqlite3 tool reads the views while the daemon has the state open")
  func hourlyUsesAddUp() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a", uses: 3)])
    let row = HourlyRow(app: Array("com.example.mail".utf8), action: [UInt8(ascii: "a")], hour: 499_999, uses: 2)
    batch.hourly = [row, row]
    try database.commit(batch)
    batch.hourly = [row, HourlyRow(app: [1], action: [2], hour: 499_999, uses: 1)]
    try database.commit(batch)
    #expect(try look(folder, "SELECT * FROM readable_hourly_uses") == "2027-01-15T07:00Z|com.example.mail|a|6")
    #expect(
      try look(folder, "SELECT app, action, uses, score FROM readable_actions").hasPrefix("com.example.mail|a|3|"))
    try database.close()
  }

  @Test("Hourly uses leave by age and by number, the oldest first")
  func historyIsPruned() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a")])
    let hour = { (hour: Int64) in
      HourlyRow(app: Array("com.example.mail".utf8), action: [UInt8(ascii: "a")], hour: hour, uses: 1)
    }
    batch.keepHistoryHours = 100
    batch.hourly = (499_850..<500_000).map(hour)
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*), min(hour), max(hour) FROM hourly_uses") == "100|499900|499999")
    batch.hourly = []
    batch.maxHistoryRows = 7
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*), min(hour) FROM hourly_uses") == "7|499993")
    #expect(database.known.hourlyRows == 7)
    batch.maxHistoryRows = 0
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*) FROM hourly_uses") == "0")
    try database.close()
  }

  @Test("Ids leave by age and by number, the oldest first")
  func idsArePruned() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    batch.newIDs = (0..<50).map { RememberedID(hash: UInt128($0), time: $0) }
    batch.maxIDs = 40
    try database.commit(batch)
    batch.newIDs = []
    batch.forgetIDsBefore = 30
    try database.commit(batch)
    try database.close()
    var (again, state, _) = try folder.open()
    #expect(state.ids == (30..<50).map { RememberedID(hash: UInt128($0), time: $0) })
    batch.newIDs = [RememberedID(hash: 99, time: 60)]
    batch.maxIDs = 2
    try again.commit(batch)
    try again.close()
    (again, state, _) = try folder.open()
    #expect(state.ids.map(\.time) == [49, 60])
    batch.newIDs = []
    batch.maxIDs = 0
    try again.commit(batch)
    batch.maxIDs = 10
    batch.newIDs = [RememberedID(hash: 100, time: 61)]
    try again.commit(batch)
    try again.close()
    (again, state, _) = try folder.open()
    #expect(state.ids.map(\.time) == [61])
  }

  @Test("All files are their owner's alone, whatever the umask", arguments: [0, 0o077])
  func modes(mask: mode_t) throws {
    let folder = try Folder()
    let old = umask(mask)
    defer { _ = umask(old) }
    let (database, _, _) = try folder.open()
    try database.commit(.sample([.sample("a")]))
    try database.backUp()
    for name in ["state.db", "state.db-wal", "state.db-shm", "state.db.backup"] {
      #expect(try folder.mode(name) == 0o600, "\(name)")
    }
    try database.close()
  }

  @Test("A state of a newer schema is refused and left as it was")
  func newerSchemaIsRefused() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample([.sample("a")]))
    try database.close()
    let version = Schema.version + 1
    try run([
      "sqlite3", folder.path("state.db"),
      "INSERT INTO schema_versions VALUES (\(version), 'x'); PRAGMA user_version = \(version)",
    ])
    let before = try folder.bytes("state.db")
    let error = #expect(throws: StorageError.self) { _ = try folder.open() }
    #expect(error?.isNewerSchema == true)
    #expect(error?.isForbidden == false)
    #expect(error?.description.contains("later quickactionsd") == true)
    #expect(try folder.bytes("state.db") == before)
    #expect(try !folder.names.contains { $0.contains("damaged") })
  }

  @Test("An older state is brought forward step by step, or not at all")
  func migrationsGoForward() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample([.sample("a")]))
    try database.close()
    let more = [
      Schema.Step(summary: "second", sql: "CREATE TABLE second (x INTEGER) STRICT"),
      Schema.Step(summary: "third", sql: "ALTER TABLE second ADD COLUMN y INTEGER"),
    ]
    let broken = Schema.Step(summary: "broken", sql: "CREATE TABLE fourth (x INTEGER); CREATE TABLE second (y INTEGER)")
    #expect(throws: OpeningFailure.self) {
      _ = try Session(checking: folder.path("state.db"), steps: Schema.steps + more + [broken])
    }
    #expect(try look(folder, "SELECT count(*) FROM sqlite_schema WHERE name IN ('second', 'fourth')") == "0")
    let session = try Session(checking: folder.path("state.db"), steps: Schema.steps + more)
    let collector = StateCollector()
    _ = try session.load(into: collector)
    #expect(collector.whole.actions == [.sample("a")])
    #expect(
      try look(
        folder, "SELECT group_concat(version) FROM schema_versions; PRAGMA user_version; SELECT x, y FROM second")
        == "1,2,3,4,5\n5")
  }
}
