import Posix
import Ranking
import Settings
import Storage
import Systemd

/// Decides when what is known goes to the database, and follows it there.
///
/// A commit takes everything since the one before, at one point of the intake log, in one transaction; what there was at
/// that point is copied in slices. What could not be stored is given back and taken again at the next interval, whole:
/// nothing that a failed write may have left behind is believed.
final class Committer {
  /// What the rest of the daemon gives to a commit.
  struct Contents {
    var logPosition: LogPosition
    var connections: ConnectionChanges
    /// The number of the connection that was accepted last.
    var lastConnection: UInt64
    /// The line limit in force.
    var maxLineBytes: Int
    var generation: UInt64
    var syncs: [(connection: UInt64, sync: PendingSync)]
  }

  /// What came in that may not be kept anywhere once a commit contains what may.
  enum Traces {
    case none
    /// Uses that are not recorded.
    case unrecorded
    /// What was forgotten, wherever it was.
    case forgotten
  }

  /// What stores, and for how long.
  struct Policy {
    var interval: Int64
    var idLifetime: Int64
    var keepHistory: Int64
    var maxHistoryRows: Int

    init(_ settings: Settings) {
      interval = settings.commitInterval
      idLifetime = settings.rememberIDs
      keepHistory = settings.keepHistory
      maxHistoryRows = settings.maxHistoryRows
    }
  }

  var policy: Policy
  private let registry: Registry
  private var ledger: Ledger { registry.ledger }
  private let work: SlicedWork
  private let log: Log
  private let contents: () -> Contents
  private let send: (CommitBatch) -> Void
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
    var changes: UncommittedChanges
    let stored: Stored
    var contents: Contents
  }

  /// What is being copied for the commit that is under way, until it is sent.
  private var draft: CommitDraft?
  /// Rows that are copied in one step.
  private static let stepRows = 256

  /// By what the next commit is known to be needed or not.
  private struct Stored: Equatable {
    var counters: Counters
    var logOffset: UInt64
    var generation: UInt64

    /// Whether uses came in that are not to be recorded.
    func hasUnrecorded(since earlier: Stored) -> Bool {
      (counters.blocked, counters.notRecorded) != (earlier.counters.blocked, earlier.counters.notRecorded)
    }
  }

  init(
    registry: Registry, policy: Policy, loop: EventLoop, work: SlicedWork = .atOnce, log: Log,
    contents: @escaping () -> Contents,
    send: @escaping (CommitBatch) -> Void, onCommit: @escaping (Contents, Traces) -> Void,
    onUnsafe: @escaping ([(connection: UInt64, sync: PendingSync)], String) -> Void
  ) throws(SystemError) {
    self.registry = registry
    self.policy = policy
    self.work = work
    self.log = log
    self.contents = contents
    self.send = send
    self.onCommit = onCommit
    self.onUnsafe = onUnsafe
    last = Stored(counters: Counters(), logOffset: .max, generation: 0)
    timer = try loop.timer(accuracy: 10_000_000) { [unowned self] in
      isPlanned = false
      begin()
    }
  }

  /// Something may have changed: it is stored within the interval.
  func noteChange() {
    if isPlanned { return }
    isPlanned = true
    timer?.fire(after: policy.interval)
  }

  /// Stores what there is as soon as possible: now, or after the commit that is under way.
  func begin() {
    if inFlight != nil {
      wantsAnother = true
      return
    }
    let contents = contents()
    var counters = ledger.counters
    // The commit itself is no change that would be worth a commit.
    (counters.commits, counters.commitFailures) = (last.counters.commits, last.counters.commitFailures)
    let stored = Stored(
      counters: counters, logOffset: contents.logPosition.offset, generation: contents.generation)
    if stored == last, contents.syncs.isEmpty, !ledger.ranking.hasUncommitted, !registry.hasUncommitted {
      return idle()
    }
    let draft = CommitDraft(registry, contents: contents, policy: policy)
    inFlight = Flight(changes: draft.changes, stored: stored, contents: contents)
    self.draft = draft
    work.begin { [unowned self] in copy() }
  }

  /// Copies some of what the commit contains, and sends it when that is all.
  private func copy() -> Bool {
    if draft?.copy(registry, atMost: Self.stepRows) == true { return true }
    guard let draft else { return false }
    self.draft = nil
    inFlight?.changes = draft.changes
    send(draft.batch)
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
    let traces: Traces =
      flight.changes.registry.leavesTraces
      ? .forgotten : flight.stored.hasUnrecorded(since: last) ? .unrecorded : .none
    last = flight.stored
    hasMovedActions = hasMovedActions || flight.changes.registry.movesActions
    ledger.counters.commits += 1
    if failure != nil {
      failure = nil
      log(.notice, "the state is stored again")
    }
    onCommit(flight.contents, traces)
  }

  private func failed(_ error: StorageError, _ flight: Flight) {
    flight.changes.giveBack(to: registry)
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
