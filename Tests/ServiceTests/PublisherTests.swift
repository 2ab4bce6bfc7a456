import Posix
import Ranking
import Snapshots
import Synchronization
import Testing
import Wire

@testable import Service

struct PublisherTests {
  /// A publisher whose disk is a list.
  private final class Bench {
    let fixture: Fixture
    private(set) var work: SlicedWork!
    private(set) var publisher: Publisher!
    /// The names in each batch, `top` for the list over all apps.
    private(set) var batches: [[String]] = []
    /// The names in each batch of files that go.
    private(set) var removed: [[String]] = []
    private(set) var files: [SnapshotFiles] = []
    private(set) var modes: [FileMode] = []
    private(set) var rounds = 0
    /// Whether batches wait for ``answer()``.
    var waits = false
    /// What the disk says to each snapshot of the next batches.
    var failure: SystemError?

    /// What `publisher` plans by: it goes on with each look.
    private(set) var clock: Int64 = 0
    private(set) var pauses = 0

    /// - Parameter tick: how long each step takes; 0 for all at once.
    init(limit: Int = 4, tick: Int64 = 0) {
      fixture = Fixture(limit: limit)
      work = SlicedWork { [unowned self] in
        clock += tick
        return clock
      }
      publisher = Publisher(
        registry: fixture.registry, mode: 0o640, work: work, log: fixture.log, clock: { [unowned self] in clock }
      ) { [unowned self] job in take(job) }
      work.pause = { [unowned self] _ in pauses += 1 }
      publisher.onRoundEnd = { [unowned self] in rounds += 1 }
    }

    private func take(_ job: DiskThread.Job) {
      switch job {
      case .write(let files, let mode):
        batches.append(files.map { $0.name?.base ?? "top" })
        self.files = files
        modes.append(mode)
        if !waits { answer() }
      case .remove(let names):
        removed.append(names.map(\.base))
        if !waits { publisher.removed(failure) }
      default: break
      }
    }

    func answer() { publisher.finished([SystemError?](repeating: failure, count: batches.last?.count ?? 0)) }

    /// Runs a round and tells what was written.
    func round() -> [[String]] {
      batches = []
      publisher.startRound()
      return batches
    }

    func text(_ name: String) -> String {
      files.first { ($0.name?.base ?? "top") == name }.map { String(decoding: $0.json, as: UTF8.self) } ?? ""
    }
  }

  @Test("the first round writes the list over all apps though it is empty, and the next writes nothing")
  func first() {
    let bench = Bench()
    #expect(bench.publisher.generation == 0)
    #expect(bench.round() == [["top"]])
    #expect(bench.publisher.generation == 1)
    #expect(bench.text("top").contains("\"generation\": 1"))
    #expect(bench.round() == [])
    #expect(bench.publisher.generation == 1)
    #expect(bench.rounds == 2)
    #expect(bench.publisher.isIdle)
    #expect(bench.fixture.ledger.counters.snapshotsWritten == 1)
  }

  @Test("files of an earlier process that say what they should are not written, until they change or fade")
  func adopted() {
    let bench = Bench()
    for app in ["a", "b", "c"] { bench.fixture.use("\(app).x", times: 1000) }
    let asked = Mutex<[String]>([])
    bench.publisher.adopt { files in
      asked.withLock { $0.append(files.name?.base ?? "top") }
      // One has lost half a percent, one says something else, or too much.
      let name = files.name?.base ?? "top"
      let loss = ["top": 0, "a": 0.005, "b": nil, "c": 0.01][name] ?? nil
      return PublishedBefore(loss: loss, generation: name == "b" ? 70 : 7)
    }
    #expect(bench.publisher.generation == 70)
    #expect(asked.withLock { $0 }.sorted() == ["a", "b", "c", "top"])
    #expect(Set(bench.round().joined()) == ["b", "c"])
    #expect(bench.round() == [])
    // Half-life 100 h: another half percent is lost after 0.72 h.
    bench.fixture.clocks.advance(by: Fixture.hour * 71 / 100)
    #expect(bench.round() == [])
    bench.fixture.clocks.advance(by: Fixture.hour * 3 / 100)
    #expect(bench.round() == [["a"]])
    bench.fixture.use("b.x")
    #expect(Set(bench.round().joined()) == ["top", "b"])
  }

  @Test("only the apps that have changed are written")
  func changed() {
    let bench = Bench()
    bench.fixture.use("a.x", times: 10)
    bench.fixture.use("b.x", times: 20)
    #expect(Set(bench.round().joined()) == ["top", "a", "b"])
    #expect(bench.round() == [])
    bench.fixture.use("b.x")
    #expect(bench.round() == [["top", "b"]])
    #expect(bench.text("b").contains("\"uses\": 21"))
    #expect(bench.publisher.generation == 2)
  }

  @Test("the list over all apps is left alone where a change does not reach it")
  func topUnchanged() {
    let bench = Bench(limit: 1)
    bench.fixture.use("a.x", times: 10)
    #expect(bench.round() == [["top", "a"]])
    bench.fixture.use("b.x")
    #expect(bench.round() == [["b"]])
  }

  @Test("an action that is not among an app's best leaves its file alone")
  func notAmongBest() {
    let bench = Bench(limit: 1)
    bench.fixture.use("a.x", times: 10)
    _ = bench.round()
    bench.fixture.use("a.y")
    #expect(bench.round() == [])
  }

  @Test("scores that have lost over one percent are written anew, and not before")
  func faded() {
    let bench = Bench()
    bench.fixture.use("a.x", times: 1000)
    _ = bench.round()
    // Half-life 100 h: one percent is lost after 1.45 h.
    bench.fixture.clocks.advance(by: Fixture.hour * 144 / 100)
    #expect(bench.round() == [])
    bench.fixture.clocks.advance(by: Fixture.hour * 2 / 100)
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.text("a").contains("\"score\": 989.9"))
    #expect(bench.round() == [])
  }

  @Test("scores that have faded to nothing are written no more")
  func fadedAway() {
    let bench = Bench()
    bench.fixture.use("a.x")
    _ = bench.round()
    bench.fixture.clocks.advance(by: 100 * Fixture.hour * 2000)
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.text("a").contains("\"score\": 0"))
    bench.fixture.clocks.advance(by: 100 * Fixture.hour * 2000)
    #expect(bench.round() == [])
  }

  @Test("what could not be written is due again, said once, and that it works again is said once")
  func failed() throws {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.failure = SystemError("write", "/snapshots/top.json", code: 28)
    #expect(bench.round() == [["top", "a"]])
    let since = bench.fixture.ledger.now()
    #expect(bench.fixture.ledger.counters.snapshotFailures == 2)
    #expect(bench.fixture.logLines.count == 1)
    #expect(bench.fixture.logLines.last?.contains("cannot write /snapshots/top.json: No space left on device") == true)
    bench.fixture.clocks.advance(by: Fixture.second)
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.fixture.logLines.count == 1)
    #expect(bench.publisher.failure?.since == since)
    bench.failure = nil
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.fixture.logLines.count == 2)
    #expect(bench.fixture.logLines.last == "quickactionsd: snapshots are written again\n")
    #expect(bench.publisher.failure == nil)
    #expect(bench.round() == [])
    #expect(bench.fixture.logLines.count == 2)
  }

  @Test("a round without anything to write does not prove that writing works again")
  func stillFailing() {
    let bench = Bench()
    _ = bench.round()
    bench.fixture.use("a.x")
    bench.failure = SystemError("write", code: 28)
    _ = bench.round()
    #expect(bench.publisher.failure != nil)
    bench.waits = true
    bench.publisher.startRound()
    #expect(bench.publisher.failure != nil)
    bench.answer()
    #expect(bench.publisher.failure != nil)
  }

  @Test("one file that fails is due again by itself")
  func oneFailed() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.fixture.use("b.x")
    bench.waits = true
    let names = bench.round().first ?? []
    #expect(names.count == 3)
    bench.publisher.finished(names.map { $0 == "a" ? SystemError("write", code: 28) : nil })
    #expect(bench.fixture.ledger.counters.snapshotsWritten == 2)
    bench.waits = false
    #expect(bench.round() == [["a"]])
    #expect(bench.publisher.failure == nil)
  }

  @Test("rounds that begin during a round add what has changed in between to it, and are over together")
  func another() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.waits = true
    bench.publisher.startRound()
    #expect(!bench.publisher.isIdle)
    bench.fixture.use("b.x")
    bench.publisher.startRound()
    bench.publisher.startRound()
    #expect(bench.batches == [["top", "a"]])
    #expect(bench.rounds == 0)
    bench.answer()
    #expect(bench.batches == [["top", "a"], ["top", "b"]])
    #expect(bench.rounds == 1 && !bench.publisher.isIdle)
    bench.answer()
    #expect(bench.rounds == 2)
    #expect(bench.publisher.isIdle)
    #expect(bench.publisher.generation == 2)
  }

  @Test("a use that comes while its file is on the way is written in the next round")
  func usedMeanwhile() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.waits = true
    bench.publisher.startRound()
    bench.fixture.use("a.x")
    bench.answer()
    bench.waits = false
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.text("a").contains("\"uses\": 2"))
  }

  @Test("a round goes out in batches, one at a time, all of one generation and moment")
  func batches() {
    let bench = Bench()
    bench.publisher.batchSize = 64
    for app in 0..<150 { bench.fixture.use("app\(app).x") }
    bench.waits = true
    bench.publisher.startRound()
    let moment = bench.text("top").split(separator: "\n").first { $0.contains("computedAt") }
    #expect(moment != nil)
    for batch in 1...3 {
      #expect(bench.batches.count == batch)
      #expect(
        bench.files.allSatisfy { file in
          let text = String(decoding: file.json, as: UTF8.self)
          return text.contains("\"generation\": 1,") && text.contains(moment ?? "?")
        })
      bench.fixture.clocks.advance(by: Fixture.second)
      bench.answer()
    }
    #expect(bench.batches.map(\.count) == [64, 64, 23])
    #expect(Set(bench.batches.joined()).count == 151)
    #expect(bench.rounds == 1)
  }

  @Test("a round of many apps is done in slices, and what is used in between is in files that are rendered later")
  func slices() {
    let bench = Bench(tick: SlicedWork.slice / 10)
    for app in 0..<200 { bench.fixture.use("app\(app).x") }
    bench.publisher.startRound(plannedFor: -1000)
    var (slices, uses) = (1, 1)
    while bench.rounds == 0 {
      #expect(bench.pauses == slices)
      if bench.batches.isEmpty {
        // Whatever became due first is rendered first.
        for app in ["app0", "app199"] { bench.fixture.use(app + ".x") }
        uses += 1
      }
      slices += 1
      bench.work.resume()
    }
    #expect(uses > 15 && slices > 30 && bench.batches.map(\.count) == [201])
    #expect(bench.text("app199").contains("\"uses\": \(uses),") && bench.text("app0").contains("\"uses\": 1,"))
    #expect(bench.publisher.delays.start.count == 1)
    #expect((1000..<20 * SlicedWork.slice / 10).contains(bench.publisher.delays.start.longest))
    #expect(bench.publisher.delays.end.longest >= 200 * SlicedWork.slice / 10)
  }

  @Test("what is planned while a round goes on begins all the same, and is over once all that was due then is written")
  func lateness() {
    let bench = Bench()
    bench.publisher.batchSize = 64
    for app in 0..<100 { bench.fixture.use("app\(app).x") }
    bench.waits = true
    bench.publisher.startRound(plannedFor: 0)
    let first = bench.fixture.ledger.now().decay
    bench.fixture.clocks.advance(by: Fixture.second)
    let written = bench.batches[0][1...].map { $0 + ".x" }
    for action in written.prefix(40) { bench.fixture.use(action) }
    for time in [Int64(-5), -9] { bench.publisher.startRound(plannedFor: time) }
    #expect(bench.publisher.delays.start.count == 3 && bench.publisher.delays.start.longest == 9)
    #expect(bench.batches.map(\.count) == [64] && bench.publisher.delays.end.count == 0)
    bench.answer()
    // The list over all apps comes next, then what has waited from the beginning, then what has changed since.
    #expect(bench.batches.map(\.count) == [64, 64] && bench.batches[1].first == "top")
    #expect(bench.batches[1][1...37].allSatisfy { !bench.batches[0].contains($0) })
    #expect(bench.rounds == 0)
    bench.answer()
    #expect(bench.publisher.delays.end.count == 1 && bench.rounds == 1 && bench.publisher.publishedAsOf == first)
    #expect(bench.batches.map(\.count) == [64, 64, 14])
    bench.answer()
    #expect(bench.publisher.delays.end.count == 3 && bench.rounds == 2 && bench.publisher.isIdle)
    #expect(bench.publisher.publishedAsOf == first + Fixture.second)
  }

  @Test("a round that begins while a batch is rendered sends it as it is, so that no file is in it twice")
  func closedBatch() {
    let bench = Bench(tick: SlicedWork.slice / 10)
    for app in 0..<30 { bench.fixture.use("app\(app).x") }
    bench.publisher.startRound()
    #expect(bench.batches == [])
    bench.fixture.use("app0.x")
    bench.publisher.rewriteAll(mode: 0o600)
    bench.publisher.startRound()
    while bench.rounds == 0 { bench.work.resume() }
    while !bench.publisher.isIdle { bench.work.resume() }
    #expect(bench.batches.count == 2 && bench.batches.allSatisfy { Set($0).count == $0.count })
    #expect(bench.batches[0].count < 31 && bench.batches[1].count == 31)
    #expect(bench.text("app0").contains("\"uses\": 2,"))
  }

  @Test("what fails ends the rounds that had begun by then; one that has begun since tries again at once")
  func failsAmongRounds() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.waits = true
    bench.failure = SystemError("write", code: 28)
    bench.publisher.startRound()
    bench.publisher.startRound()
    bench.answer()
    #expect(bench.batches == [["top", "a"], ["top", "a"]] && bench.rounds == 1)
    bench.answer()
    #expect(bench.batches.count == 2 && bench.rounds == 2 && bench.publisher.isIdle)
    #expect(bench.publisher.publishedAsOf == .min && bench.publisher.failure != nil)
  }

  @Test("after a failure the rest of the round waits for the next one, and nothing is forgotten")
  func failedBatch() {
    let bench = Bench()
    bench.publisher.batchSize = 64
    for app in 0..<150 { bench.fixture.use("app\(app).x") }
    bench.failure = SystemError("write", code: 28)
    #expect(bench.round().map(\.count) == [64])
    #expect(bench.rounds == 1)
    bench.failure = nil
    let batches = bench.round()
    #expect(batches.map(\.count) == [64, 64, 23])
    #expect(Set(batches.joined()).count == 151)
  }

  @Test("an app that is gone loses its files, and gets them anew when it is there again, also under its old number")
  func gone() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.fixture.use("b.x")
    _ = bench.round()
    let scope = ControlRequest.Scope.app(Array("a".utf8))
    _ = bench.fixture.registry.forget(scope)
    #expect(bench.round() == [["top"]])
    #expect(bench.removed == [["a"]])
    #expect(bench.fixture.ledger.counters.snapshotsRemoved == 1)
    #expect(bench.round() == [] && bench.removed.count == 1)
    // The number is free for another app.
    bench.fixture.ledger.ranking.recycleNumbers()
    bench.fixture.use("c.x")
    #expect(bench.round() == [["top", "c"]])
    bench.fixture.use("a.x")
    #expect(bench.round() == [["top", "a"]])
    // Gone and there again between two rounds.
    _ = bench.fixture.registry.forget(scope)
    bench.fixture.ledger.ranking.recycleNumbers()
    bench.fixture.use("a.x", times: 7)
    #expect(bench.round() == [["top", "a"]])
    #expect(bench.removed.count == 1 && bench.text("a").contains("\"uses\": 7"))
  }

  @Test("files that could not be removed are removed in the next round")
  func notRemoved() {
    let bench = Bench()
    bench.fixture.use("a.x")
    _ = bench.round()
    _ = bench.fixture.registry.forgetEverything()
    bench.failure = SystemError("remove", code: 5)
    #expect(bench.round() == [] && bench.publisher.failure != nil)
    bench.failure = nil
    #expect(bench.round() == [["top"]])
    #expect(bench.removed == [["a"], ["a"]] && bench.publisher.failure == nil)
  }

  @Test("a list that would say nothing new is not written, unless all are asked for")
  func nothingNew() throws {
    let bench = Bench()
    bench.fixture.use("a.x")
    let name = ControlRequest.ActionName(id: Array("a.x".utf8), app: nil)
    _ = bench.round()
    let now = bench.fixture.ledger.now()
    // Pinned, the only action stands where it stood.
    #expect(try bench.fixture.registry.setPinned(true, name, at: now))
    #expect(bench.round() == [])
    #expect(bench.fixture.registry.setEnabled(false, name, at: now))
    #expect(bench.round() == [["top", "a"]])
    bench.publisher.rewriteAll(mode: 0o640)
    #expect(bench.round() == [["top", "a"]])
  }

  @Test("subscribers hear of a list when it is written, and once, however often that had failed")
  func tellsSubscribers() throws {
    let bench = Bench()
    let subscriptions = Subscriptions()
    var lines: [String] = []
    bench.publisher.listChange = { subscriptions.change(to: $0) }
    bench.publisher.goneChange = { subscriptions.change(gone: $0, generation: 9, at: bench.fixture.ledger.now()) }
    bench.publisher.onLost = { subscriptions.takeBack($0) }
    bench.publisher.onChange = { lines.append(String(decoding: $0.line(missed: 0), as: UTF8.self)) }
    subscriptions.add(1) { [] }
    bench.fixture.use("a.x")
    bench.failure = SystemError("write", code: 28)
    _ = bench.round()
    _ = bench.round()
    #expect(lines == [])
    bench.failure = nil
    _ = bench.round()
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(#""entered":["a.x"],"left":[],"moved":[],"missed":0}}"#) })
    // Only numbers change.
    bench.fixture.use("a.x")
    _ = bench.round()
    #expect(lines.count == 2)
    bench.fixture.use("a.y", times: 9)
    _ = bench.round()
    #expect(lines.count == 4)
    #expect(lines.last?.contains(#""entered":["a.y"],"left":[],"moved":[]"#) == true)
    bench.fixture.use("a.x", times: 9)
    _ = bench.round()
    #expect(lines.count == 6)
    #expect(lines.last?.contains(#""entered":[],"left":[],"moved":["a.x","a.y"]"#) == true)
    _ = bench.fixture.registry.forgetEverything()
    _ = bench.round()
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"change":{"app":null,"#) || $0.hasPrefix(#"{"change":{"app":"a","#) })
    #expect(lines.suffix(2).allSatisfy { $0.contains(#""shortcuts":[],"entered":[],"left":["a.x","a.y"]"#) })
    subscriptions.remove(1)
    bench.fixture.use("a.z")
    _ = bench.round()
    #expect(lines.count == 8)
  }

  @Test("everything is written anew with another mode when that is asked for")
  func rewriteAll() {
    let bench = Bench()
    bench.fixture.use("a.x")
    bench.fixture.use("b.x")
    _ = bench.round()
    bench.publisher.rewriteAll(mode: 0o600)
    #expect(Set(bench.round().joined()) == ["top", "a", "b"])
    #expect(bench.modes == [0o640, 0o600])
    #expect(bench.publisher.generation == 2)
    #expect(bench.round() == [])
  }
}
