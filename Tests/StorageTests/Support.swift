import Foundation
import Ranking
import TestSupport

@testable import Storage

/// A folder of its own for one test.
final class Folder: Sendable {
  let path: String

  /// - Parameter inMemory: whether to take a file system in memory, where there is one, to save the time of syncs.
  init(inMemory: Bool = false) throws {
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
    path = parent.appending(path: "storage-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }
  func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }

  /// Copies the state as a crash at this moment would leave it.
  func copyState(to other: Folder) throws {
    for name in ["state.db", "state.db-wal", "state.db.backup"] where exists(name) {
      try other.write(bytes(name), to: name)
    }
  }

  func open(now: Int64 = 1_700_000_000_000_000_000) throws(StorageError) -> (
    StateDatabase, WholeState, OpeningReport
  ) {
    try StateDatabase.open(directory: path, now: now)
  }
}

/// All that a database holds but for the hourly uses and the daily hits of earlier days.
@dynamicMemberLookup
struct WholeState {
  private let state: StoredState
  /// In the order in which they were first stored, without their adaptive parts.
  let actions: [ActionRow]
  /// What the adaptive ranking keeps of each of them, in the same order.
  let adaptive: [AdaptiveState?]

  init(_ state: StoredState, _ actions: [ActionRow] = []) {
    self.state = state
    self.actions = actions.map { ActionRow(app: $0.app, action: $0.action, values: $0.values.withoutAdaptive) }
    adaptive = actions.map(\.values.adaptive)
  }

  subscript<Value>(dynamicMember member: KeyPath<StoredState, Value>) -> Value { state[keyPath: member] }
}

extension ActionValues {
  fileprivate var withoutAdaptive: ActionValues {
    var values = self
    values.adaptive = nil
    return values
  }
}

/// Keeps what is received.
final class StateCollector: StateReceiver {
  private var received: (state: StoredState, actions: [(number: Int64, row: ActionRow)])?
  /// How often a state began.
  private(set) var beginnings = 0
  /// How many signs of progress came.
  private(set) var signs = 0
  /// How many actions were announced one by one.
  private(set) var expected = 0

  func begin(_ state: StoredState, actionCount: Int) {
    received = (state, [])
    beginnings += 1
  }

  func expect(_ action: UnsafeRawBufferPointer) { expected += 1 }

  func receive(_ action: StoredAction) {
    unsafe received?.actions.append(
      (action.number, ActionRow(app: Array(action.app), action: Array(action.action), values: action.values)))
  }

  func progress() { signs += 1 }

  var whole: WholeState {
    guard let (state, actions) = received else { preconditionFailure("nothing was received") }
    return WholeState(state, actions.sorted { $0.number < $1.number }.map(\.row))
  }
}

extension StateDatabase {
  /// Opens the state in a folder, and collects all that is stored.
  static func open(
    directory: String, now: Int64
  ) throws(StorageError) -> (StateDatabase, WholeState, OpeningReport) {
    let collector = StateCollector()
    let (database, report) = try open(directory: directory, now: now, receiver: collector)
    return (database, collector.whole, report)
  }
}

/// What a run of a program came to.
struct Finished {
  var status: Int32
  var output: String
}

/// Runs a program to its end.
@discardableResult
func run(_ arguments: [String], input: String = "") throws -> Finished {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  let (output, stdin) = (Pipe(), Pipe())
  process.standardOutput = output
  process.standardError = output
  process.standardInput = stdin
  try process.run()
  stdin.fileHandleForWriting.write(Data(input.utf8))
  try stdin.fileHandleForWriting.close()
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return Finished(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
}

/// The sqlite3 tool on a folder's state, as a person would look.
func look(_ folder: Folder, _ sql: String, file: String = "state.db") throws -> String {
  let finished = try run(["sqlite3", "-readonly", "-batch", folder.path(file), sql])
  guard finished.status == 0 else { throw ToolFailure(output: finished.output) }
  return finished.output.trimmingCharacters(in: .whitespacesAndNewlines)
}

struct ToolFailure: Error { var output: String }

/// The names of the system that this is about, for tests that need root.
var isRoot: Bool { getuid() == 0 }

extension CommitBatch {
  /// A batch of the same moment in all tests: hour 500,000 is in January 2027.
  static func sample(_ actions: [ActionRow] = []) -> CommitBatch {
    var batch = CommitBatch(clock: .sample, halfLife: 604_800_000_000_000, nowHour: 500_000)
    batch.actions = actions
    return batch
  }
}

extension CommitBatch {
  /// The actions that change, without their adaptive parts.
  var actions: [ActionRow] {
    get {
      changes.states.map { ActionRow(app: $0.app, action: $0.action, values: $0.values.withoutAdaptive) }
    }
    set {
      let known = adaptive
      let rows = newValue.enumerated().map { place, row in
        var row = row
        row.adaptive = place < known.count ? known[place] : nil
        return row
      }
      change(rows, hourly)
    }
  }

  /// What the adaptive ranking keeps of them, in the same order; nil for those that are not given.
  var adaptive: [AdaptiveState?] {
    get { changes.values.map(\.adaptive) }
    set {
      var rows = actions
      for (place, adaptive) in newValue.enumerated() { rows[place].adaptive = adaptive }
      change(rows, hourly)
    }
  }

  /// Uses to add.
  var hourly: [HourlyRow] {
    get {
      changes.uses.map { use in
        let name = changes.names[use.place]
        return HourlyRow(app: name.app, action: name.action, hour: use.hour, uses: use.uses)
      }
    }
    set {
      let rows = zip(actions, adaptive).map { row, adaptive in
        var row = row
        row.adaptive = adaptive
        return row
      }
      change(rows, newValue)
    }
  }

  private mutating func change(_ rows: [ActionRow], _ hours: [HourlyRow]) {
    changes = ActionChanges()
    // No action was used later than events were counted.
    arrivals = rows.reduce(arrivals) { max($0, $1.lastArrival) }
    var places: [[[UInt8]]: Int] = [:]
    for row in rows {
      let place = changes.name(app: row.app, action: row.action)
      places[[row.app, row.action]] = place
      changes.set(place, row.values)
    }
    for hour in hours {
      let place = places[[hour.app, hour.action]] ?? changes.name(app: hour.app, action: hour.action)
      places[[hour.app, hour.action]] = place
      changes.add(hour.uses, to: place, hour: hour.hour)
    }
  }
}

extension ClockMark {
  static let sample = ClockMark(
    bootID: "8b7f3a52-0000-4000-8000-1234567890ab", reading: ClockReading(boot: 5_000, wall: 1_800_000_000_000_000_000),
    decay: 77_000_000_000, unsureSince: nil)
}

extension ActionRow {
  static func sample(_ name: String, app: String = "com.example.mail", uses: UInt64 = 1) -> ActionRow {
    ActionRow(
      app: Array(app.utf8), action: Array(name.utf8),
      score: DecayedCount(value: Double(uses) * 1.25, landmark: 3), uses: uses, firstUsed: 1_790_000_000_000_000_000,
      lastUse: Moment(decay: 70_000_000_000, wall: 1_799_999_000_000_000_000), lastArrival: uses)
  }
}

extension WholeState {
  /// Uses by action.
  var usesByAction: [[UInt8]: UInt64] {
    Dictionary(actions.map { ($0.app + [0] + $0.action, $0.uses) }) { first, _ in first }
  }
}

extension StateDatabase {
  /// Stores a batch as if its sync had failed: the owner knows of nothing, and the connection is opened anew.
  func commitUnacknowledged(_ batch: CommitBatch) throws(StorageError) {
    _ = try attempt(batch)
    dropSession()
  }
}

extension StateDatabase {
  /// The same of what has come in.
  func storeUnacknowledged(_ input: InputBatch) throws(StorageError) {
    _ = try attempt(input)
    dropSession()
  }
}

extension HourlyRow {
  static func sample(_ name: String, app: String = "com.example.mail", hour: Int64, uses: UInt64 = 1) -> HourlyRow {
    HourlyRow(app: Array(app.utf8), action: Array(name.utf8), hour: hour, uses: uses)
  }
}

extension AdaptiveState {
  static func sample(step: UInt32 = 1) -> AdaptiveState {
    AdaptiveState(
      counters: SIMD8(0.5, 1, 2.25, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 1e-9, Float(step)),
      step: step, lists: UInt16(truncatingIfNeeded: step &* 7_919), place: UInt8(truncatingIfNeeded: step))
  }
}

extension AppRow {
  static func sample(_ app: [UInt8], state: [UInt8] = [1, 0, 2], trials: UInt64 = 8) -> AppRow {
    AppRow(app: app, state: state, trials: trials, hits: trials / 2, changes: 3, hitRate: trials % 5 == 0 ? nil : 0.375)
  }
}

extension StateEdit {
  static func forget(_ name: String, app: String = "com.example.mail") -> StateEdit {
    .forgetAction(app: Array(app.utf8), action: Array(name.utf8))
  }

  static func move(_ name: String, from: String = "com.example.mail", to: String) -> StateEdit {
    .moveAction(action: Array(name.utf8), from: Array(from.utf8), to: Array(to.utf8))
  }
}

/// A process that reads a state in one transaction, until it is told to end.
final class Reader {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  init(_ folder: Folder) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-readonly", "-batch", folder.path("state.db")]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    ask("BEGIN; SELECT count(*) FROM actions;")
  }

  /// Runs a query that gives something.
  @discardableResult
  func ask(_ sql: String) -> String {
    input.fileHandleForWriting.write(Data((sql + "\n").utf8))
    return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// A file of the repository.
func repositoryFile(_ path: String, from here: String = #filePath) throws -> String {
  let root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}
