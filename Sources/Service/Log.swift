import Posix

/// How much a message matters; the numbers are syslog's.
package enum Severity: Int, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6

  var word: String {
    switch self {
    case .error: "error: "
    case .warning: "warning: "
    case .notice, .info: ""
    }
  }
}

/// Messages to standard error, a line each. What may repeat is limited, with totals.
package final class Log {
  private let isUnderSystemd: Bool
  private let write: (String) -> Void
  private var limiter = RepeatLimiter()

  /// - Parameters:
  ///   - isUnderSystemd: whether to put `<4>`-style priorities before each line, for the journal.
  ///   - write: where lines go.
  package init(isUnderSystemd: Bool, write: @escaping (String) -> Void = Process.writeToStandardError) {
    self.isUnderSystemd = isUnderSystemd
    self.write = write
  }

  /// Writes a message that can't come often.
  package func callAsFunction(_ severity: Severity, _ message: String) {
    let line = message.map { $0.isNewline ? " " : String($0) }.joined()
    write(isUnderSystemd ? "<\(severity.rawValue)>\(line)\n" : "quickactionsd: \(severity.word)\(line)\n")
  }

  /// Writes a message that may come often: one of a kind a minute, the others as a number.
  ///
  /// - Parameters:
  ///   - kind: what counts as the same; kinds are few and fixed.
  ///   - now: decay time.
  package func limited(_ severity: Severity, kind: String, now: Int64, _ message: @autoclosure () -> String) {
    if limiter.admit(kind, severity, now: now) { self(severity, message()) }
  }

  /// Writes the totals that have come due; call it now and then. At the end, with `all`, every one.
  package func writeTotals(now: Int64, all: Bool = false) {
    for total in limiter.totals(now: now, all: all) {
      self(total.severity, "\(total.kind): \(total.count) more of these since")
    }
  }
}

/// Lets one message of a kind through each minute, and counts the others.
struct RepeatLimiter {
  struct Total: Equatable {
    let kind: String
    let severity: Severity
    let count: UInt64
  }

  private static let window: Int64 = 60_000_000_000
  private var kinds: [String: (severity: Severity, windowEnd: Int64, suppressed: UInt64)] = [:]

  mutating func admit(_ kind: String, _ severity: Severity, now: Int64) -> Bool {
    guard let known = kinds[kind], now < known.windowEnd || known.suppressed > 0 else {
      kinds[kind] = (severity, now + Self.window, 0)
      return true
    }
    kinds[kind] = (severity, known.windowEnd, known.suppressed + 1)
    return false
  }

  /// Takes the numbers of what was suppressed in windows that are over.
  mutating func totals(now: Int64, all: Bool) -> [Total] {
    var totals: [Total] = []
    for (kind, state) in kinds.sorted(by: { $0.key < $1.key }) where all || now >= state.windowEnd {
      if state.suppressed > 0 { totals.append(Total(kind: kind, severity: state.severity, count: state.suppressed)) }
      kinds[kind] = state.suppressed > 0 ? (state.severity, now + Self.window, 0) : nil
    }
    return totals
  }
}
