import Foundation
import Ranking
import Testing

@testable import Storage

@Suite("What the adaptive ranking keeps, and how often it was right")
struct HitsTests {
  private static func day(_ day: Int64, _ app: String = "", trials: UInt64 = 4) -> DailyHitsRow {
    DailyHitsRow(day: day, app: Array(app.utf8), trials: trials, hits: trials / 2, changes: 1)
  }

  @Test("Counters, steps, lists and places come back bit for bit, and one that is no number leaves none")
  func adaptiveColumns() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    var unsound = AdaptiveState.sample()
    unsound.counters[5] = .nan
    let highest = AdaptiveState(
      counters: SIMD8(repeating: .greatestFiniteMagnitude), step: .max, lists: .max, place: .max)
    let lowest = AdaptiveState(counters: .zero, step: 0, lists: 0, place: 0)
    var batch = CommitBatch.sample(["a", "b", "c", "d", "e"].map { .sample($0) })
    batch.actions[1].isAppNamed = true
    batch.adaptive = [.sample(step: 77), highest, nil, unsound]
    try database.commit(batch)
    #expect(
      try look(folder, "SELECT hex(substr(decayed_counts, 1, 4)), counted_at_step FROM actions WHERE action = 'a'")
        == "0000003F|77")
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(state.adaptive == [.sample(step: 77), highest, nil, nil, nil])
    #expect(state.adaptive[0]?.counters[5].sign == .minus)
    #expect(state.actions == batch.actions)
    // All of a row is given each time: what is not there any more leaves.
    batch.actions = Array(batch.actions.prefix(3))
    batch.adaptive = [nil, .sample(), lowest]
    batch.edits = [.move("e", to: "other"), .move("b", to: "other")]
    batch.actions[1].app = Array("other".utf8)
    try database.commit(batch)
    try database.commit(.sample([.sample("d")]))
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.adaptive == [nil, .sample(), lowest, nil, nil])
    var move = CommitBatch.sample()
    move.edits = [.move("b", from: "other", to: "third")]
    try database.commit(move)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.adaptive[1] == .sample() && state.actions[1].app == Array("third".utf8))
    try database.close()
  }

  @Test("Apps come back whatever they hold, and are written, removed and forgotten")
  func apps() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    let longest = (0..<AppRow.longestState).map { UInt8(truncatingIfNeeded: $0) }
    var rows: [AppRow] = [
      AppRow(app: [65], state: [], trials: 0, hits: 0, changes: 0, hitRate: nil),
      AppRow(app: [66], state: longest, trials: UInt64(Int64.max), hits: 1, changes: 2, hitRate: 1),
      AppRow(app: [67], state: [0], trials: 7, hits: 7, changes: 9, hitRate: 0.1),
      .sample([68]), .sample([69]),
    ]
    var batch = CommitBatch.sample()
    batch.apps = rows.reversed()
    batch.apps.append(AppRow(app: [70], state: longest + [1], trials: .max, hits: 0, changes: 0, hitRate: .nan))
    rows.append(AppRow(app: [70], state: [], trials: UInt64(Int64.max), hits: 0, changes: 0, hitRate: nil))
    try database.commit(batch)
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(state.apps == rows)
    batch = .sample()
    batch.removedApps = [[65], [66], [99]]
    batch.edits = [.forgetApp([68]), .forget("x", app: "C")]
    batch.apps = [.sample([66], state: [9])]
    try database.commitUnacknowledged(batch)
    try database.commit(batch)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.apps == [.sample([66], state: [9]), rows[2], rows[4], rows[5]])
    batch.edits = [.forgetEverything]
    batch.apps = [.sample([90])]
    try database.commit(batch)
    try database.close()
    (database, state, _) = try folder.open()
    #expect(state.apps == [.sample([90])])
    try database.close()
  }

  @Test("Days are written anew, read by app, and shown with their dates and rates")
  func dailyHits() throws {
    let folder = try Folder()
    var (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    batch.dailyHits = [
      Self.day(20_832), Self.day(20_831), Self.day(20_832, "b"), Self.day(20_831, "a"), Self.day(20_830, "a"),
      Self.day(20_832, "c", trials: 0),
    ]
    try database.commit(batch)
    batch.dailyHits = [Self.day(20_832, trials: 9), Self.day(20_831, "a", trials: UInt64(Int64.max))]
    try database.commitUnacknowledged(batch)
    try database.commit(batch)
    #expect(database.known.dailyRows == 6)
    let all = try database.dailyHits(app: [], from: 20_831)
    #expect(all == [Self.day(20_831), Self.day(20_832, trials: 9)])
    #expect(try database.dailyHits(app: [], from: 20_832).count == 1)
    #expect(try database.dailyHits(app: [97], from: .min).map(\.day) == [20_830, 20_831])
    #expect(try database.dailyHits(app: [120], from: .min).isEmpty)
    #expect(
      try look(folder, "SELECT * FROM readable_daily_hits WHERE day = '2027-01-14'")
        == "2027-01-14||9|4|1|0.4444\n2027-01-14|b|4|2|1|0.5\n2027-01-14|c|0|0|1|")
    try database.close()
    var state: WholeState
    (database, state, _) = try folder.open()
    #expect(database.known.dailyRows == 6)
    #expect(
      state.latestDailyHits == [
        Self.day(20_832, trials: 9), Self.day(20_831, "a", trials: UInt64(Int64.max)), Self.day(20_832, "b"),
        Self.day(20_832, "c", trials: 0),
      ])
    batch = .sample()
    batch.edits = [.forgetApp([97])]
    try database.commit(batch)
    #expect(database.known.dailyRows == 4)
    #expect(try look(folder, "SELECT group_concat(app) FROM daily_hits") == ",,b,c")
    batch.edits = [.forgetEverything]
    try database.commit(batch)
    #expect(database.known.dailyRows == 0)
    #expect(try look(folder, "SELECT count(*) FROM daily_hits") == "0")
    try database.close()
  }

  @Test("Days leave once none of their hours is kept, and by number, the oldest first")
  func daysArePruned() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    // Hour 500,000 is the eighth of day 20,833.
    var batch = CommitBatch.sample()
    batch.keepHistoryHours = 8
    batch.dailyHits = (20_800..<20_840).map { Self.day($0) }
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*), min(day) FROM daily_hits") == "7|20833")
    batch.keepHistoryHours = 9
    batch.dailyHits = (20_800..<20_833).map { Self.day($0, "a") }
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*), min(day) FROM daily_hits") == "8|20832")
    batch.keepHistoryHours = .max
    batch.dailyHits = [Self.day(20_836, "a"), Self.day(-1)]
    try database.commit(batch)
    #expect(database.known.dailyRows == 10)
    batch.dailyHits = []
    batch.maxDailyRows = 5
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*), min(day), min(app) FROM daily_hits") == "5|20836|")
    #expect(database.known.dailyRows == 5)
    batch.maxDailyRows = 4
    try database.commit(batch)
    #expect(try database.dailyHits(app: [97], from: 0) == [Self.day(20_836, "a")])
    batch.maxDailyRows = 0
    try database.commit(batch)
    #expect(try look(folder, "SELECT count(*) FROM daily_hits") == "0")
    #expect(database.known.dailyRows == 0)
    try database.close()
  }

  @Test("Before 1970 a day is the one that its hours lie in")
  func daysBefore1970() {
    for (hour, day) in [(0, 0), (23, 0), (24, 1), (-1, -1), (-24, -1), (-25, -2)] as [(Int64, Int64)] {
      var batch = CommitBatch(clock: .sample, halfLife: 1, nowHour: hour)
      batch.keepHistoryHours = 0
      #expect(batch.oldestDay == day, "\(hour)")
    }
  }

  @Test("Of a day that the damaged file and the backup have, the one with more trials is kept")
  func daysAfterDamage() throws {
    for wipes in [false, true] {
      let folder = try Folder()
      let (database, _, _) = try folder.open()
      var batch = CommitBatch.sample()
      (batch.dailyHits, batch.apps) = ([Self.day(20_832, "a"), Self.day(20_831, "a")], [.sample([97]), .sample([98])])
      try database.commit(batch)
      try database.backUp()
      batch = .sample()
      batch.dailyHits = [Self.day(20_832, "a", trials: 50), Self.day(20_831, "b")]
      batch.apps = [.sample([97], trials: 50)]
      batch.removedApps = [[98]]
      try database.commit(batch)
      // Nothing that the backup has may come back while a wipe is owed.
      batch.edits = wipes ? [.forgetApp([97])] : []
      (batch.dailyHits, batch.apps, batch.removedApps) = ([], [], [])
      try database.commitUnacknowledged(batch)
      let crashed = try Folder()
      try folder.copyState(to: crashed)
      var bytes = try crashed.bytes("state.db")
      bytes[69] ^= 1
      try crashed.write(bytes, to: "state.db")
      let (again, state, report) = try crashed.open()
      guard case .recovered = report else { throw ToolFailure(output: "\(report)") }
      if wipes {
        #expect(state.apps.isEmpty && state.latestDailyHits == [Self.day(20_831, "b")])
      } else {
        #expect(state.apps == [.sample([97], trials: 50), .sample([98])])
        #expect(state.latestDailyHits == [Self.day(20_832, "a", trials: 50), Self.day(20_831, "b")])
        #expect(again.known.dailyRows == 3)
      }
      try again.close()
    }
  }

  @Test("A bit that turned in a counter, a step, an app's state or a day is found", arguments: 0..<5)
  func turnedBit(place: Int) throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample([.sample("a")])
    var adaptive = AdaptiveState.sample(step: 0x7A71_5157)
    adaptive.counters[7] = Float(bitPattern: 0x4A71_5257)
    batch.adaptive = [adaptive]
    batch.apps = [.sample([65], state: [0x57, 0x53, 0x71, 0x7A])]
    batch.apps[0].hitRate = Double(bitPattern: 0x3FD0_0000_5771_537A)
    batch.dailyHits = [Self.day(20_832, "a", trials: 0x7A71_5457)]
    try database.commit(batch)
    try database.close()
    var bytes = try folder.bytes("state.db")
    let needles: [[UInt8]] = [
      [0x57, 0x52, 0x71, 0x4A], [0x7A, 0x71, 0x51, 0x57], [0x57, 0x53, 0x71, 0x7A], [0x57, 0x71, 0x53, 0x7A],
      [0x7A, 0x71, 0x54, 0x57],
    ]
    let found = try #require(bytes.indices.first { bytes[$0...].starts(with: needles[place]) })
    bytes[found + 1] ^= 8
    try folder.write(bytes, to: "state.db")
    let (again, state, report) = try folder.open()
    guard case .recovered = report else { throw ToolFailure(output: "\(report)") }
    #expect(state.adaptive == (place < 2 ? [] : [adaptive]))
    #expect(state.apps == (place == 2 || place == 3 ? [] : batch.apps))
    #expect(state.latestDailyHits == (place == 4 ? [] : batch.dailyHits))
    try again.close()
  }
}
