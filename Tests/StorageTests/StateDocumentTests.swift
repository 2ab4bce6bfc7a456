import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("docs/STATE.md")
struct StateDocumentTests {
  @Test("Its queries run in the sqlite3 tool on a state in use")
  func queriesRun() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("com.example.mail.compose", uses: 3)])
    batch.hourly = batch.actions.map { HourlyRow(app: $0.app, action: $0.action, hour: 40_000_000, uses: 3) }
    batch.dailyHits = [
      DailyHitsRow(day: 1_650_000, app: Array("com.example.mail".utf8), trials: 4, hits: 3, changes: 2)
    ]
    try database.commit(batch)
    let document = try repositoryFile("docs/STATE.md")
    let queries = document.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(queries.count == 4)
    for query in queries.prefix(2) {
      #expect(try look(folder, query).contains("com.example.mail.compose"), "\(query)")
    }
    #expect(try look(folder, queries[2]).isEmpty)
    #expect(try look(folder, queries[3]) == "com.example.mail|0.75|4")
    #expect(
      try look(folder, "SELECT uses FROM readable_actions WHERE first_used LIKE '2026-09-%' AND score > 0") == "3")
    #expect(
      try look(folder, "VACUUM INTO '\(folder.path("copy.db"))'; SELECT 1") == "1" && folder.exists("copy.db"))
    try database.close()
  }

  @Test("It names every table and view")
  func tablesAreNamed() throws {
    let document = try repositoryFile("docs/STATE.md")
    let connection = try Connection(opening: ":memory:")
    try Schema.migrate(connection, from: 0)
    for name in try connection.texts("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')") {
      #expect(document.contains("`\(name)`"), "\(name)")
    }
  }
}
