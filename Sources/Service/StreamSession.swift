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
  let accepted: UInt64
  let duplicates: UInt64
  let refused: UInt64
  /// Decay time.
  let askedAt: Int64
}

/// What has to be kept of a client's stream for it to go on after a restart.
struct SessionState: Equatable, Sendable {
  var access: Access
  var cutter = CutterState()
  var accepted: UInt64 = 0
  var duplicates: UInt64 = 0
  var refused: UInt64 = 0
  /// Whether the rest of a line whose beginning nobody knows is being passed over.
  var skipsUnknownRest = false
  var pendingSyncs: [Int64?] = []
}

/// One client's stream of lines, and the replies to it.
final class StreamSession {
  var access: Access
  /// Who sends; unknown while what had arrived before a restart is worked through.
  var sender = "a client"
  private var cutter: LineCutter
  private var limiter = ReplyLimiter()
  private var accepted: UInt64
  private var duplicates: UInt64
  private var refused: UInt64
  private var pendingSyncs: [PendingSync]
  /// Syncs that are not answered yet, whether they wait for a commit to begin or to be done.
  private(set) var owedSyncs: Int
  /// A connection may have so many syncs waiting; one more is answered at once, as not safe.
  private static let mostOwedSyncs = 1024
  /// The rest of a line whose beginning nobody knows is passed over and is no refusal.
  private var skipsUnknownRest: Bool
  var replies = ReplyQueue()

  init(_ state: SessionState, maxLineBytes: Int, now: Moment) {
    access = state.access
    cutter = LineCutter(maxLineBytes: maxLineBytes, resuming: state.cutter)
    accepted = state.accepted
    duplicates = state.duplicates
    refused = state.refused
    skipsUnknownRest = state.skipsUnknownRest
    pendingSyncs = state.pendingSyncs.map {
      PendingSync(
        seq: $0, accepted: state.accepted, duplicates: state.duplicates, refused: state.refused, askedAt: now.decay)
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
      access: access, cutter: cutter.state, accepted: accepted, duplicates: duplicates, refused: refused,
      skipsUnknownRest: skipsUnknownRest, pendingSyncs: pendingSyncs.map(\.seq))
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
    while let cut = unsafe cutter.next(&bytes) { take(cut, now: now, desk: desk, tally: &tally) }
    add(tally, to: desk)
    sendSummaryIfDue(now: now, desk: desk)
  }

  /// The client has closed its side: its unfinished last line counts as a line.
  func finish(now: Moment, desk: LineDesk) {
    var tally = Tally()
    if let cut = cutter.finish() { take(cut, now: now, desk: desk, tally: &tally) }
    add(tally, to: desk)
    if let summary = limiter.finalSummary() { reply(desk) { suppressedReply(summary, to: &$0) } }
  }

  /// Sends the summary of suppressed errors once its second is over.
  func sendSummaryIfDue(now: Moment, desk: LineDesk) {
    if let summary = limiter.summary(now: now.decay) { reply(desk) { suppressedReply(summary, to: &$0) } }
  }

  @inline(__always)
  private func take(_ cut: Cut, now: Moment, desk: LineDesk, tally: inout Tally) {
    switch desk.take(cut, lineLimit: cutter.maxLineBytes, now: now, tally: &tally) {
    case .counted, .duplicate, .skipped: return
    case .refused(let error): refuse(error, now: now, desk: desk)
    case .request(let request):
      add(tally, to: desk)
      tally = Tally()
      answer(request, now: now, desk: desk)
    }
  }

  private func add(_ tally: Tally, to desk: LineDesk) {
    accepted += tally.accepted
    duplicates += tally.duplicates
    desk.ledger.add(tally)
  }

  private func refuse(_ error: LineError, now: Moment, desk: LineDesk) {
    if skipsUnknownRest {
      skipsUnknownRest = false
      desk.ledger.counters.unknownRests += 1
      return
    }
    refused += 1
    desk.noteRefusal(error, from: sender, now: now)
    if limiter.admit(line: cutter.lineNumber, code: error.code, now: now.decay) {
      reply(desk) { errorReply(line: cutter.lineNumber, error, to: &$0) }
    }
  }

  private func answer(_ request: Request, now: Moment, desk: LineDesk) {
    switch request {
    case .sync(let seq):
      desk.ledger.counters.syncs += 1
      let sync = PendingSync(
        seq: seq, accepted: accepted, duplicates: duplicates, refused: refused, askedAt: now.decay)
      owedSyncs += 1
      if owedSyncs > Self.mostOwedSyncs { return answer(sync, unsafeBecause: "too many syncs wait", desk: desk) }
      pendingSyncs.append(sync)
    case .status:
      guard access == .control else { return refuse(.notPermitted(.controlOnly), now: now, desk: desk) }
      reply(desk) { $0 = desk.statusReply() }
    }
  }

  // MARK: Syncs

  /// Takes the syncs that wait, to be answered when a commit that begins now is done.
  func takePendingSyncs() -> [PendingSync] {
    defer { pendingSyncs = [] }
    return pendingSyncs
  }

  /// Takes the syncs that have waited since `time` or longer.
  func takePendingSyncs(askedBefore time: Int64) -> [PendingSync] {
    let late = pendingSyncs.prefix { $0.askedAt <= time }
    pendingSyncs.removeFirst(late.count)
    return Array(late)
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
      syncReply(
        seq: sync.seq, accepted: sync.accepted, duplicates: sync.duplicates, refused: sync.refused,
        durable: reason == nil, reason: reason, to: &$0)
    }
  }

  private func reply(_ desk: LineDesk, _ write: (inout [UInt8]) -> Void) {
    if desk.isReplaying { return }
    var bytes: [UInt8] = []
    if replies.hasRoom { write(&bytes) }
    if bytes.isEmpty || !replies.append(bytes) { desk.ledger.counters.repliesDropped += 1 }
  }
}
