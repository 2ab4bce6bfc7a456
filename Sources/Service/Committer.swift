import Posix
import Ranking
import Settings
import Storage
import Systemd

/// Decides when what is known goes to the database, and follows it there.
///
/// A commit takes everything since the one before, at one point of the intake log, in one transaction; what there was at
/// that point is copied in slices. Or it takes what has come in since, as it lies in the intake log, where ``CommitRule``
/// finds that better and nothing else is to be said. What could not be stored is given back and taken again at the next
/// interval, whole: nothing that a failed write may have left behind is believed.
final class Committer {
  /// Setting it says that settings were read again.
  var policy: Policy {
    didSet {
      rule.largeCommit = policy.largeCommit
      needsChanges = true
    }
  }
  private var rule: CommitRule
  /// Whether the next commit has to store what has changed: what has come in since the one before does not stand for
  /// that, or there is none before.
  private var needsChanges = true
  /// How far the log reached when the interval began.
  private var intervalStart: UInt64 = 0
  private let registry: Registry
  private var ledger: Ledger { registry.ledger }
  private let work: SlicedWork
  private let log: Log
  private let contents: (CommitKind) -> Contents
  /// What has come in since a position of the intake log; nil if not all of that is there.
  private let input: (LogPosition) -> InputBatch?
  private let send: (DiskThread.Job) -> Void
  /// Called with what a commit that succeeded contains.
  private let onCommit: (Contents, Traces) -> Void
  /// Called with syncs that can't be called safe, and why.
  private let onUnsafe: ([(connection: UInt64, sync: PendingSync)], String) -> Void
  /// Called once after ``finishAll()``, when nothing is under way any more.
  var onFinished: () -> Void = {}
  private var isFinishing = false

  private var timer: EventSource?
  private var isPlanned = false
  private var wantsAnother = false
  private var inFlight: Flight?
  private var last: Stored
  /// What keeps the state from being stored, since when.
  private(set) var failure: (error: StorageError, since: Moment)?

  /// Whether actions have moved to other owners since the last backup: from an older one they would come back twice.
  var hasMovedActions = false

  private struct Flight {
    /// Nil for one that stores what has come in.
    var changes: UncommittedChanges?
    /// How many bytes of input it stores.
    var input = 0
    let stored: Stored
    var contents: Contents
    /// Decay time.
    let began: Int64
  }

  /// What is being copied for the commit that is under way, until it is sent.
  private var draft: CommitDraft?
  /// Rows that are copied in one step.
  private static let stepRows = 256

  /// By what the next commit is known to be needed or not.
  private struct Stored: Equatable {
    var counters: Counters
    var logPosition: LogPosition
    var generation: UInt64

    /// Whether uses came in that are not to be recorded.
    func hasUnrecorded(since earlier: Stored) -> Bool {
      (counters.blocked, counters.notRecorded) != (earlier.counters.blocked, earlier.counters.notRecorded)
    }

    /// Whether lines came in that are not kept, whatever they say.
    func hasUnkept(since earlier: Stored) -> Bool {
      hasUnrecorded(since: earlier) || counters.refused != earlier.counters.refused
    }
  }

  init(
    registry: Registry, policy: Policy, loop: EventLoop, work: SlicedWork = .atOnce, log: Log,
    contents: @escaping (CommitKind) -> Contents, input: @escaping (LogPosition) -> InputBatch? = { _ in nil },
    send: @escaping (DiskThread.Job) -> Void, onCommit: @escaping (Contents, Traces) -> Void,
    onUnsafe: @escaping ([(connection: UInt64, sync: PendingSync)], String) -> Void
  ) throws(SystemError) {
    self.registry = registry
    self.policy = policy
    rule = CommitRule(largeCommit: policy.largeCommit, intakeLogSize: policy.intakeLogSize)
    self.work = work
    self.log = log
    self.contents = contents
    self.input = input
    self.send = send
    self.onCommit = onCommit
    self.onUnsafe = onUnsafe
    last = Stored(counters: Counters(), logPosition: LogPosition(log: 0, offset: .max), generation: 0)
    timer = try loop.timer(accuracy: 10_000_000) { [unowned self] in
      isPlanned = false
      begin(isIntervalOver: true)
    }
  }

  /// Something may have changed: it is stored within the interval.
  func noteChange() {
    if isPlanned { return }
    isPlanned = true
    timer?.fire(after: policy.interval)
  }

  /// Stores what there is as soon as possible: now, or after the commit that is under way.
  func begin() { begin(isIntervalOver: false) }

  private func begin(isIntervalOver: Bool) {
    if inFlight != nil {
      wantsAnother = true
      return
    }
    let now = ledger.now().decay
    let input = usableInput
    let kind = rule.kind(of: situation(input, isIntervalOver: isIntervalOver, now: now))
    if kind == .none { return noteChange() }
    let contents = contents(kind)
    var counters = ledger.counters
    // The commit itself is no change that would be worth a commit.
    (counters.commits, counters.commitFailures) = (last.counters.commits, last.counters.commitFailures)
    let stored = Stored(counters: counters, logPosition: contents.logPosition, generation: contents.generation)
    if kind == .input, var input {
      inFlight = Flight(input: input.count, stored: stored, contents: contents, began: now)
      input.totals = [(State.generationTotal, contents.generation)]
      return send(.storeInput(input))
    }
    let hasUncommitted = ledger.ranking.hasUncommitted || registry.hasUncommitted || rule.stored != nil
    if stored == last, contents.syncs.isEmpty, !hasUncommitted { return idle() }
    let draft = CommitDraft(registry, contents: contents, policy: policy)
    inFlight = Flight(changes: draft.changes, stored: stored, contents: contents, began: now)
    needsChanges = false
    self.draft = draft
    work.begin { [unowned self] in copy() }
  }

  /// What has come in since the commit before, if that stands for all that is to be stored and may be kept.
  private var usableInput: InputBatch? {
    if needsChanges || isFinishing || registry.hasUncommittedChoices { return nil }
    if ledger.ranking.hasManyHours { return nil }
    let now = Stored(counters: ledger.counters, logPosition: last.logPosition, generation: last.generation)
    return now.hasUnkept(since: last) ? nil : input(last.logPosition)
  }

  private func situation(_ input: InputBatch?, isIntervalOver: Bool, now: Int64) -> CommitRule.Situation {
    var situation = CommitRule.Situation(
      now: now, changedActions: ledger.ranking.uncommittedActions, input: input?.count)
    if isIntervalOver, let input {
      let end = last.logPosition.offset + UInt64(input.count)
      situation.inputOfInterval = Int(end - min(intervalStart, end))
      intervalStart = end
    }
    return situation
  }

  /// Whether what has come in is stored, or about to be, of which no row says yet what it has come to.
  var holdsInput: Bool { rule.stored != nil || inFlight.map { $0.changes == nil } ?? false }

  /// Copies some of what the commit contains, and sends it when that is all.
  private func copy() -> Bool {
    if draft?.copy(registry, atMost: Self.stepRows) == true { return true }
    guard let draft else { return false }
    self.draft = nil
    inFlight?.changes = draft.changes
    send(.commit(draft.batch))
    return false
  }

  /// Copies the rest of what the commit under way contains, and sends it.
  ///
  /// - Complexity: O(what has changed since the commit before).
  func sendDraft() { while draft != nil { _ = copy() } }

  /// Stores what there is now, unless a commit is under way.
  func beginUnlessUnderWay() {
    if inFlight == nil { begin() }
  }

  /// Stores what there is for the last time, then calls ``onFinished``, whether that worked or not.
  func finishAll() {
    isFinishing = true
    begin()
  }

  private func idle() {
    guard isFinishing else { return }
    isFinishing = false
    timer = nil
    onFinished()
  }

  /// Takes note of what became of the commit that was sent last.
  ///
  /// - Parameter report: what the state was made anew from, if it turned out to be damaged: then everything that is known
  ///   is stored again.
  func finished(_ error: StorageError?, _ report: OpeningReport? = nil) {
    guard let flight = inFlight else { return }
    inFlight = nil
    if let report { storeAllAgain(report) }
    needsChanges = needsChanges || error != nil || report != nil
    if let error {
      failed(error, flight)
    } else {
      succeeded(flight)
    }
    // Only now, as what is given back is known by its numbers.
    ledger.ranking.recycleNumbers()
    if wantsAnother {
      wantsAnother = false
      begin()
    } else {
      idle()
    }
  }

  private func storeAllAgain(_ report: OpeningReport) {
    switch report {
    case .recovered(let recovery): log(.error, "\(recovery.description); it is made anew from what is in memory")
    case .created, .opened: log(.error, "the state was lost and is made anew from what is in memory")
    }
    UncommittedChanges.markAll(registry)
    noteChange()
  }

  private func succeeded(_ flight: Flight) {
    var traces = Traces.none
    if let changes = flight.changes {
      if changes.registry.leavesTraces {
        traces = .forgotten
      } else if flight.stored.hasUnrecorded(since: last) {
        traces = .unrecorded
      }
      hasMovedActions = hasMovedActions || changes.registry.movesActions
      rule.noteChanges(began: flight.began, ended: ledger.now().decay)
    } else {
      rule.noteInput(flight.input, at: flight.began)
      // What it comes to is still to be stored.
      noteChange()
    }
    last = flight.stored
    ledger.counters.commits += 1
    if failure != nil {
      failure = nil
      log(.notice, "the state is stored again")
    }
    onCommit(flight.contents, traces)
  }

  private func failed(_ error: StorageError, _ flight: Flight) {
    flight.changes?.giveBack(to: registry)
    ledger.counters.commitFailures += 1
    if let known = failure {
      failure = (error, known.since)
    } else {
      failure = (error, ledger.now())
      log(.error, "the state can't be stored: \(error.description); counting goes on, and each interval tries again")
    }
    onUnsafe(flight.contents.syncs, error.description)
    noteChange()
  }

  /// When the first of the syncs was asked that the commit under way is for, decay time.
  var firstSyncAskedAt: Int64? { inFlight?.contents.syncs.map(\.sync.askedAt).min() }

  /// Takes the syncs that have waited since `time` or longer away from the commit that is under way.
  func takeSyncs(askedUntil time: Int64) -> [(connection: UInt64, sync: PendingSync)] {
    let late = inFlight?.contents.syncs.filter { $0.sync.askedAt <= time } ?? []
    inFlight?.contents.syncs.removeAll { $0.sync.askedAt <= time }
    return late
  }
}
