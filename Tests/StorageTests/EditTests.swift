import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("Edits, registered actions, choices and imported ids")
struct EditTests {
  /// Two apps with two actions each, used in three hours.
  private static func makeState(in folder: Folder) throws -> StateDatabase {
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    for app in ["one", "two"] {
      for name in ["a", "b"] {
        batch.actions.append(.sample(name, app: app, uses: 3))
        for hour in 499_990..<499_993 as Range<Int64> {
          batch.hourly.append(.sample(name, app: app, hour: hour))
        }
      }
    }
    batch.newImportedIDs = [RememberedID(hash: 7, time: 1)]
    batch.registrations = [.set(.sample("a", app: "one"))]
    batch.choices = [.sample("a", app: "one", blockedAt: 5)]
    try database.commit(batch)
    return database
  }

  /// What is stored, in one line: actions with their uses, and hourly rows.
  private static func stored(_ folder: Folder) throws -> String {
    let actions = try look(folder, "SELECT app || '/' || action || '=' || uses FROM actions ORDER BY 1")
    let hours = try look(
      folder,
      """
      SELECT ifnull(app || '/' || action, '?') || '@' || (hour % 10) || '=' || hourly_uses.uses
        FROM hourly_uses LEFT JOIN actions USING (action_number) ORDER BY 1
      """)
    return [actions, hours].map { $0.replacingOccurrences(of: "\n", with: " ") }.joined(separator: "|")
  }

  @Test(
    "An edit changes the rows that it is about, and no other",
    arguments: [
      (
        [StateEdit.forget("a", app: "one")],
        "one/b=3 two/a=3 two/b=3|"
          + "one/b@0=1 one/b@1=1 one/b@2=1 two/a@0=1 two/a@1=1 two/a@2=1 two/b@0=1 two/b@1=1 two/b@2=1"
      ),
      (
        [.forgetApp(Array("one".utf8))],
        "two/a=3 two/b=3|two/a@0=1 two/a@1=1 two/a@2=1 two/b@0=1 two/b@1=1 two/b@2=1"
      ),
      (
        [.forgetHours(from: 499_991)],
        "one/a=3 one/b=3 two/a=3 two/b=3|one/a@0=1 one/b@0=1 two/a@0=1 two/b@0=1"
      ),
      ([.forgetEverything], "|"),
      (
        [.move("a", from: "one", to: "new"), .forgetHours(from: 499_991)],
        "new/a=3 one/b=3 two/a=3 two/b=3|new/a@0=1 one/b@0=1 two/a@0=1 two/b@0=1"
      ),
      (
        [.forgetHours(from: 499_991), .move("a", from: "one", to: "two")],
        "one/b=3 two/a=3 two/b=3|one/b@0=1 two/a@0=2 two/b@0=1"
      ),
      (
        [.forgetHours(from: 499_991), .move("a", from: "one", to: "two"), .forget("a", app: "two")],
        "one/b=3 two/b=3|one/b@0=1 two/b@0=1"
      ),
      (
        [.forgetHours(from: 499_991), .forget("a", app: "two"), .move("a", from: "one", to: "two")],
        "one/b=3 two/a=3 two/b=3|one/b@0=1 two/a@0=1 two/b@0=1"
      ),
      (
        [.move("b", from: "one", to: "one"), .move("x", from: "one", to: "two"), .forgetHours(from: 0)],
        "one/a=3 one/b=3 two/a=3 two/b=3|"
      ),
    ])
  func edit(edits: [StateEdit], expected: String) throws {
    for isUnacknowledged in [false, true] {
      let folder = try Folder()
      let database = try Self.makeState(in: folder)
      var batch = CommitBatch.sample()
      batch.edits = edits
      if isUnacknowledged { try database.commitUnacknowledged(batch) }
      try database.commit(batch)
      let stored = try Self.stored(folder)
      #expect(stored == expected)
      #expect(try look(folder, "SELECT count(*) FROM hourly_uses") == "\(database.known.hourlyRows)")
      let forgotAll = edits == [.forgetEverything]
      #expect(try look(folder, "SELECT count(*) FROM imported_ids") == (forgotAll ? "0" : "1"))
      try database.close()
      let (again, state, report) = try folder.open()
      #expect(report == .opened)
      #expect(state.registrations == [.sample("a", app: "one")])
      #expect(state.choices == [.sample("a", app: "one", blockedAt: 5)])
      #expect(again.known.hourlyRows == database.known.hourlyRows)
      try again.close()
    }
  }

  @Test("What is dropped is gone with its hours, and no wipe is asked for", arguments: [false, true])
  func drop(isUnacknowledged: Bool) throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    var batch = CommitBatch.sample([.sample("b", app: "two", uses: 9)])
    batch.apps = [.sample([1]), .sample([2])]
    try database.commit(batch)
    batch = .sample([.sample("b", app: "one", uses: 1)])
    batch.hourly = [.sample("b", app: "one", hour: 499_999)]
    let names = [("one", "a"), ("one", "b"), ("one", "unknown")].map {
      ActionName(app: Array($0.0.utf8), action: Array($0.1.utf8))
    }
    batch.edits = [.drop(GoneNames(actions: names, apps: [[1], [3]]))]
    if isUnacknowledged { try database.commitUnacknowledged(batch) }
    try database.commit(batch)
    let stored = try Self.stored(folder).split(separator: "|")
    #expect(stored[0] == "one/b=1 two/a=3 two/b=9")
    #expect(!stored[1].contains("?") && stored[1].hasPrefix("one/b@9=1 two/"))
    #expect(try look(folder, "SELECT count(*) FROM hourly_uses") == "\(database.known.hourlyRows)")
    #expect(try look(folder, "SELECT hex(app) FROM apps") == "02")
    #expect(!database.isWipeOwed && !batch.asksForWipe)
    try database.close()
  }

  @Test("A batch that has all there is drops the rest")
  func sweep() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    var batch = CommitBatch.sample([.sample("b", app: "one", uses: 4), .sample("c", app: "one", uses: 2)])
    batch.hourly = [.sample("c", app: "one", hour: 499_999)]
    batch.sweeps = true
    try database.commit(batch)
    let stored = try Self.stored(folder).split(separator: "|")
    #expect(stored[0] == "one/b=4 one/c=2")
    #expect(!stored[1].contains("?") && !stored[1].contains("two/") && stored[1].hasSuffix("one/c@9=1"))
    #expect(try look(folder, "SELECT count(*) FROM hourly_uses") == "\(database.known.hourlyRows)")
    try database.close()
  }

  @Test("Edits come before the rest of their batch: what was forgotten may begin anew")
  func editsComeFirst() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    var batch = CommitBatch.sample([.sample("a", app: "one", uses: 1), .sample("b", app: "two", uses: 9)])
    batch.hourly = [.sample("a", app: "one", hour: 499_999), .sample("b", app: "two", hour: 499_999)]
    batch.edits = [.forget("a", app: "one"), .forget("a", app: "two"), .forgetApp(Array("two".utf8))]
    batch.newImportedIDs = [RememberedID(hash: 8, time: 2)]
    try database.commit(batch)
    #expect(
      try Self.stored(folder)
        == "one/a=1 one/b=3 two/b=9|one/a@9=1 one/b@0=1 one/b@1=1 one/b@2=1 two/b@9=1")
    batch = .sample()
    batch.edits = [.forgetEverything]
    batch.newImportedIDs = [RememberedID(hash: 9, time: 3)]
    try database.commit(batch)
    try database.close()
    let (again, state, _) = try folder.open()
    #expect(state.importedIDs.map(\.hash) == [9])
    try again.close()
  }

  @Test("A failed commit's edits are not done again to what they have led to")
  func editsAreDoneOnce() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    var batch = CommitBatch.sample()
    batch.edits = [.forgetHours(from: 499_991), .forget("a", app: "two"), .move("a", from: "one", to: "two")]
    try database.commitUnacknowledged(batch)
    batch.edits.append(.move("b", from: "one", to: "two"))
    // In the database, too, and again not acknowledged.
    try database.commitUnacknowledged(batch)
    batch.edits.append(.move("b", from: "two", to: "three"))
    try database.commit(batch)
    #expect(try Self.stored(folder) == "three/b=3 two/a=3|three/b@0=2 two/a@0=1")
    try database.close()
  }

  @Test("An action that comes after one was forgotten does not inherit its hours, nor those that were left behind")
  func numbersAreNotInherited() throws {
    let folder = try Folder()
    var database = try Self.makeState(in: folder)
    var batch = CommitBatch.sample([.sample("c")])
    batch.edits = [.forget("b", app: "two")]
    try database.commit(batch)
    try database.close()
    // An hour whose action is gone, as no commit leaves one.
    let orphan = try Session(opening: folder.path("state.db"))
    try orphan.beginWriting()
    HourlyRecord(hour: 499_995, actionNumber: 77, uses: 5).bind(to: try #require(orphan.statements).insertHour)
    try orphan.statements?.insertHour.run()
    orphan.statements = nil
    database = try folder.open().0
    for name in ["d", "e"] { try database.commit(.sample([.sample(name)])) }
    #expect(
      try look(
        folder, "SELECT count(*) FROM hourly_uses JOIN actions USING (action_number) WHERE app NOT IN ('one', 'two')")
        == "0")
    #expect(try look(folder, "SELECT action_number FROM actions WHERE action = 'd'") == "78")
    try database.close()
  }

  @Test("Registered actions come back by app and position, and are set and removed")
  func registrations() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    let rows: [RegistrationRow] = [
      .sample("z", app: "a", position: 1), .sample("y", app: "a", position: 2), .sample("x", app: "a", position: 2),
      .sample("a", app: "b", position: .min, definition: String(repeating: "x", count: 1 << 20)),
      .sample("b", app: "b", position: .max),
    ]
    var batch = CommitBatch.sample()
    batch.registrations = rows.map { .set($0) } + [.set(.sample("gone")), .remove(app: rows[0].app, action: [1])]
    batch.registrations.append(.remove(app: Array("com.example.mail".utf8), action: Array("gone".utf8)))
    try database.commit(batch)
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(state.registrations == [rows[0], rows[2], rows[1], rows[3], rows[4]])
    batch.registrations = [
      .set(.sample("z", app: "a", position: 3)), .remove(app: Array("b".utf8), action: Array("a".utf8)),
    ]
    try database.commit(batch)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.registrations == [rows[2], rows[1], .sample("z", app: "a", position: 3), rows[4]])
    try database.close()
  }

  @Test("Choices come back whatever is set, and one with nothing set is dropped")
  func choices() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    var rows: [ChoiceRow] = []
    for bits in 1..<16 {
      func time(_ bit: Int) -> Int64? { bits & bit == 0 ? nil : Int64(bits) * 1_000_000_000 }
      rows.append(
        ChoiceRow(
          app: Array("app".utf8), action: bits == 1 ? [] : [UInt8(bits) + 64], pinnedAt: time(1),
          pinPosition: Int64(bits), blockedAt: time(2), disabledAt: time(4), enabledAt: time(8)))
    }
    var batch = CommitBatch.sample()
    batch.choices = rows.reversed()
    try database.commit(batch)
    #expect(
      try look(folder, "SELECT * FROM readable_choices LIMIT 2")
        == "app||1|1970-01-01T00:00:01Z|||\napp|B|2||1970-01-01T00:00:02Z||")
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(state.choices == rows)
    rows[0].pinnedAt = nil
    rows[1].enabledAt = .min
    batch.choices = [rows[0], rows[1], ChoiceRow(app: [65], action: [])]
    try database.commit(batch)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.choices == Array(rows.dropFirst()))
    try database.close()
  }

  @Test("Imported ids leave by number only, and remembered ids do not know of them")
  func importedIDs() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    batch.newImportedIDs = (0..<50).map { RememberedID(hash: UInt128($0), time: $0) }
    batch.newIDs = [RememberedID(hash: 1, time: 1)]
    batch.forgetIDsBefore = .max
    batch.maxImportedIDs = 40
    try database.commit(batch)
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(state.ids.isEmpty)
    #expect(state.importedIDs == (10..<50).map { RememberedID(hash: UInt128($0), time: $0) })
    batch = .sample()
    batch.newImportedIDs = [RememberedID(hash: 99, time: 0)]
    try database.commit(batch)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.importedIDs.count == 41 && state.importedIDs.last?.hash == 99)
    try database.close()
  }

  @Test("Owners, own scores and the connections' new counts come back bit for bit")
  func newColumns() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var rows: [ActionRow] = []
    let scores: [OwnScore?] = [
      nil, OwnScore(halfLife: 1, score: .zero),
      OwnScore(halfLife: .max, score: DecayedCount(value: 3, landmark: .max)),
      OwnScore(halfLife: 9, score: DecayedCount(value: .leastNonzeroMagnitude, landmark: -7)),
    ]
    for (place, score) in scores.enumerated() {
      for isNamed in [nil, false, true] as [Bool?] {
        var row = ActionRow.sample("a\(place)\(isNamed.map { "\($0)" } ?? "")")
        (row.isAppNamed, row.ownScore) = (isNamed, score)
        rows.append(row)
      }
    }
    var batch = CommitBatch.sample(rows)
    batch.connections = [
      ConnectionRow(
        number: 1, isControl: false, lineNumber: 1, accepted: 2, duplicates: 3, refused: 4, blocked: 5,
        notRecorded: UInt64(Int64.max), unfinished: [], isSkipping: false, pendingSyncs: [])
    ]
    try database.commit(batch)
    try database.close()
    var (again, state, report) = try folder.open()
    #expect(report == .opened && state.actions == rows && state.connections == batch.connections)
    for index in rows.indices { (rows[index].isAppNamed, rows[index].ownScore) = (true, scores[index % 4]) }
    try again.commit(.sample(rows))
    try again.close()
    (again, state, _) = try folder.open()
    #expect(state.actions == rows)
    try again.close()
  }

  @Test("Stored hours are those of the actions used since, without what a failed commit has added")
  func storedHours() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    #expect(try database.storedHours(from: 499_993).isEmpty)
    var batch = CommitBatch.sample([.sample("a", app: "one", uses: 9)])
    batch.hourly = [.sample("a", app: "one", hour: 499_995, uses: 4)]
    try database.commit(batch)
    batch.actions = [.sample("a", app: "two", uses: 9), .sample("a", app: "one", uses: 9)]
    batch.hourly = [.sample("a", app: "two", hour: 499_996), .sample("a", app: "one", hour: 499_995, uses: 2)]
    try database.commitUnacknowledged(batch)
    let hours = [(499_990, 1), (499_991, 1), (499_992, 1), (499_995, 4)].map { HourUses(hour: $0, uses: $1) }
    let expected = HourlyHistory(app: Array("one".utf8), action: [97], hours: hours)
    #expect(try database.storedHours(from: 499_995) == [expected])
    #expect(try database.storedHours(from: .min).map(\.hours.count) == [4, 3, 3, 3])
    try database.commit(batch)
    #expect(try database.storedHours(from: 499_995).map(\.hours.count) == [4, 4])
    try database.close()
  }

  @Test("Hourly uses are read page by page, each once", arguments: [1, 5, 12, 13])
  func pages(limit: Int) throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    var rows: [HourlyRow] = []
    var place: HourlyCursor?
    repeat {
      let page = try database.hourlyUses(after: place, limit: limit)
      #expect(page.rows.count <= limit)
      rows += page.rows
      place = page.end
    } while place != nil
    var expected: [HourlyRow] = []
    for hour in 499_990..<499_993 as Range<Int64> {
      for app in ["one", "two"] { expected += ["a", "b"].map { .sample($0, app: app, hour: hour) } }
    }
    #expect(rows == expected)
    try database.close()
  }

  @Test("Uses that no hour has are read page by page, each once", arguments: [1, 2, 100])
  func hourless(limit: Int) throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([
      .sample("whole", uses: 2), .sample("none", uses: 5), .sample("some", uses: 7), .sample("less", uses: 1),
    ])
    batch.hourly = [
      .sample("whole", hour: 499_990, uses: 2), .sample("some", hour: 499_990, uses: 1),
      .sample("some", hour: 499_991, uses: 3), .sample("less", hour: 499_991, uses: 9),
    ]
    try database.commit(batch)
    var found: [HourlessUses] = []
    var last: Int64?
    while true {
      let page = try database.hourlessUses(after: last, limit: limit)
      #expect(page.count <= limit)
      found += page
      if page.count < limit { break }
      last = page.last?.actionNumber
    }
    #expect(found.map(\.action) == [Array("none".utf8), Array("some".utf8)])
    #expect(found.map(\.uses) == [5, 3] && found.map(\.hasHours) == [false, true])
    let action = ActionRow.sample("none")
    #expect(found.first?.firstUsed == action.firstUsed && found.first?.lastUsed == action.lastUse.wall)
    try database.close()
  }
}

extension RegistrationRow {
  static func sample(
    _ name: String, app: String = "com.example.mail", position: Int64 = 1, definition: String = #"{"title":"é"}"#
  ) -> RegistrationRow {
    RegistrationRow(
      app: Array(app.utf8), action: Array(name.utf8), position: position, definition: Array(definition.utf8))
  }
}

extension ChoiceRow {
  static func sample(_ name: String, app: String = "com.example.mail", blockedAt: Int64) -> ChoiceRow {
    ChoiceRow(app: Array(app.utf8), action: Array(name.utf8), blockedAt: blockedAt)
  }
}
