import Posix
import Ranking
import Wire

/// What a socket may be used for.
enum Access: CaseIterable, Sendable {
  /// Uses and sync.
  case events
  /// Everything.
  case control
}

/// A sync that waits for a commit, with the counts of the moment at which it came.
struct PendingSync: Equatable, Sendable {
  let seq: Int64?
  let counts: LineCounts
  /// Decay time.
  let askedAt: Int64
}

/// What has to be kept of a client's stream for it to go on after a restart.
struct SessionState: Equatable, Sendable {
  var access: Access
  var cutter = CutterState()
  var counts = LineCounts()
  /// Whether the rest of a line whose beginning nobody knows is being passed over.
  var skipsUnknownRest = false
  var pendingSyncs: [Int64?] = []
}

/// One client's stream of lines, and the replies to it.
final class StreamSession {
  var access: Access
  /// Who sends; unknown while what had arrived before a restart is worked through.
  var peer: PeerCredentials?
  private var sender: String { peer.map { "user \($0.user), process \($0.process)" } ?? "a client" }
  private var cutter: LineCutter
  private var limiter = ReplyLimiter()
  private var counts: LineCounts
  private var pendingSyncs: [PendingSync]
  /// Syncs that are not answered yet, whether they wait for a commit to begin or to be done.
  private(set) var owedSyncs: Int
  /// A connection may have so many syncs waiting; one more is answered at once, as not safe.
  private static let mostOwedSyncs = 1024
  /// The rest of a line whose beginning nobody knows is passed over and is no refusal.
  private var skipsUnknownRest: Bool
  var replies: ReplyQueue

  init(_ state: SessionState, maxLineBytes: Int, now: Moment) {
    access = state.access
    replies = ReplyQueue(for: access)
    cutter = LineCutter(maxLineBytes: maxLineBytes, resuming: state.cutter)
    counts = state.counts
    skipsUnknownRest = state.skipsUnknownRest
    pendingSyncs = state.pendingSyncs.map {
      PendingSync(seq: $0, counts: state.counts, askedAt: now.decay)
    }
    owedSyncs = pendingSyncs.count
  }

  /// A stream that was met in the middle: what comes before the next line end is passed over.
  convenience init(restoredWithoutState access: Access, maxLineBytes: Int, now: Moment) {
    let state = SessionState(access: access, cutter: CutterState(isSkipping: true), skipsUnknownRest: true)
    self.init(state, maxLineBytes: maxLineBytes, now: now)
  }

  /// What has to be kept for the stream to go on after a restart.
  var state: SessionState {
    SessionState(
      access: access, cutter: cutter.state, counts: counts, skipsUnknownRest: skipsUnknownRest,
      pendingSyncs: pendingSyncs.map(\.seq))
  }

  var maxLineBytes: Int {
    get { cutter.maxLineBytes }
    set { cutter.maxLineBytes = newValue }
  }

  var hasUnfinishedLine: Bool { cutter.hasUnfinishedLine }
  var hasPendingSyncs: Bool { !pendingSyncs.isEmpty }
  /// When the first of the syncs that wait was asked, decay time.
  var firstSyncAskedAt: Int64? { pendingSyncs.first?.askedAt }

  /// When a summary of suppressed errors has to go out, decay time; nil if there is none.
  var summaryDueAt: Int64? { limiter.dueAt }

  /// Takes the next bytes of the stream.
  ///
  /// - Complexity: O(bytes).
  func take(_ bytes: UnsafeRawBufferPointer, now: Moment, desk: LineDesk) {
    var bytes = unsafe bytes
    var tally = Tally()
    while let remark = unsafe desk.take(&bytes, with: &cutter, now: now, tally: &tally) {
      note(remark, now: now, desk: desk, tally: &tally)
    }
    add(tally, to: desk)
    sendSummaryIfDue(now: now, desk: desk)
  }

  /// The client has closed its side: its unfinished last line counts as a line.
  func finish(now: Moment, desk: LineDesk) {
    var tally = Tally()
    if let remark = desk.finish(&cutter, now: now, tally: &tally) {
      note(remark, now: now, desk: desk, tally: &tally)
    }
    add(tally, to: desk)
    if let summary = limiter.finalSummary() { reply(desk) { suppressedReply(summary, to: &$0) } }
  }

  /// Sends the summary of suppressed errors once its second is over.
  func sendSummaryIfDue(now: Moment, desk: LineDesk) {
    if let summary = limiter.summary(now: now.decay) { reply(desk) { suppressedReply(summary, to: &$0) } }
  }

  private func note(_ remark: LineDesk.Remark, now: Moment, desk: LineDesk, tally: inout Tally) {
    switch remark {
    case .refused(let error): refuse(error, now: now, desk: desk)
    case .request(let request, let line):
      add(tally, to: desk)
      tally = Tally()
      unsafe answer(request, line, now: now, desk: desk)
    }
  }

  private func add(_ tally: Tally, to desk: LineDesk) {
    counts.accepted += tally.accepted
    counts.duplicates += tally.duplicates
    counts.blocked += tally.blocked
    counts.notRecorded += tally.notRecorded
    desk.ledger.add(tally)
  }

  private func refuse(
    _ error: LineError, _ op: OpName? = nil, seq: Int64? = nil, now: Moment, desk: LineDesk
  ) {
    if skipsUnknownRest {
      skipsUnknownRest = false
      desk.ledger.counters.unknownRests += 1
      return
    }
    counts.refused += 1
    desk.noteRefusal(error, from: sender, now: now)
    // Each request has its reply.
    let isRequest = op != nil && access == .control
    if isRequest || limiter.admit(line: cutter.lineNumber, code: error.code, now: now.decay) {
      reply(desk) { errorReply(line: cutter.lineNumber, error, op: op, seq: seq, to: &$0) }
    }
  }

  private func answer(_ request: Request, _ line: UnsafeRawBufferPointer, now: Moment, desk: LineDesk) {
    switch request {
    case .sync(let seq):
      desk.ledger.counters.syncs += 1
      let sync = PendingSync(seq: seq, counts: counts, askedAt: now.decay)
      owedSyncs += 1
      if owedSyncs > Self.mostOwedSyncs { return answer(sync, unsafeBecause: "too many syncs wait", desk: desk) }
      pendingSyncs.append(sync)
    case .control(let op):
      if access == .control { return unsafe perform(op, line, now: now, desk: desk) }
      unsafe refuse(.notPermitted(.controlOnly), op, seq: ControlRequest.seq(in: line), now: now, desk: desk)
    }
  }

  private func perform(_ op: OpName, _ line: UnsafeRawBufferPointer, now: Moment, desk: LineDesk) {
    do throws(LineError) {
      let request = unsafe try ControlRequest(op, line: line)
      let write = try desk.control.perform(request, at: now)
      if case .subscribe(let app) = request.op { subscription = Subscription(app: app) }
      desk.ledger.counters.requests += 1
      let isThere = reply(desk) { bytes in
        appendReply(op.rawValue, to: &bytes) { json in
          if let seq = request.seq { json.member("seq", seq) }
          write(&json)
        }
      }
      if !isThere { refuse(.refusedOp("the reply is too long"), op, seq: request.seq, now: now, desk: desk) }
    } catch {
      unsafe refuse(error, op, seq: ControlRequest.seq(in: line), now: now, desk: desk)
    }
  }

  // MARK: Subscription

  /// Changes that wait for a subscriber which does not read; a reply may be larger.
  private static let mostChangeBytes = 65_536

  /// Which changes the client wants to hear of; nil: of none.
  private(set) var subscription: Subscription?

  /// What a subscriber hears of, and what it has missed.
  struct Subscription {
    /// One app, or with nil all of them and the list over all apps.
    let app: [UInt8]?
    /// Changes that there was no room for since the last one that was sent.
    var missed: UInt64 = 0
  }

  /// Tells the subscriber of a change, if it is one that it wants to hear of.
  func tell(_ change: ListChange, desk: LineDesk) {
    guard var subscription, subscription.app == nil || subscription.app == change.app else { return }
    if replies.append(change.line(missed: subscription.missed), bound: Self.mostChangeBytes) {
      subscription.missed = 0
    } else {
      subscription.missed += 1
      desk.ledger.counters.changesDropped += 1
    }
    self.subscription = subscription
  }

  // MARK: Syncs

  /// Takes the syncs that wait, to be answered when a commit that begins now is done.
  ///
  /// - Parameter time: those asked after this decay time go on waiting.
  func takePendingSyncs(askedUntil time: Int64 = .max) -> [PendingSync] {
    let taken = pendingSyncs.prefix { $0.askedAt <= time }
    pendingSyncs.removeFirst(taken.count)
    return Array(taken)
  }

  /// The process before answered the oldest sync.
  func noteAnswered() {
    guard !pendingSyncs.isEmpty else { return }
    pendingSyncs.removeFirst()
    owedSyncs -= 1
  }

  /// Answers a sync.
  ///
  /// - Parameter reason: why what came before it is not safe; nil if it is.
  func answer(_ sync: PendingSync, unsafeBecause reason: String?, desk: LineDesk) {
    owedSyncs -= 1
    reply(desk) {
      syncReply(seq: sync.seq, sync.counts, durable: reason == nil, reason: reason, to: &$0)
    }
  }

  /// - Returns: false if there was no room for it.
  @discardableResult
  private func reply(_ desk: LineDesk, _ write: (inout [UInt8]) -> Void) -> Bool {
    if desk.isReplaying { return true }
    var bytes: [UInt8] = []
    if replies.hasRoom { write(&bytes) }
    if !bytes.isEmpty, replies.append(bytes) { return true }
    desk.ledger.counters.repliesDropped += 1
    return false
  }
}
