import Ranking
import Wire

/// Where lines are read and counted, whichever way they came.
final class LineDesk {
  let ledger: Ledger
  let control: ControlDesk
  private let log: Log
  private var parser = LineParser()
  /// Uses that are counted together: none between two calls.
  private var group = UseGroup()
  /// So many bytes at once are a batch of many lines.
  private static let bulk = 8192
  /// Whether lines from before a restart are being worked through: nobody is there to be answered.
  var isReplaying = false

  init(control: ControlDesk, log: Log) {
    ledger = control.ledger
    self.control = control
    self.log = log
  }

  /// A line of which something has to be said: it was not counted, and does not stand in the tally otherwise.
  @safe
  enum Remark {
    case refused(LineError)
    /// A request, and its line, which is valid until the cutter's next call.
    case request(Request, UnsafeRawBufferPointer)
  }

  /// Takes lines off the front of `bytes`, until something has to be said of one.
  ///
  /// - Returns: nil if there is no such line; then `bytes` is empty, and the cutter has what is unfinished.
  /// - Complexity: O(bytes taken). Whatever an object holds is checked at each access for another one at the same time,
  ///   so the parser and the ranking are lent once for all of the lines.
  func take(
    _ bytes: inout UnsafeRawBufferPointer, with cutter: inout LineCutter, now: Moment, tally: inout Tally
  ) -> Remark? {
    unsafe take(&bytes, with: &cutter, &parser, &group, &ledger.ranking, now: now, &tally)
  }

  /// Takes the unfinished line of a stream that has ended, if there is one.
  func finish(_ cutter: inout LineCutter, now: Moment, tally: inout Tally) -> Remark? {
    guard let cut = cutter.finish() else { return nil }
    return take(cut, cutter.maxLineBytes, &parser, &ledger.ranking, now: now, &tally)
  }

  private func take(
    _ bytes: inout UnsafeRawBufferPointer, with cutter: inout LineCutter, _ parser: inout LineParser,
    _ group: inout UseGroup, _ ranking: inout ActionRanking, now: Moment, _ tally: inout Tally
  ) -> Remark? {
    // Only a request can change that.
    let isRecorded = ledger.recording.isOn(at: now.decay)
    let chunk = unsafe bytes
    ranking.isBulk = chunk.count >= Self.bulk
    var remark: Remark?
    while remark == nil, let cut = unsafe cutter.next(&bytes) {
      remark = read(cut, cutter.maxLineBytes, &parser) { use in
        if !isRecorded {
          tally.notRecorded += 1
        } else if Self.isSimple(use), unsafe Self.contains(chunk, use.action) {
          if unsafe group.add(use.action) { ledger.count(&group, in: &ranking, now: now, tally: &tally) }
        } else {
          ledger.count(&group, in: &ranking, now: now, tally: &tally)
          ledger.count(use, in: &ranking, now: now, tally: &tally)
        }
      }
    }
    ledger.count(&group, in: &ranking, now: now, tally: &tally)
    // Who asks wants to know all; else a flood may go on.
    if remark == nil { ranking.settleCounts() } else { ranking.settleFlood() }
    return remark
  }

  /// Takes one line.
  private func take(
    _ cut: Cut, _ limit: Int, _ parser: inout LineParser, _ ranking: inout ActionRanking, now: Moment,
    _ tally: inout Tally
  ) -> Remark? {
    let isRecorded = ledger.recording.isOn(at: now.decay)
    let remark = read(cut, limit, &parser) { use in
      if isRecorded {
        ledger.count(use, in: &ranking, now: now, tally: &tally)
      } else {
        tally.notRecorded += 1
      }
    }
    ranking.settleFlood()
    return remark
  }

  /// Reads what a line means.
  ///
  /// - Parameter count: counts the use that it is, if it is one.
  @inline(__always)
  private func read(
    _ cut: Cut, _ limit: Int, _ parser: inout LineParser, count: (borrowing UseLine) -> Void
  ) -> Remark? {
    guard case .line(let line, let visible) = cut else { return .refused(.lineTooLong(limit: limit)) }
    do throws(LineError) {
      switch unsafe try parser.parse(line, visible: visible) {
      case .nothing: return nil
      case .use:
        count(parser.use)
        return nil
      case .request(let request): return unsafe .request(request, line)
      }
    } catch {
      return .refused(error)
    }
  }

  /// Whether a line says nothing but one use of an action, now.
  @inline(__always)
  private static func isSimple(_ use: borrowing UseLine) -> Bool {
    if use.count == 1, use.time == nil, unsafe use.id == nil, unsafe use.app == nil { true } else { false }
  }

  /// Whether some bytes lie in others, and so are there as long as those.
  @inline(__always)
  private static func contains(_ chunk: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = chunk.baseAddress, let place = bytes.baseAddress else { return false }
    return UInt(bitPattern: place) &- UInt(bitPattern: start) < UInt(bitPattern: chunk.count)
  }

  /// Counts a refusal under its reason, and logs it now and then. Nothing of the line itself is logged.
  func noteRefusal(_ error: LineError, from sender: @autoclosure () -> String, now: Moment) {
    ledger.counters.refused[error.code] += 1
    log.limited(
      .warning, kind: error.code.rawValue, now: now.decay,
      "refused as \(error.code.rawValue), from \(sender()): \(error.message)")
  }
}
