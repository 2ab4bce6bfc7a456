import Ranking
import Wire

/// Where lines are read and counted, whichever way they came.
final class LineDesk {
  let ledger: Ledger
  let control: ControlDesk
  private let log: Log
  private var parser = LineParser()
  /// Whether lines from before a restart are being worked through: nobody is there to be answered.
  var isReplaying = false

  init(control: ControlDesk, log: Log) {
    ledger = control.ledger
    self.control = control
    self.log = log
  }

  /// What became of one line.
  enum Outcome {
    /// Nothing has to be said of it: it was counted, or stands in the tally otherwise.
    case taken
    case refused(LineError)
    case request(Request)
  }

  @inline(__always)
  func take(_ cut: Cut, lineLimit: Int, now: Moment, tally: inout Tally) -> Outcome {
    switch cut {
    case .tooLong: return .refused(.lineTooLong(limit: lineLimit))
    case .line(let line, let visible):
      do {
        switch try unsafe parser.parse(line, visible: visible) {
        case .nothing: return .taken
        case .use:
          ledger.count(parser.use, now: now, tally: &tally)
          return .taken
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
