import Ranking
import TestSupport
import Testing

@testable import Storage

@Suite("Changes of actions")
struct ActionChangesTests {
  @Test(
    "However they are ordered, new actions get numbers as they are given, and known ones keep theirs", arguments: 0..<8)
  func numbers(round: UInt64) throws {
    var random = SeededRandom(seed: round)
    let folder = try Folder(inMemory: true)
    let (database, _, _) = try folder.open()
    // Ids that begin, end or go on alike, and apps that are the beginning of another.
    let apps = ["a", "a.b", "a.b.c", "com.example.mail", "com.example.mail.x", "\u{10FFFF}"]
    let actions = ["a", "a#", "a#1", "a.b.c.d.e.f.g.h", "a.b.c.d.e.f.g.i", "a.b.c.d.e.f.g.hh", "com.example", "é", "~"]
    var order: [ActionRow] = []
    var uses: [[[UInt8]]: UInt64] = [:]
    for _ in 0..<6 {
      var batch = CommitBatch.sample()
      for app in apps.shuffled(using: &random) {
        for action in actions.shuffled(using: &random) where Bool.random(using: &random) {
          let row = ActionRow.sample(action, app: app, uses: .random(in: 1...1_000, using: &random))
          let place = batch.changes.name(app: row.app, action: row.action)
          batch.changes.set(place, row.values)
          batch.changes.add(row.uses, to: place, hour: 499_000 + Int64.random(in: 0...1, using: &random))
          uses[[row.app, row.action], default: 0] += row.uses
          if let known = order.firstIndex(where: { $0.app == row.app && $0.action == row.action }) {
            order[known] = row
          } else {
            order.append(row)
          }
        }
      }
      try database.commit(batch)
    }
    try database.close()
    let (again, state, report) = try folder.open()
    #expect(report == .opened && state.actions == order, "seed \(random.seed)")
    for row in state.actions {
      let found = try again.storedHours(from: .min, and: [(row.app, row.action)]).first {
        $0.app == row.app && $0.action == row.action
      }
      #expect(found?.hours.map(\.uses).reduce(0, +) == uses[[row.app, row.action]], "seed \(random.seed)")
    }
  }
}
