import Ranking
import Settings
import Systemd
import Testing
import Wire

@testable import Service
@testable import Storage

struct CommitterTests {
  /// A committer whose database is a list.
  final class Bench {
    let fixture = Fixture()
    let loop: EventLoop
    private(set) var committer: Committer!
    /// What a commit that begins now contains; its syncs are taken by it.
    var contents = Committer.Contents(
      logPosition: LogPosition(log: 7, offset: 0), connections: ConnectionChanges(all: []), lastConnection: 0,
      maxLineBytes: 4096,
      generation: 0, syncs: [])
    private(set) var batches: [CommitBatch] = []
    /// What was stored as it came in.
    private(set) var inputs: [InputBatch] = []
    /// Whether there is an intake log.
    var keepsLog = true
    private(set) var committed: [Committer.Contents] = []
    /// For each commit, what of it may not be kept elsewhere.
    private(set) var traces: [Committer.Traces] = []
    private(set) var unsafeSyncs: [(seqs: [Int64?], reason: String)] = []
    private(set) var finished = 0
    /// What happens when a commit is sent.
    var onSend: () -> Void = {}

    static let interval: Int64 = 30_000_000

    init(work: SlicedWork = .atOnce, largeCommit: Int = Settings().largeCommit) throws {
      loop = try EventLoop()
      var policy = Committer.Policy(Settings())
      policy.interval = Self.interval
      policy.largeCommit = largeCommit
      committer = try Committer(
        registry: fixture.registry, policy: policy, loop: loop, work: work, log: fixture.log,
        contents: { [unowned self] kind in
          defer { contents.syncs = [] }
          var taken = contents
          if kind == .input { taken.connections = nil }
          return taken
        },
        input: { [unowned self] start in
          guard keepsLog, start.log == contents.logPosition.log else { return nil }
          // Nobody reads them.
          let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: 64), count: Int(contents.logPosition.offset - start.offset))
          return InputBatch(start: start, ringSize: 1 << 20, parts: [bytes])
        },
        send: { [unowned self] in
          switch $0 {
          case .commit(let batch): batches.append(batch)
          case .storeInput(let input): inputs.append(input)
          default: Issue.record("a committer sends nothing else")
          }
          onSend()
        },
        onCommit: { [unowned self] in
          committed.append($0)
          traces.append($1)
        },
        onUnsafe: { [unowned self] in unsafeSyncs.append(($0.map(\.sync.seq), $1)) })
      committer.onFinished = { [unowned self] in finished += 1 }
    }

    /// A commit and its success: what the committer holds at first is stored once in any case.
    func settle() {
      committer.begin()
      committer.finished(nil)
    }

    func ask(_ seq: Int64) {
      let now = fixture.ledger.now().decay
      contents.syncs.append((1, PendingSync(seq: seq, counts: LineCounts(), askedAt: now)))
    }

    func fail(_ message: String = "no room") {
      committer.finished(StorageError("store the state", systemCode: 28, message: message))
    }

    /// Runs the loop until it is told to end, for so many nanoseconds at most.
    func run(for time: Int64) throws {
      let end = try loop.timer(accuracy: 1_000_000) { [loop] in loop.exit() }
      end.fire(after: time)
      try loop.run()
    }
  }

  /// All uses that a batch adds to the hours.
  private func hourlyUses(_ batch: CommitBatch?) -> UInt64 { batch?.changes.addedUses ?? 0 }

  @Test("changes within an interval are one commit, after it")
  func planned() throws {
    let bench = try Bench()
    bench.onSend = { bench.loop.exit() }
    for index in 0..<5 {
      bench.fixture.use("a.\(index)")
      bench.committer.noteChange()
    }
    #expect(bench.batches.isEmpty)
    let start = Fixture.now
    try bench.run(for: 20 * Fixture.second)
    #expect(Fixture.now - start >= Bench.interval)
    #expect(bench.batches.count == 1)
    #expect(bench.batches.first?.actions.count == 5)
  }

  @Test("an interval in which nothing has changed sends nothing")
  func unchanged() throws {
    let bench = try Bench()
    bench.settle()
    #expect(bench.batches.count == 1)
    bench.committer.noteChange()
    try bench.run(for: 3 * Bench.interval)
    #expect(bench.batches.count == 1)
    #expect(bench.fixture.ledger.counters.commits == 1)
  }

  @Test("uses, the log's end, a generation, a refusal and a sync are each worth a commit")
  func changes() throws {
    let bench = try Bench()
    bench.settle()
    let changes: [() -> Void] = [
      { bench.fixture.use("a.b") }, { bench.contents.logPosition.offset += 8 }, { bench.contents.generation += 1 },
      { bench.fixture.feed("bad n=0\n", to: bench.fixture.session()) }, { bench.ask(1) },
    ]
    for (index, change) in changes.enumerated() {
      change()
      bench.settle()
      #expect(bench.batches.count == index + 2)
      bench.committer.begin()
      #expect(bench.batches.count == index + 2)
    }
    #expect(bench.batches.last?.totals.first { $0.name == "generation" }?.value == 1)
    #expect(bench.batches.last?.logPosition == LogPosition(log: 7, offset: 8))
  }

  @Test("one commit is under way at a time, and what comes meanwhile is in the one that follows at once")
  func oneInFlight() throws {
    let bench = try Bench()
    bench.fixture.use("a.b")
    bench.committer.begin()
    bench.fixture.use("a.c", times: 2)
    bench.committer.begin()
    bench.committer.begin()
    #expect(bench.batches.count == 1)
    #expect(bench.batches.first?.actions.map(\.action) == [Array("a.b".utf8)])
    bench.committer.finished(nil)
    #expect(bench.batches.count == 2)
    // The other one has another place now.
    #expect(bench.batches.last?.actions.first?.action == Array("a.c".utf8))
    #expect(hourlyUses(bench.batches.last) == 2)
    bench.committer.finished(nil)
    #expect(bench.batches.count == 2)
    #expect(bench.fixture.ledger.counters.commits == 2)
  }

  @Test("a large commit is copied in slices, and contains what there was when it began")
  func slices() throws {
    var clock: Int64 = 0
    let work = SlicedWork {
      clock += SlicedWork.slice / 2
      return clock
    }
    let bench = try Bench(work: work)
    let count = 3000
    for index in 0..<count { bench.fixture.use("a.\(index)") }
    bench.contents.logPosition.offset = 8
    bench.ask(1)
    bench.committer.begin()
    var slices = 1
    while bench.batches.isEmpty {
      for index in 0..<count where index % 7 == slices { bench.fixture.use("a.\(index)", times: 5) }
      bench.contents.logPosition.offset = 16
      bench.committer.begin()
      slices += 1
      work.resume()
    }
    #expect(slices > 3)
    let batch = try #require(bench.batches.first)
    #expect(batch.actions.count == count && batch.actions.allSatisfy { $0.uses == 1 })
    #expect(hourlyUses(batch) == UInt64(count) && batch.logPosition?.offset == 8 && batch.arrivals == UInt64(count))
    bench.committer.finished(nil)
    #expect(bench.committed.map { $0.syncs.map(\.sync.seq) } == [[1]])
    while bench.batches.count == 1 { work.resume() }
    let next = try #require(bench.batches.last)
    let used = next.actions.filter { $0.uses == 6 }
    #expect(used.count > count / 3 && hourlyUses(next) == 5 * UInt64(used.count) && next.logPosition?.offset == 16)
    // Others have lost their places to these.
    #expect(next.actions.count - used.count <= 2 * 4 && next.actions.allSatisfy { $0.uses == 6 || $0.uses == 1 })
  }

  @Test("who has to know what the database has can have the commit that is being copied sent at once")
  func sendsDraft() throws {
    var clock: Int64 = 0
    let slow = SlicedWork {
      clock += SlicedWork.slice
      return clock
    }
    let bench = try Bench(work: slow)
    for index in 0..<3000 { bench.fixture.use("a.\(index)") }
    bench.committer.begin()
    #expect(bench.batches.isEmpty)
    bench.committer.sendDraft()
    #expect(bench.batches.map(\.actions.count) == [3000])
    slow.resume()
    bench.committer.sendDraft()
    #expect(bench.batches.count == 1)
  }

  @Test("what could not be stored is in the next commit, whole, with what has come since")
  func givenBack() throws {
    let bench = try Bench()
    bench.fixture.feed("a.b n=3 id=x\na.c n=2\n", to: bench.fixture.session())
    bench.contents.logPosition.offset = 100
    bench.committer.begin()
    bench.fixture.feed("a.b n=4 id=y\n", to: bench.fixture.session())
    bench.fail()
    #expect(bench.committed.isEmpty)
    bench.committer.begin()
    let batch = try #require(bench.batches.last)
    #expect(bench.batches.count == 2)
    #expect(
      Dictionary(uniqueKeysWithValues: batch.actions.map { ($0.action, $0.uses) }) == [
        Array("a.b".utf8): 7, Array("a.c".utf8): 2,
      ])
    #expect(hourlyUses(batch) == 9)
    #expect(batch.newIDs.count == 2)
    #expect(batch.newIDs.first == bench.batches.first?.newIDs.first)
    #expect(batch.totals.first { $0.name == "commitFailures" }?.value == 1)
    bench.committer.finished(nil)
    #expect(bench.committed.map(\.logPosition.offset) == [100])
    bench.committer.begin()
    #expect(bench.batches.count == 2)
  }

  @Test("uses whose commit fails stay with their action, though that became one with another meanwhile")
  func mergedMeanwhile() throws {
    let bench = try Bench()
    let now = bench.fixture.ledger.now()
    bench.fixture.feed("a.b.x n=3\na.b.x app=a n=4\n", to: bench.fixture.session())
    bench.committer.begin()
    let moved = bench.fixture.ledger.ranking.setOwningApps([Array("a".utf8)], at: now.decay)
    #expect(moved.count == 1)
    bench.fail()
    bench.committer.begin()
    #expect(bench.batches.last?.actions.map(\.uses) == [7] && hourlyUses(bench.batches.last) == 7)
  }

  @Test("after a failure the next interval tries again by itself")
  func triesAgain() throws {
    let bench = try Bench()
    bench.committer.begin()
    bench.fail()
    bench.onSend = { bench.loop.exit() }
    try bench.run(for: 20 * Fixture.second)
    #expect(bench.batches.count == 2)
  }

  @Test("a failure is said once and its end once, and what is wrong is known with the time since when")
  func messages() throws {
    let bench = try Bench()
    let start = bench.fixture.ledger.now()
    for reason in ["no room", "no room", "another reason"] {
      bench.committer.begin()
      bench.fail(reason)
      bench.fixture.clocks.advance(by: Fixture.second)
    }
    #expect(bench.fixture.logLines.count == 1)
    #expect(
      bench.fixture.logLines.first?.contains("the state can't be stored: cannot store the state: no room") == true)
    #expect(bench.committer.failure?.error.message == "another reason")
    #expect(bench.committer.failure?.since == start)
    bench.settle()
    #expect(bench.committer.failure == nil)
    bench.fixture.use("a.b")
    bench.settle()
    #expect(bench.fixture.logLines.count == 2)
    #expect(bench.fixture.logLines.last?.contains("the state is stored again") == true)
    #expect(bench.fixture.ledger.counters.commitFailures == 3)
    #expect(bench.fixture.ledger.counters.commits == 2)
  }

  @Test("syncs are answered after the commit that contains what came before them, not after the one under way")
  func syncs() throws {
    let bench = try Bench()
    bench.ask(1)
    bench.committer.begin()
    bench.ask(2)
    bench.committer.begin()
    #expect(bench.committed.isEmpty)
    bench.committer.finished(nil)
    #expect(bench.committed.map { $0.syncs.map(\.sync.seq) } == [[1]])
    bench.committer.finished(nil)
    #expect(bench.committed.map { $0.syncs.map(\.sync.seq) } == [[1], [2]])
    #expect(bench.unsafeSyncs.isEmpty)
  }

  @Test("syncs whose commit has failed are told so, with the reason, and not again")
  func unsafeSyncs() throws {
    let bench = try Bench()
    bench.ask(1)
    bench.ask(2)
    bench.committer.begin()
    bench.ask(3)
    bench.fail()
    #expect(bench.unsafeSyncs.map(\.seqs) == [[1, 2]])
    #expect(bench.unsafeSyncs.map(\.reason) == ["cannot store the state: no room"])
    bench.settle()
    #expect(bench.committed.map { $0.syncs.map(\.sync.seq) } == [[3]])
  }

  @Test("syncs that have waited too long are taken away from the commit under way, the others stay with it")
  func lateSyncs() throws {
    let bench = try Bench()
    #expect(bench.committer.firstSyncAskedAt == nil)
    #expect(bench.committer.takeSyncs(askedUntil: .max).isEmpty)
    let start = bench.fixture.ledger.now().decay
    bench.ask(1)
    bench.fixture.clocks.advance(by: Fixture.second)
    bench.ask(2)
    bench.committer.begin()
    #expect(bench.committer.firstSyncAskedAt == start)
    #expect(bench.committer.takeSyncs(askedUntil: start).map(\.sync.seq) == [1])
    #expect(bench.committer.firstSyncAskedAt == start + Fixture.second)
    bench.committer.finished(nil)
    #expect(bench.committed.map { $0.syncs.map(\.sync.seq) } == [[2]])
  }

  @Test("the last commit takes what came while one was under way, and its end is told once", arguments: [true, false])
  func finishes(succeeds: Bool) throws {
    let bench = try Bench()
    bench.fixture.use("a.b")
    bench.committer.begin()
    bench.fixture.use("a.c")
    bench.committer.finishAll()
    #expect(bench.finished == 0 && bench.batches.count == 1)
    bench.committer.finished(nil)
    #expect(bench.finished == 0 && bench.batches.count == 2)
    if succeeds { bench.committer.finished(nil) } else { bench.fail() }
    #expect(bench.finished == 1)
    #expect((bench.committer.failure == nil) == succeeds)
    // No timer is left that would begin another one.
    try bench.run(for: 3 * Bench.interval)
    #expect(bench.batches.count == 2 && bench.finished == 1)
  }

  @Test("with nothing to store the last commit is over at once")
  func finishesAtOnce() throws {
    let bench = try Bench()
    bench.settle()
    bench.committer.finishAll()
    #expect(bench.finished == 1 && bench.batches.count == 1)
  }

  @Test("a report that nobody waits for changes nothing")
  func strayReport() throws {
    let bench = try Bench()
    bench.committer.finished(nil)
    bench.fail()
    #expect(bench.committed.isEmpty && bench.committer.failure == nil && bench.fixture.logLines.isEmpty)
    #expect(bench.fixture.ledger.counters.commits == 0)
  }
}
