import Foundation
import Ranking
import Testing
import TestSupport

@testable import Storage

@Suite("What is stored as it came in")
struct InputTests {
  private static let start = LogPosition(log: .max - 3, offset: 4_000)
  private static let ringSize = 1 << 22

  /// Bytes that lie where they are.
  private final class Bytes {
    let buffer: UnsafeMutableRawBufferPointer
    init(_ bytes: [UInt8]) {
      buffer = .allocate(byteCount: bytes.count, alignment: 8)
      buffer.copyBytes(from: bytes)
    }
    deinit { buffer.deallocate() }
  }

  private static func store(
    _ parts: [[UInt8]], from position: LogPosition, in database: StateDatabase, isAcknowledged: Bool = true,
    totals: [(name: String, value: UInt64)] = []
  ) throws(StorageError) {
    let lasting = parts.map(Bytes.init)
    defer { withExtendedLifetime(lasting) {} }
    var input = InputBatch(
      start: position, ringSize: ringSize, parts: lasting.map { UnsafeRawBufferPointer($0.buffer) })
    input.totals = totals
    if isAcknowledged { try database.store(input) } else { try database.storeUnacknowledged(input) }
  }

  private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// A state of three actions that contains a log up to ``start``.
  private static func makeState(in folder: Folder) throws -> StateDatabase {
    let (database, _, _) = try folder.open()
    var batch = CommitBatch.sample((1...3).map { .sample("a.\($0)", uses: UInt64($0)) })
    batch.totals = [("accepted", 3), ("generation", 1)]
    batch.logPosition = start
    batch.arrivals = 3
    try database.commit(batch)
    return database
  }

  /// What a start finds after a crash at this moment.
  private static func crashed(_ folder: Folder) throws -> (state: WholeState, report: OpeningReport) {
    let copy = try Folder()
    try folder.copyState(to: copy)
    let (_, state, report) = try copy.open()
    return (state, report)
  }

  @Test("It is there after a crash, in one piece, beside what was stored before")
  func isThere() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    // More than a row takes, in two parts, and then more.
    let parts = [Self.noise(2_500_000), Self.noise(70_000, seed: 2), Self.noise(64, seed: 3)]
    try Self.store(Array(parts[..<2]), from: Self.start, in: database)
    var next = Self.start
    next.offset += 2_570_000
    try Self.store([parts[2]], from: next, in: database, totals: [("generation", 7)])
    let (state, report) = try Self.crashed(folder)
    #expect(report == .opened)
    let input = try #require(state.pendingInput)
    #expect(input.start == Self.start && input.ringSize == Self.ringSize && input.bytes == parts.flatMap { $0 })
    #expect(input.end.offset == Self.start.offset + 2_570_064)
    #expect(state.actions.map(\.uses) == [1, 2, 3] && state.logPosition == Self.start && state.clock == .sample)
    #expect(state.totals.map(\.value) == [3, 7])
    #expect(try look(folder, "SELECT count(*), sum(length(input)) FROM pending_input") == "5|2570064")
    // It goes on where it ends, and nowhere else, here and after a start.
    try database.close()
    let (again, _, _) = try folder.open()
    #expect(throws: StorageError.self) { try Self.store([parts[2]], from: next, in: again) }
    try Self.store([parts[2]], from: input.end, in: again)
    #expect(try Self.crashed(folder).state.pendingInput?.bytes == (parts + [parts[2]]).flatMap { $0 })
  }

  @Test("The next commit takes it away, with all of its bytes")
  func isTakenAway() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    try Self.store([Array("zq7.secret".utf8) + Self.noise(100_000)], from: Self.start, in: database)
    var batch = CommitBatch.sample([.sample("a.4", uses: 4)])
    batch.logPosition = LogPosition(log: Self.start.log, offset: 104_010)
    try database.commit(batch)
    let state = try Self.crashed(folder).state
    #expect(state.pendingInput == nil && state.actions.map(\.uses) == [1, 2, 3, 4])
    try Self.store([[1, 2, 3]], from: LogPosition(log: Self.start.log, offset: 104_010), in: database)
    try database.close()
    #expect(Data(try folder.bytes("state.db")).range(of: Data("zq7.secret".utf8)) == nil)
    #expect(try folder.open().1.pendingInput?.bytes == [1, 2, 3])
  }

  @Test("A state that ends elsewhere takes none, and stays as it is")
  func refuses() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    for position in [
      LogPosition(log: Self.start.log, offset: 3_992), LogPosition(log: Self.start.log, offset: 4_008),
      LogPosition(log: 5, offset: 4_000),
    ] {
      #expect(throws: StorageError.self) { try Self.store([[1]], from: position, in: database) }
    }
    #expect(try Self.crashed(folder).state.pendingInput == nil)
    try Self.store([[1]], from: Self.start, in: database)
  }

  @Test("One that is there although it failed is followed by a commit of rows alone, and counts once")
  func unacknowledged() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    try Self.store([[1, 2]], from: Self.start, in: database, isAcknowledged: false)
    #expect(try Self.crashed(folder).state.pendingInput?.bytes == [1, 2])
    #expect(throws: StorageError.self) { try Self.store([[1, 2, 3]], from: Self.start, in: database) }
    var batch = CommitBatch.sample([.sample("a.1", uses: 5)])
    batch.hourly = [.sample("a.1", hour: 499_999, uses: 4)]
    batch.logPosition = LogPosition(log: Self.start.log, offset: 4_003)
    // This one is there as well, and its uses are not added twice.
    try database.commitUnacknowledged(batch)
    #expect(throws: StorageError.self) {
      try Self.store([[9]], from: LogPosition(log: Self.start.log, offset: 4_003), in: database)
    }
    try database.commit(batch)
    let (state, report) = try Self.crashed(folder)
    #expect(report == .opened && state.pendingInput == nil && state.actions.map(\.uses) == [5, 2, 3])
    #expect(try look(folder, "SELECT sum(uses) FROM hourly_uses") == "4")
  }

  @Test("Where some of it is damaged what comes before is kept, and nothing after it")
  func damaged() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    let bytes = Self.noise(3_500_000)
    try Self.store([bytes], from: Self.start, in: database)
    try database.close()
    let sound = try folder.bytes("state.db")
    // In each of the four rows in turn, and then in the table's own page.
    for place in [1_000, 1_500_000, 2_500_000, 3_400_000] {
      // One of the two lies in one page.
      let marks = [place, place + 16].map { Data(bytes[$0..<$0 + 12]) }
      let range = try #require(marks.lazy.compactMap { Data(sound).range(of: $0) }.first)
      var damaged = sound
      damaged[range.lowerBound] ^= 4
      try folder.write(damaged, to: "state.db")
      let (again, state, report) = try folder.open()
      guard case .recovered = report else { throw ToolFailure(output: "\(report)") }
      #expect(state.actions.map(\.uses) == [1, 2, 3] && state.logPosition == Self.start)
      let kept = place / (1 << 20) * (1 << 20)
      #expect(
        (state.pendingInput?.bytes ?? []).count == kept
          && (state.pendingInput?.bytes ?? []) == Array(bytes.prefix(kept)))
      try again.close()
      try folder.remove("state.db")
    }
  }

  @Test("What a damaged state had come past is not taken out of older pages")
  func isNotTakenTwice() throws {
    let folder = try Folder()
    let database = try Self.makeState(in: folder)
    database.limits.checkpoint = .max
    try Self.store([Self.noise(20_000)], from: Self.start, in: database)
    let earlier = (try folder.bytes("state.db-wal").count - 32) / 4_120
    var batch = CommitBatch.sample([.sample("a.1", uses: 50)])
    batch.logPosition = LogPosition(log: Self.start.log, offset: 24_000)
    batch.arrivals = 50
    try database.commit(batch)
    // Whatever is lost of the last commit, and of those before, so that it is damage and no power cut: no input comes back
    // beside the counts that contain it, here or from an intake log.
    let log = try folder.bytes("state.db-wal")
    let frames = (log.count - 32) / 4_120
    var mixed = 0
    for late in earlier..<frames {
      for early in stride(from: 0, to: earlier, by: 4) {
        var damaged = log
        for frame in [late, early] {
          for place in stride(from: 24, to: 4_120, by: 16) { damaged[32 + frame * 4_120 + place] ^= 0x55 }
        }
        let other = try Folder(inMemory: true)
        try other.write(try folder.bytes("state.db"), to: "state.db")
        try other.write(damaged, to: "state.db-wal")
        let (again, state, _) = try other.open()
        let hasLater = state.actions.contains { $0.uses == 50 }
        let isBefore = state.pendingInput != nil || state.logPosition == Self.start
        #expect(!hasLater || !isBefore, "frames \(late) and \(early)")
        if hasLater { mixed += 1 }
        try again.close()
      }
    }
    #expect(mixed > 0)
  }
}
