import Ranking
import Settings
import Systemd
import Testing
import Wire

@testable import Service
@testable import Storage

@Suite("A commit of very many actions")
struct FloodTests {
  private typealias Bench = CommitterTests.Bench

  /// A committer to which four actions are many, and that has stored what there was before.
  private func bench() throws -> Bench {
    let bench = try Bench(largeCommit: 4)
    bench.settle()
    #expect(bench.batches.count == 1 && bench.inputs.isEmpty)
    return bench
  }

  /// Uses of so many actions that come in by so many bytes.
  private func arrive(_ bench: Bench, actions: Int = 4, bytes: UInt64 = 200) {
    for index in 0..<actions { bench.fixture.use("a.\(index)") }
    bench.contents.logPosition.offset += bytes
  }

  @Test("stores what has come in, and syncs are answered by that; what it comes to follows once less comes in")
  func storesInput() throws {
    let bench = try bench()
    arrive(bench)
    bench.contents.generation = 9
    bench.ask(1)
    bench.committer.begin()
    #expect(bench.batches.count == 1)
    let input = try #require(bench.inputs.last)
    #expect(input.start == LogPosition(log: 7, offset: 0) && input.count == 200)
    #expect(input.totals.map(\.name) == ["generation"] && input.totals.map(\.value) == [9])
    #expect(bench.committer.holdsInput && bench.committed.count == 1)
    bench.committer.finished(nil)
    #expect(bench.committed.last?.syncs.map(\.sync.seq) == [1] && bench.committed.last?.connections == nil)
    #expect(bench.committed.last?.logPosition.offset == 200 && bench.fixture.ledger.counters.commits == 2)
    #expect(bench.committer.holdsInput)
    // What comes then begins where that has ended.
    arrive(bench, actions: 1, bytes: 40)
    bench.ask(2)
    bench.committer.begin()
    #expect(bench.inputs.last?.start.offset == 200 && bench.inputs.last?.count == 40)
    bench.committer.finished(nil)
    #expect(bench.committed.last?.syncs.map(\.sync.seq) == [2] && bench.batches.count == 1)
    // The first interval brought much, the next one nothing.
    bench.onSend = { if bench.batches.count == 2 { bench.loop.exit() } }
    try bench.run(for: 20 * Fixture.second)
    let batch = try #require(bench.batches.last)
    #expect(bench.batches.count == 2 && batch.actions.map(\.uses).sorted() == [1, 1, 1, 2])
    #expect(batch.changes.addedUses == 5 && batch.logPosition?.offset == 240)
    bench.committer.finished(nil)
    #expect(!bench.committer.holdsInput && bench.committed.last?.connections != nil)
    let inputs = bench.inputs.count
    bench.committer.begin()
    #expect(bench.batches.count == 2 && bench.inputs.count == inputs)
  }

  /// What keeps a commit from storing input.
  enum Reason: CaseIterable {
    case fewActions, manyBytes, noLog, anotherLog, refusedLine, blockedUse, unrecordedUse, change, settings, failure
    case remadeState, end
  }

  @Test(
    "stores the rows all the same where what has come in does not stand for them or may not be kept",
    arguments: Reason.allCases)
  func storesChanges(reason: Reason) throws {
    let bench = try bench()
    let session = bench.fixture.session(.control)
    if reason == .blockedUse {
      bench.fixture.feed(#"{"op":"block","action":"a.secret"}"# + "\n", to: session)
      bench.settle()
    }
    if reason == .remadeState {
      bench.fixture.use("a.b")
      bench.committer.begin()
      bench.committer.finished(nil, .created)
    }
    let before = bench.batches.count
    arrive(bench, actions: reason == .fewActions ? 3 : 4, bytes: reason == .manyBytes ? 1_288 : 200)
    switch reason {
    case .fewActions, .manyBytes, .remadeState: break
    case .noLog: bench.keepsLog = false
    case .anotherLog: bench.contents.logPosition.log = 8
    case .refusedLine: bench.fixture.feed("a.b n=0\n", to: session)
    case .blockedUse: bench.fixture.feed("a.secret\n", to: session)
    case .unrecordedUse:
      bench.fixture.ledger.recording.isAllowed = false
      bench.fixture.feed("a.secret\n", to: session)
    case .change: bench.fixture.feed(#"{"op":"pin","action":"a.0"}"# + "\n", to: session)
    case .settings: bench.committer.policy.interval += 1
    case .failure:
      bench.committer.begin()
      bench.fail()
    case .end: bench.committer.finishAll()
    }
    if reason != .end { bench.committer.begin() }
    #expect(bench.batches.count == before + 1 && bench.inputs.count == (reason == .failure ? 1 : 0))
    #expect((bench.batches.last?.actions.count ?? 0) >= (reason == .fewActions ? 3 : 4))
    // That over, the next flood is stored as it comes in.
    bench.committer.finished(nil)
    if reason == .end || reason == .noLog { return }
    if reason == .unrecordedUse { bench.fixture.ledger.recording.isAllowed = true }
    let inputs = bench.inputs.count
    arrive(bench)
    bench.committer.begin()
    #expect(bench.inputs.count == inputs + 1)
  }

  @Test("stores what has come in though stored actions were purged for it; they are dropped with the next rows")
  func purges() throws {
    let bench = try bench()
    bench.fixture.ledger.ranking.setMaxActions(4)
    arrive(bench, actions: 3)
    bench.committer.begin()
    bench.committer.finished(nil)
    #expect(bench.batches.count == 2)
    for index in 0..<9 { bench.fixture.use("b.\(index)") }
    bench.contents.logPosition.offset += 200
    #expect(bench.fixture.ledger.ranking.purges.actions >= 5 && bench.fixture.registry.hasUncommitted)
    bench.committer.begin()
    #expect(bench.inputs.count == 1 && bench.batches.count == 2)
    bench.committer.finished(nil)
    bench.committer.policy.interval += 1
    bench.committer.begin()
    let batch = try #require(bench.batches.last)
    #expect(batch.edits.contains { if case .drop(let gone) = $0 { gone.actions.count > 0 } else { false } })
    #expect(bench.batches.count == 3 && batch.actions.count == bench.fixture.ledger.ranking.actionCount)
  }

  @Test("of more than can be dropped by name has all that stays in it, for the rest is dropped")
  func sweeps() throws {
    let bench = try bench()
    for index in 0..<12_000 { bench.fixture.use("a.\(index)") }
    bench.contents.logPosition.offset += 1 << 30
    bench.committer.begin()
    bench.committer.finished(nil)
    #expect(bench.batches.last?.actions.count == 12_000)
    bench.fixture.ledger.ranking.setMaxActions(100)
    #expect(bench.fixture.ledger.ranking.actionCount == 100)
    bench.fixture.use("a.new")
    bench.contents.logPosition.offset += 1 << 30
    bench.committer.begin()
    let batch = try #require(bench.batches.last)
    #expect(batch.sweeps && batch.actions.count == bench.fixture.ledger.ranking.actionCount)
    bench.committer.finished(nil)
    let isMore = bench.fixture.ledger.ranking.hasUncommitted
    #expect(!isMore)
  }

  @Test("tells the syncs of one that failed so, and stores all of it as rows then")
  func fails() throws {
    let bench = try bench()
    arrive(bench)
    bench.ask(1)
    bench.committer.begin()
    arrive(bench, actions: 1, bytes: 40)
    bench.fail()
    #expect(bench.unsafeSyncs.map(\.seqs) == [[1]] && !bench.committer.holdsInput)
    bench.committer.begin()
    #expect(bench.batches.last?.actions.map(\.uses).sorted() == [1, 1, 1, 2])
    #expect(bench.batches.last?.logPosition?.offset == 240)
  }

  @Test("of settings that are read again while rows are stored is followed by one of rows")
  func settingsMeanwhile() throws {
    let bench = try bench()
    arrive(bench, actions: 1)
    bench.committer.begin()
    bench.committer.policy.interval += 1
    bench.committer.finished(nil)
    arrive(bench)
    bench.committer.begin()
    #expect(bench.batches.count == 3 && bench.inputs.isEmpty)
  }

  // MARK: The rule

  private static let second = Fixture.second

  /// What a rule says to 100 actions that have changed.
  private func kind(
    _ rule: CommitRule, at now: Int64, input: Int? = 1000, ofInterval: Int? = nil, actions: Int = 100
  ) -> CommitKind {
    rule.kind(of: .init(now: now, changedActions: actions, input: input, inputOfInterval: ofInterval))
  }

  @Test("goes by how many actions have changed, and how much has come in")
  func measures() {
    let rule = CommitRule(largeCommit: 100, intakeLogSize: 20_000)
    #expect(kind(rule, at: 0) == .input)
    #expect(kind(rule, at: 0, actions: 99) == .changes)
    #expect(kind(rule, at: 0, input: nil) == .changes)
    #expect(kind(rule, at: 0, input: 20_000) == .input && kind(rule, at: 0, input: 20_001) == .changes)
    let large = CommitRule(largeCommit: 100, intakeLogSize: 1 << 30)
    #expect(kind(large, at: 0, input: 25_600) == .input && kind(large, at: 0, input: 25_601) == .changes)
    #expect(kind(large, at: 0, input: 64 << 20, actions: 1 << 20) == .input)
    #expect(kind(large, at: 0, input: 64 << 20 + 1, actions: 1 << 20) == .changes)
    var filled = rule
    filled.noteInput(19_000, at: 0)
    #expect(kind(filled, at: 0) == .input && kind(filled, at: 0, input: 1_001) == .changes)
  }

  @Test("stores rows when an interval brought little, or after a minute, but only when nobody waits")
  func calm() {
    var rule = CommitRule(largeCommit: 100, intakeLogSize: 1 << 20)
    // An interval alone does not make a flood one that is over.
    #expect(kind(rule, at: 0, ofInterval: 0) == .input)
    rule.noteInput(1000, at: 5 * Self.second)
    #expect(kind(rule, at: 6 * Self.second, ofInterval: 3199) == .changes)
    #expect(kind(rule, at: 6 * Self.second, ofInterval: 3200) == .input)
    #expect(kind(rule, at: 6 * Self.second) == .input)
    rule.noteInput(1000, at: 40 * Self.second)
    #expect(kind(rule, at: 65 * Self.second - 1, ofInterval: 3200) == .input)
    #expect(kind(rule, at: 65 * Self.second, ofInterval: 3200) == .changes)
    #expect(kind(rule, at: 65 * Self.second) == .input)
    // Whoever waits is answered, though there may be nothing left to be stored.
    #expect(kind(rule, at: 6 * Self.second, input: 0) == .input)
  }

  @Test("lets four times as long pass after rows as they took, unless there is too much")
  func rests() {
    var rule = CommitRule(largeCommit: 100, intakeLogSize: 5_000)
    rule.noteChanges(began: 10 * Self.second, ended: 30 * Self.second)
    rule.noteInput(1000, at: 31 * Self.second)
    #expect(kind(rule, at: 110 * Self.second - 1, ofInterval: 1) == .input)
    #expect(kind(rule, at: 110 * Self.second - 1, input: 0, ofInterval: 0) == .none)
    #expect(kind(rule, at: 110 * Self.second, ofInterval: 1) == .changes)
    #expect(kind(rule, at: 32 * Self.second, input: 4_001) == .changes)
    rule.noteChanges(began: 111 * Self.second, ended: 112 * Self.second)
    #expect(rule.stored == nil)
  }
}
