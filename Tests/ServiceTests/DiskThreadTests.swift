import Posix
import Ranking
import Snapshots
import Storage
import Systemd
import Testing

@testable import Service

struct DiskThreadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ app: String?) -> SnapshotFiles {
    SnapshotFiles(
      Snapshot(
        app: app.map { Array($0.utf8) }, generation: 1, computedAt: 0, limit: 4, shortcuts: [],
        method: ListMethod(kind: "fixed", halfLife: "7d")))
  }

  private func batch(generation: UInt64) -> CommitBatch {
    let mark = ClockMark(bootID: "boot", reading: ClockReading(boot: 1, wall: 1), decay: 1, unsureSince: nil)
    var batch = CommitBatch(clock: mark, halfLife: 1, nowHour: 0)
    batch.totals = [("generation", generation)]
    return batch
  }

  /// A thread over this folder, and what it has reported.
  private final class Bench {
    let loop: EventLoop
    private(set) var disk: DiskThread?
    private(set) var reports: [DiskThread.Report] = []
    /// Called after each report; the loop ends with ``DiskThread/Report/closed(_:)``.
    var onReport: (Int) -> Void = { _ in }

    init(_ folder: TemporaryFolder) throws {
      loop = try EventLoop()
      let database = try StateDatabase.open(collecting: folder.path).0
      let snapshots = SnapshotFolder(stateDirectory: folder.path)
      disk = try DiskThread(
        folder: snapshots, database: database, stateDirectory: folder.path, loop: loop
      ) { [unowned self] report in
        reports.append(report)
        onReport(reports.count)
        if case .closed = report { loop.exit() }
      }
    }

    func perform(_ job: DiskThread.Job) { disk?.perform(job) }

    /// What each report says, in a word.
    var words: [String] {
      reports.map { report in
        switch report {
        case .wrote(let outcomes): "wrote \(outcomes.map { $0 == nil ? "1" : "0" }.joined())"
        case .removed(let error): error == nil ? "removed" : "failed"
        case .queried: "queried"
        case .committed(let error, _): error == nil ? "committed" : "failed"
        case .backedUp(let error): error == nil ? "backed up" : "failed"
        case .closed(let error): error == nil ? "closed" : "failed"
        }
      }
    }
  }

  @Test("snapshots are written beside the loop, in order, and each job is reported to the loop's thread")
  func writes() throws {
    let bench = try Bench(folder)
    #expect(bench.disk?.busyTime(now: Clocks.boot()) == nil)
    bench.perform(.write([files(nil), files("com.example.a")], mode: 0o640))
    bench.perform(.write([files("com.example.b")], mode: 0o600))
    bench.perform(.close)
    try bench.loop.run()
    #expect(bench.words == ["wrote 11", "wrote 1", "closed"])
    #expect(try folder.text(of: "snapshots/top.json").contains("quickactions-snapshot/1"))
    #expect(try folder.text(of: "snapshots/apps/com.example.b.json").contains("com.example.b"))
    #expect(bench.disk?.busyTime(now: Clocks.boot()) == nil)
    #expect(bench.disk?.isMoving(now: .max, patience: 1) == true)
  }

  @Test("commits and backups take their turn among snapshots, and the end leaves one whole file of each")
  func commits() throws {
    let bench = try Bench(folder)
    bench.perform(.commit(batch(generation: 1)))
    bench.perform(.write([files(nil)], mode: 0o640))
    bench.perform(.commit(batch(generation: 2)))
    bench.perform(.backUp)
    bench.perform(.close)
    try bench.loop.run()
    #expect(bench.words == ["committed", "wrote 1", "committed", "backed up", "closed"])
    #expect(try folder.names() == ["snapshots", "state.db", "state.db.backup"])
    let stored = try StateDatabase.open(collecting: folder.path).1
    #expect(stored.totals.map(\.name) == ["generation"] && stored.totals.map(\.value) == [2])
  }

  @Test("what has come in is stored where the state ends, and reported like a commit")
  func storesInput() throws {
    let bench = try Bench(folder)
    let bytes: [UInt8] = [1, 2, 3, 4]
    let lasting = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 8)
    defer { lasting.deallocate() }
    lasting.copyBytes(from: bytes)
    func input(_ offset: UInt64) -> InputBatch {
      let part = UnsafeRawBufferPointer(lasting)
      return InputBatch(start: LogPosition(log: 7, offset: offset), ringSize: 4096, parts: [part])
    }
    var batch = batch(generation: 1)
    batch.logPosition = LogPosition(log: 7, offset: 16)
    bench.perform(.commit(batch))
    bench.perform(.storeInput(input(8)))
    bench.perform(.storeInput(input(16)))
    bench.perform(.storeInput(input(20)))
    bench.perform(.close)
    try bench.loop.run()
    #expect(bench.words == ["committed", "failed", "committed", "committed", "closed"])
    let stored = try StateDatabase.open(collecting: folder.path).1
    #expect(stored.pendingInput?.bytes == bytes + bytes && stored.logPosition == batch.logPosition)
  }

  @Test("what can't be written is reported with the reason, and the thread goes on")
  func fails() throws {
    try folder.write("in the way", to: "snapshots")
    let bench = try Bench(folder)
    bench.onReport = { [unowned bench, folder] count in
      guard count == 1 else { return }
      #expect((try? folder.text(of: "snapshots")) == "in the way")
      try? Directory(opening: folder.path).remove("snapshots")
      bench.perform(.write([files(nil)], mode: 0o640))
      bench.perform(.close)
    }
    bench.perform(.write([files(nil)], mode: 0o640))
    try bench.loop.run()
    guard case .wrote(let first)? = bench.reports.first else { fatalError("\(bench.words)") }
    #expect(first.first??.isNotAFolder == true)
    #expect(bench.words == ["wrote 0", "wrote 1", "closed"])
  }
}
