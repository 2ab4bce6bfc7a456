import Foundation
import Ranking
import Testing
import TestSupport

@testable import Storage

@Suite("A damaged state")
struct DamageTests {
  /// A state of some hundred actions with a backup that lacks the latest uses, and a log with several commits.
  private static func makeState(in folder: Folder) throws -> (database: StateDatabase, backup: WholeState) {
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample()
    func store(_ actions: Range<Int>, uses: UInt64) throws {
      batch.actions = actions.map { .sample("action.\($0).with-a-name-that-takes-room", uses: uses + UInt64($0)) }
      batch.hourly = batch.actions.map { HourlyRow(app: $0.app, action: $0.action, hour: 499_000, uses: 1) }
      batch.newIDs = actions.map { RememberedID(hash: UInt128($0) << 64 | UInt128(uses), time: Int64(uses)) }
      batch.totals = [("accepted", uses * 1_000), ("refused", uses)]
      batch.arrivals = uses * 100_000
      batch.logPosition = LogPosition(log: 7, offset: uses)
      batch.connections = [
        ConnectionRow(
          number: uses, isControl: false, lineNumber: 1, accepted: 1, duplicates: 0, refused: 0, unfinished: [65],
          isSkipping: false, pendingSyncs: [1])
      ]
      try database.commit(batch)
    }
    try store(0..<500, uses: 1)
    let (scratch, backup) = (try Folder(), WholeState(StoredState(idSecret: (0, 0))))
    _ = (scratch, backup)
    try database.backUp()
    database.limits.checkpoint = 1
    try store(400..<700, uses: 2)
    database.limits.checkpoint = .max
    for round in 3..<8 { try store(round * 80..<round * 80 + 40, uses: UInt64(round)) }
    let (atBackup, state, _) = try {
      try scratch.write(folder.bytes("state.db.backup"), to: "state.db")
      return try scratch.open()
    }()
    try atBackup.close()
    return (database, state)
  }

  private static func loaded(_ folder: Folder) throws -> WholeState {
    let (database, state, _) = try folder.open()
    try database.close()
    return state
  }

  private static func check(_ state: WholeState, against real: WholeState) {
    let real = real.usesByAction
    for action in state.actions {
      #expect(action.score.value.isFinite && action.score.value >= 0)
      #expect(action.uses <= real[action.app + [0] + action.action] ?? 0)
    }
    #expect(Set(state.actions.map { $0.app + [0] + $0.action }).count == state.actions.count)
  }

  enum Kind: String, CaseIterable, Sendable {
    case empty, zeros, text, cutToAPage, cutToHalf, garbagePages, otherApplication, notOurTables
  }

  @Test("It opens again whatever has become of it, with the backup's actions and without", arguments: Kind.allCases)
  func itOpensAgain(kind: Kind) throws {
    let folder = try Folder()
    let (database, atBackup) = try Self.makeState(in: folder)
    try database.close()
    let bytes = try folder.bytes("state.db")
    let pristine = try Folder()
    try folder.copyState(to: pristine)
    let real = try Self.loaded(pristine)
    #expect(real.actions.count == 700)
    var damaged = bytes
    switch kind {
    case .empty: damaged = []
    case .zeros: damaged = [UInt8](repeating: 0, count: bytes.count)
    case .text: damaged = Array("not a database at all\n".utf8)
    case .cutToAPage: damaged.removeLast(bytes.count - 4096)
    case .cutToHalf: damaged.removeLast(bytes.count / 2)
    case .garbagePages:
      for page in stride(from: 2, to: bytes.count / 4096, by: 2) {
        damaged.replaceSubrange(page * 4096..<page * 4096 + 4096, with: [UInt8](repeating: 0xA5, count: 4096))
      }
    case .otherApplication: damaged[69] ^= 1
    case .notOurTables: break
    }
    try folder.write(damaged, to: "state.db")
    if kind == .notOurTables {
      try run(["sqlite3", folder.path("state.db"), "ALTER TABLE totals RENAME TO sums"])
    }
    for hasBackup in [true, false] {
      let copy = try Folder()
      try folder.copyState(to: copy)
      if !hasBackup { try copy.remove("state.db.backup") }
      let (opened, state, report) = try copy.open()
      guard case .recovered(let recovery) = report else {
        Issue.record("opened as if nothing were wrong")
        continue
      }
      #expect(recovery.setAside == "state.db.damaged-1700000000")
      #expect(try copy.bytes("state.db.damaged-1700000000") == folder.bytes("state.db"))
      #expect(recovery.actions == state.actions.count)
      Self.check(state, against: real)
      switch kind {
      case .otherApplication, .notOurTables:
        #expect(state.usesByAction == real.usesByAction)
        #expect(recovery.source == .damagedFile && recovery.knowsLogPosition)
        #expect(Set(state.ids.map(\.hash)) == Set(real.ids.map(\.hash)))
        #expect(state.logPosition == real.logPosition && state.connections == real.connections)
      case .empty, .zeros, .text, .cutToAPage:
        #expect(recovery.source == (hasBackup ? .backup : .nothing))
        if hasBackup { #expect(state.actions == atBackup.actions) }
      case .cutToHalf, .garbagePages:
        #expect(recovery.source == (hasBackup ? .both : .damagedFile))
        #expect(state.actions.count >= (hasBackup ? 500 : 100))
      }
      // It goes on as any other, and is found sound the next time.
      try opened.commit(.sample([.sample("new")]))
      try opened.close()
      let (again, after, secondReport) = try copy.open()
      #expect(secondReport == .opened)
      #expect(after.actions.last == .sample("new"))
      try again.close()
    }
  }

  @Test("One that is missing is made from the backup, and says so")
  func missing() throws {
    let folder = try Folder()
    let (database, atBackup) = try Self.makeState(in: folder)
    try database.close()
    try folder.remove("state.db")
    let (again, state, report) = try folder.open()
    guard case .recovered(let recovery) = report else { throw ToolFailure(output: "\(report)") }
    #expect(recovery.source == .backup && recovery.setAside == nil && recovery.problem == "it is missing")
    #expect(state.actions == atBackup.actions)
    try again.close()
  }

  @Test("A bit that turned inside of a count is found, and the row is taken from the backup")
  func turnedBit() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample([.sample("kept", uses: 5), .sample("turned", uses: 0x0102_0304_0506)]))
    try database.backUp()
    try database.commit(.sample([.sample("kept", uses: 6)]))
    try database.close()
    var bytes = try folder.bytes("state.db")
    let needle: [UInt8] = [1, 2, 3, 4, 5, 6]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: needle) })
    bytes[place] = 0x7F
    try folder.write(bytes, to: "state.db")
    #expect(try look(folder, "PRAGMA integrity_check") == "ok")
    let (again, state, report) = try folder.open()
    guard case .recovered(let recovery) = report else { throw ToolFailure(output: "\(report)") }
    #expect(recovery.source == .both && recovery.actionsFromBackup == 1)
    #expect(state.actions == [.sample("kept", uses: 6), .sample("turned", uses: 0x0102_0304_0506)])
    try again.close()
  }

  @Test("A log that is damaged in its middle loses no commit that came after")
  func damagedLog() throws {
    let folder = try Folder()
    let (database, _) = try Self.makeState(in: folder)
    let copy = try Folder()
    try folder.copyState(to: copy)
    let real = try Self.loaded(copy)
    let crashed = try Folder()
    try folder.copyState(to: crashed)
    var log = try crashed.bytes("state.db-wal")
    log[32 + 24 + 4000] ^= 4
    try crashed.write(log, to: "state.db-wal")
    let (again, state, report) = try crashed.open()
    guard case .recovered(let recovery) = report else { throw ToolFailure(output: "\(report)") }
    #expect(recovery.problem.contains("log"))
    #expect(try crashed.bytes("state.db.damaged-1700000000-wal") == log)
    Self.check(state, against: real)
    #expect(state.usesByAction == real.usesByAction)
    #expect(state.logPosition == real.logPosition)
    try again.close()
    try database.close()
  }

  @Test("A folder, a FIFO or a link to nowhere in its place is refused at once and left there")
  func notAFile() throws {
    for command in ["mkdir state.db", "mkfifo state.db", "ln -s nowhere/at/all state.db", "ln -s state.db state.db"] {
      let folder = try Folder()
      try run(["sh", "-c", "cd \"$0\" && \(command)", folder.path])
      let error = #expect(throws: StorageError.self, "\(command)") { _ = try folder.open() }
      #expect(error?.isForbidden == true, "\(command): \(String(describing: error))")
      #expect(try folder.names == ["state.db"])
    }
  }

  @Test("A link to a file elsewhere is followed, and stays a link")
  func link() throws {
    let (folder, elsewhere) = (try Folder(), try Folder())
    let (made, _, _) = try elsewhere.open()
    try made.commit(.sample([.sample("a")]))
    try made.close()
    try run(["ln", "-s", elsewhere.path("state.db"), folder.path("state.db")])
    let (database, state, report) = try folder.open()
    #expect(report == .opened && state.actions == [.sample("a")])
    try database.close()
    #expect(try run(["readlink", folder.path("state.db")]).status == 0)
  }

  @Test("A crash at any point of a recovery leaves a state that opens")
  func crashInRecovery() throws {
    let folder = try Folder()
    let (database, _) = try Self.makeState(in: folder)
    try database.close()
    let sound = try folder.bytes("state.db")
    // Built but not in its place: the old file and a log that belongs to it are still there.
    let crashed = try Folder()
    try crashed.write(sound, to: "state.db.recovered")
    try crashed.write(Array("rubbish".utf8), to: "state.db")
    try crashed.write([UInt8](repeating: 1, count: 40_000), to: "state.db-wal")
    let (again, state, report) = try crashed.open()
    #expect(report == .opened && state.actions.count == 700)
    try again.close()
    // Half built.
    let half = try Folder()
    try half.write(sound, to: "state.db")
    try half.write(Array(sound.prefix(10_000)), to: "state.db.recovering")
    try half.write(Array(sound.prefix(10_000)), to: "state.db.backup.new")
    let (third, _, secondReport) = try half.open()
    #expect(secondReport == .opened)
    try third.close()
    #expect(try half.names == ["state.db"])
  }

  @Test(
    "What is kept of apps and users is kept, however long, and comes from the backup where it is lost")
  func whatTheUserHasDecided() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample((0..<100).map { .sample("action.\($0)") })
    let definitions = [10, 900, 1_002, 1_003, 3_000, 4_061, 4_062, 5_000, 8_200, 1 << 20]
    let registrations: [RegistrationRow] = definitions.enumerated().map { place, size in
      .sample(
        "action.\(place)", position: Int64(place), definition: String((0..<size).map { _ in Character("\(place)") }))
    }
    let choices: [ChoiceRow] = (0..<50).map { .sample("action.\($0 + 10)", blockedAt: $0) }
    batch.registrations = registrations.map { .set($0) }
    batch.choices = choices
    batch.adaptive = (0..<100).map { $0 % 3 == 0 ? nil : .sample(step: $0) }
    let apps: [AppRow] = (0..<40).map { .sample([100 + $0], state: [UInt8](repeating: $0, count: Int($0) * 105)) }
    batch.apps = apps
    batch.dailyHits = (0..<300).map {
      DailyHitsRow(day: 20_500 + $0, app: $0 % 2 == 0 ? [] : [65], trials: UInt64($0), hits: 0, changes: 1)
    }
    let days = batch.dailyHits
    batch.newImportedIDs = (1..<200).map { RememberedID(hash: UInt128($0), time: $0) }
    try database.commit(batch)
    try database.backUp()
    // In the log, and a part of it in the file alone.
    batch = .sample()
    batch.registrations = [.set(registrations[9])]
    try database.commit(batch)
    for kind in 0..<3 {
      let copy = try Folder()
      try folder.copyState(to: copy)
      var bytes = try copy.bytes("state.db")
      if kind < 2 { bytes[69] ^= 1 } else { bytes = [] }
      try copy.write(bytes, to: "state.db")
      if kind < 2 { try copy.remove("state.db.backup") } else { try copy.remove("state.db-wal") }
      if kind == 1 {
        let whole = try Folder()
        try folder.copyState(to: whole)
        try whole.open().0.close()
        bytes = try whole.bytes("state.db")
        bytes[69] ^= 1
        try copy.write(bytes, to: "state.db")
        try copy.remove("state.db-wal")
      }
      let (again, state, report) = try copy.open()
      guard case .recovered = report else { throw ToolFailure(output: "\(report)") }
      #expect(state.registrations == registrations, "\(kind)")
      #expect(state.choices == choices.sorted { $0.action.lexicographicallyPrecedes($1.action) })
      #expect(state.importedIDs == (1..<200).map { RememberedID(hash: UInt128($0), time: $0) })
      #expect(state.adaptive == (0..<100).map { $0 % 3 == 0 ? nil : .sample(step: $0) })
      #expect(state.apps == apps)
      #expect(try again.dailyHits(app: [], from: 0) == days.filter { $0.app.isEmpty })
      #expect(try again.dailyHits(app: [65], from: 0) == days.filter { $0.app == [65] })
      #expect(state.latestDailyHits == days.suffix(2))
      try again.close()
    }
    try database.close()
  }

  @Test("An action that has moved is found once, where it is now")
  func movedAction() throws {
    let folder = try Folder()
    let (database, _, _) = try folder.open()
    try database.commit(.sample((0..<500).map { .sample("action.\($0)") }))
    _ = try database.session?.connection.checkpoint(truncates: true)
    var batch = CommitBatch.sample()
    batch.edits = (0..<500).map { .move("action.\($0)", to: "another.app") }
    try database.commit(batch)
    for number in 0..<3 as Range<UInt64> {
      try database.commit(.sample([.sample("action.1", app: "another.app", uses: number + 2)]))
    }
    let copy = try Folder()
    try folder.copyState(to: copy)
    // The pages that are empty now are damaged in the log: their older state is all that there is of them.
    var log = try copy.bytes("state.db-wal")
    for frame in 0..<(log.count - 32) / 4_120
    where log[32 + frame * 4_120 + 24 + 100..<32 + frame * 4_120 + 24 + 200].allSatisfy({ $0 == 0 }) {
      log[32 + frame * 4_120 + 24] = 77
    }
    try copy.write(log, to: "state.db-wal")
    var bytes = try copy.bytes("state.db")
    bytes[69] ^= 1
    try copy.write(bytes, to: "state.db")
    let (again, state, _) = try copy.open()
    #expect(state.actions.count == 500 && state.actions.allSatisfy { $0.app == Array("another.app".utf8) })
    try again.close()
    try database.close()
  }

  @Test("No more than five damaged files are kept, the latest ones")
  func fewAreKept() throws {
    let folder = try Folder()
    for second in 95..<103 as Range<Int64> {
      try folder.write(Array("rubbish".utf8), to: "state.db")
      let (database, _, _) = try folder.open(now: second * 1_000_000_000)
      try database.close()
    }
    let kept = try folder.names.filter { $0.contains("damaged") }
    #expect(Set(kept) == Set((98..<103).map { "state.db.damaged-\($0)" }))
  }

  @Test("Thousands of damaged copies open, with no count higher than it was")
  func damagedCopies() throws {
    let count = ProcessInfo.processInfo.environment["QUICKACTIONS_DAMAGE"].flatMap { Int($0) } ?? 300
    var random = SeededRandom()
    let folder = try Folder()
    let (database, _) = try Self.makeState(in: folder)
    let files = ["state.db": try folder.bytes("state.db"), "state.db-wal": try folder.bytes("state.db-wal")]
    let backup = try folder.bytes("state.db.backup")
    let pristine = try Folder()
    try folder.copyState(to: pristine)
    let real = try Self.loaded(pristine)
    try database.close()
    var figures = [String: Int]()
    for number in 0..<count {
      let copy = try Folder(inMemory: true)
      for (name, bytes) in files {
        var bytes = bytes
        if name == "state.db" ? number % 3 != 2 : number % 3 != 0 { damage(&bytes, &random) }
        try copy.write(bytes, to: name)
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: break
      case 1:
        var bytes = backup
        damage(&bytes, &random)
        try copy.write(bytes, to: "state.db.backup")
      default: try copy.write(backup, to: "state.db.backup")
      }
      do {
        let (opened, state, report) = try copy.open()
        Self.check(state, against: real)
        try opened.commit(.sample([.sample("new")]))
        try opened.close()
        switch report {
        case .created: Issue.record("a fresh start that nobody is told of")
        case .opened: figures["opened", default: 0] += 1
        case .recovered(let recovery):
          switch recovery.source {
          case .damagedFile: figures["file", default: 0] += 1
          case .both: figures["both", default: 0] += 1
          case .backup: figures["backup", default: 0] += 1
          case .nothing: figures["fresh", default: 0] += 1
          }
        }
      } catch {
        Issue.record("seed \(random.seed), copy \(number): \(error)")
      }
    }
    let figure = { figures[$0, default: 0] }
    print(
      "damage: \(count) copies, \(figure("file") + figure("both")) recovered from the file (\(figure("both")) with the "
        + "backup's help), \(figure("backup")) from the backup, \(figure("fresh")) fresh, \(figure("opened")) as they were; "
        + "seed \(random.seed)")
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 7 where place % 4 == 0: bytes = place % 8 == 0 ? [] : [UInt8](repeating: 0, count: bytes.count)
    case 0: bytes.removeLast(bytes.count - place)
    case 1:
      let end = min(bytes.count, place + Int.random(in: 1...20_000, using: &random))
      for index in place..<end { bytes[index] = 0 }
    case 2:
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case 3:
      let page = place / 4096 * 4096
      for index in page..<min(bytes.count, page + 4096) { bytes[index] = .random(in: 0...255, using: &random) }
    case 4:
      bytes[Int.random(in: 0..<min(bytes.count, 200), using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 5:
      // The header of a page.
      let index = min(bytes.count - 1, place / 4096 * 4096 + Int.random(in: 0..<16, using: &random))
      bytes[index] = .random(in: 0...255, using: &random)
    default:
      let other = Int.random(in: 0..<bytes.count, using: &random) / 4096 * 4096
      let page = place / 4096 * 4096
      for offset in 0..<4096 where max(page, other) + offset < bytes.count {
        bytes[page + offset] = bytes[other + offset]
      }
    }
  }
}
