import Posix
import Ranking
import Wire

/// What a socket may be used for.
enum Access {
  /// Uses and sync.
  case events
  /// Everything.
  case control
}

/// One client's stream of lines, and the replies to it.
final class StreamSession {
  private let access: Access
  private let peer: PeerCredentials
  private var cutter: LineCutter
  private var limiter = ReplyLimiter()
  private var accepted: UInt64 = 0
  private var duplicates: UInt64 = 0
  private var refused: UInt64 = 0
  var replies = ReplyQueue()

  init(access: Access, peer: PeerCredentials, maxLineBytes: Int) {
    self.access = access
    self.peer = peer
    cutter = LineCutter(maxLineBytes: maxLineBytes)
  }

  var maxLineBytes: Int {
    get { cutter.maxLineBytes }
    set { cutter.maxLineBytes = newValue }
  }

  var hasUnfinishedLine: Bool { cutter.hasUnfinishedLine }

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
    refused += 1
    desk.noteRefusal(error, from: "user \(peer.user), process \(peer.process)", now: now)
    if limiter.admit(line: cutter.lineNumber, code: error.code, now: now.decay) {
      reply(desk) { errorReply(line: cutter.lineNumber, error, to: &$0) }
    }
  }

  private func answer(_ request: Request, now: Moment, desk: LineDesk) {
    switch request {
    case .sync(let seq):
      desk.ledger.counters.syncs += 1
      reply(desk) {
        syncReply(
          seq: seq, accepted: accepted, duplicates: duplicates, refused: refused, durable: false,
          reason: "uses are kept in memory only", to: &$0)
      }
    case .status:
      guard access == .control else { return refuse(.notPermitted(.controlOnly), now: now, desk: desk) }
      reply(desk) { $0 = desk.statusReply() }
    }
  }

  private func reply(_ desk: LineDesk, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    if replies.hasRoom { write(&bytes) }
    if bytes.isEmpty || !replies.append(bytes) { desk.ledger.counters.repliesDropped += 1 }
  }
}
