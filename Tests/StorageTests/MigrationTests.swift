import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("A state of version 1")
struct MigrationTests {
  /// What a daemon wrote that knew of version 1 alone.
  private static let rows = """
    INSERT INTO actions VALUES('com.example.mail','com.example.mail.compose',0,4,1700000000000000000,
      1796091843026977730,1637181310,1,3.0000056290112784296,0,1913170836);
    INSERT INTO actions VALUES('org.other','com.example.mail.write#alice',1,1,1796091843026977730,
      1796091843026977730,1637181310,2,1.0000018763370928098,0,3602302880);
    INSERT INTO hourly_uses VALUES(498914,0,3,3396486488);
    INSERT INTO hourly_uses VALUES(498914,1,1,863185618);
    INSERT INTO remembered_ids VALUES(0,X'c217b3033b510dbbe3ba2039a50c816d',1637181310,2725103409);
    INSERT INTO remembered_ids VALUES(1,X'573eda7563e24439cc6a15ea644976cf',1637181310,3029784861);
    INSERT INTO totals VALUES('accepted',3,4250766617);
    INSERT INTO connections VALUES(1,0,3,3,0,0,0,X'756e66696e6973','[]',1540576742);
    INSERT INTO daemon VALUES(1,2,604800000000000,'fd33151a-c827-4e45-bee1-740eec2b93c8',12985656860062,
      1796091844037135394,2647338984,NULL,NULL,-1549669682001096836,296,1,3,X'4ba1c9bc48a8d158875868f163968a13',
      3191639328);
    """

  private static func makeState(in folder: Folder) throws {
    try folder.write([], to: "state.db")
    let connection = try Connection(opening: folder.path("state.db"))
    try connection.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL", "make a state")
    try Schema.migrate(connection, from: 0, steps: [Schema.steps[0]])
    try connection.execute(rows, "make a state")
  }

  private static func check(_ state: WholeState) {
    #expect(state.actions.map(\.uses) == [4, 1])
    #expect(state.actions.map(\.score.value) == [3.0000056290112784296, 1.0000018763370928098])
    #expect(state.actions.allSatisfy { $0.isAppNamed == nil && $0.ownScore == nil })
    #expect(state.ids.map(\.time) == [1_637_181_310, 1_637_181_310])
    #expect(state.totals.map(\.value) == [3])
    #expect(state.connections.map(\.accepted) == [3] && state.connections.map(\.blocked) == [0])
    #expect(state.logPosition?.offset == 296 && state.arrivals == 3 && state.halfLife == 604_800_000_000_000)
    #expect(state.adaptive == [nil, nil] && state.apps.isEmpty && state.latestDailyHits.isEmpty)
    #expect(state.importedIDs.isEmpty && state.registrations.isEmpty && state.choices.isEmpty)
  }

  @Test("It is brought forward with all that it holds, and goes on as one of this version")
  func itIsBroughtForward() throws {
    let folder = try Folder()
    try Self.makeState(in: folder)
    let (database, state, report) = try folder.open()
    #expect(report == .opened && !database.isWipeOwed)
    Self.check(state)
    var batch = CommitBatch.sample()
    var row = state.actions[1]
    (row.isAppNamed, row.ownScore) = (true, OwnScore(halfLife: 5, score: .zero))
    batch.actions = [row]
    batch.adaptive = [.sample()]
    batch.apps = [.sample(row.app)]
    batch.dailyHits = [DailyHitsRow(day: 20_832, app: [], trials: 4, hits: 3, changes: 2)]
    batch.edits = [.move("com.example.mail.compose", to: "new")]
    batch.connections = state.connections
    batch.connections[0].blocked = 7
    try database.commit(batch)
    #expect(try look(folder, "PRAGMA user_version; SELECT max(version) FROM schema_versions") == "3\n3")
    #expect(try look(folder, "SELECT app, uses FROM readable_hourly_uses ORDER BY 1") == "new|3\norg.other|1")
    try database.close()
    let (again, after, secondReport) = try folder.open()
    #expect(secondReport == .opened)
    #expect(after.actions[0].app == Array("new".utf8) && after.actions[0].uses == 4 && after.actions[1] == row)
    #expect(after.connections[0].blocked == 7)
    #expect(after.adaptive == [nil, .sample()] && after.apps == batch.apps && after.latestDailyHits == batch.dailyHits)
    try again.close()
  }

  @Test("If it is damaged, its rows are read as well, and its backup is of use")
  func itIsRecovered() throws {
    for hasBackup in [false, true] {
      let folder = try Folder()
      try Self.makeState(in: folder)
      var bytes = try folder.bytes("state.db")
      #expect(!folder.exists("state.db-wal"))
      if hasBackup {
        try folder.write(bytes, to: "state.db.backup")
        bytes.removeLast(bytes.count - 4096)
      } else {
        bytes[69] ^= 1
      }
      try folder.write(bytes, to: "state.db")
      let (database, state, report) = try folder.open()
      guard case .recovered(let recovery) = report else { throw ToolFailure(output: "\(report)") }
      #expect(recovery.source == (hasBackup ? .backup : .damagedFile))
      if hasBackup { #expect(state.actions.map(\.uses) == [4, 1]) } else { Self.check(state) }
      try database.close()
    }
  }
}
