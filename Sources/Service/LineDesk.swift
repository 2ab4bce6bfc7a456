import Ranking
import Wire

/// Where lines are read and counted, whichever way they came.
final class LineDesk {
  let ledger: Ledger
  private let log: Log
  private var parser = LineParser()
  /// Makes the reply to `{"op":"status"}`.
  var statusReply: () -> [UInt8] = { [] }
  /// Whether lines from before a restart are being worked through: nobody is there to be answered.
  var isReplaying = false

  init(ledger: Ledger, log: Log) {
    self.ledger = ledger
    self.log = log
  }

  /// What became of one line.
  enum Outcome {
    case skipped
    case counted
    case duplicate
    case refused(LineError)
    case request(Request)
  }

  @inline(__always)
  func take(_ cut: Cut, lineLimit: Int, now: Moment, tally: inout Tally) -> Outcome {
    switch cut {
    case .tooLong: return .refused(.lineTooLong(limit: lineLimit))
    case .line(let line):
      do {
        switch try unsafe parser.parse(line) {
        case .nothing: return .skipped
        case .use(let use): return ledger.count(use, now: now, tally: &tally) ? .counted : .duplicate
        case .request(let request): return .request(request)
        }
      } catch {
        return .refused(error)
      }
    }
  }

  /// Counts a refusal under its reason, and logs it now and then. Nothing of the line itself is logged.
  func noteRefusal(_ error: LineError, from sender: @autoclosure () -> String, now: Moment) {
    ledger.counters.refused[error.code] += 1
    log.limited(
      .warning, kind: error.code.rawValue, now: now.decay,
      "refused as \(error.code.rawValue), from \(sender()): \(error.message)")
  }
}
