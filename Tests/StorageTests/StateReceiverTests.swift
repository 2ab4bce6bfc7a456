import Ranking
import Testing

@testable import Storage

@Suite("What is stored is handed over while it is read")
struct StateReceiverTests {
  /// Stores so many actions in three apps.
  private static func makeState(in folder: Folder, actions: Int) throws {
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    for number in 0..<actions {
      let row = ActionRow.sample("action.\(number)", app: "app.\(number % 3)", uses: UInt64(number + 1))
      batch.changes.set(batch.changes.name(app: row.app, action: row.action), row.values)
    }
    try database.commit(batch)
    try database.close()
  }

  @Test("the actions of an app follow one another, with the numbers of the order in which they were stored")
  func byApp() throws {
    final class Order: StateReceiver {
      var announced = 0
      var apps: [String] = []
      var numbers: [Int64] = []
      func begin(_ state: StoredState, actionCount: Int) { announced = actionCount }
      func receive(_ action: StoredAction) {
        let app = String(decoding: action.app, as: UTF8.self)
        if apps.last != app { apps.append(app) }
        numbers.append(action.number)
      }
      func progress() {}
    }
    let folder = try Folder()
    try Self.makeState(in: folder, actions: 100)
    let order = Order()
    _ = try StateDatabase.open(directory: folder.path, now: 0, receiver: order)
    #expect(order.apps == ["app.0", "app.1", "app.2"] && (80...140).contains(order.announced))
    #expect(order.numbers.sorted() == (0..<100).map { Int64($0) } && order.numbers != order.numbers.sorted())
  }

  @Test("Damage that only the last row shows has everything handed over anew")
  func damageAtTheEnd() throws {
    let folder = try Folder()
    try Self.makeState(in: folder, actions: 300)
    // The checksum does not fit any more; nothing else is wrong with the file.
    try run(["sqlite3", folder.path("state.db"), "UPDATE actions SET uses = 77777 WHERE action = 'action.299'"])
    let collector = StateCollector()
    let (_, report) = try StateDatabase.open(directory: folder.path, now: 0, receiver: collector)
    guard case .recovered(let recovery) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(recovery.problem == "a row of actions is damaged" && recovery.actions == 299)
    #expect(collector.beginnings == 3 && collector.whole.actions.count == 299)
    #expect(collector.whole.actions.allSatisfy { $0.uses <= 299 })
  }

  @Test("Signs of progress come while many rows are checked and read, and none after that")
  func progress() throws {
    let folder = try Folder(inMemory: true)
    try Self.makeState(in: folder, actions: 60_000)
    let collector = StateCollector()
    let (database, _) = try StateDatabase.open(directory: folder.path, now: 0, receiver: collector)
    let signs = collector.signs
    // Some 20 steps of SQLite's machine for a row that is read, more for one that is checked.
    #expect(signs >= 2 && collector.whole.actions.count == 60_000)
    var batch = CommitBatch.sample()
    for row in collector.whole.actions {
      batch.changes.set(batch.changes.name(app: row.app, action: row.action), row.values)
    }
    try database.commit(batch)
    #expect(collector.signs == signs)
  }
}
