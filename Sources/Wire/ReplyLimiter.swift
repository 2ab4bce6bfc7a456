/// Holds the error replies on one connection to 100 a second; what is over that is counted and told in one summary when
/// the second is over.
///
/// A second begins with the first refusal after the last one ended. Times are nanoseconds of any clock that does not go
/// backward.
package struct ReplyLimiter: Sendable {
  /// Most error replies within a second.
  package static let maxReplies = 100
  private static let window: Int64 = 1_000_000_000

  /// What was refused without a reply of its own.
  package struct Summary: Equatable, Sendable {
    /// Number of the first of these lines.
    package var firstLine: UInt64
    /// Number of the last of these lines.
    package var lastLine: UInt64
    /// How many by code.
    package var counts: RefusalCounts

    /// A summary of lines from `firstLine` to `lastLine`.
    package init(firstLine: UInt64, lastLine: UInt64, counts: RefusalCounts) {
      self.firstLine = firstLine
      self.lastLine = lastLine
      self.counts = counts
    }
  }

  private var windowEnd: Int64 = .min
  private var replies = 0
  private var pending: Summary?

  /// When a summary has to go out; nil if nothing was suppressed.
  package private(set) var dueAt: Int64?

  /// A limiter with nothing counted.
  package init() {}

  /// Whether the refusal of `line` gets its own reply; if not, it is counted for the summary.
  package mutating func admit(line: UInt64, code: RefusalCode, now: Int64) -> Bool {
    if now >= windowEnd {
      windowEnd = now.addingReportingOverflow(Self.window).overflow ? .max : now + Self.window
      replies = 0
    }
    if replies < Self.maxReplies {
      replies += 1
      return true
    }
    var summary = pending ?? Summary(firstLine: line, lastLine: line, counts: RefusalCounts())
    summary.lastLine = line
    summary.counts[code] += 1
    pending = summary
    if dueAt == nil { dueAt = windowEnd }
    return false
  }

  /// Takes the summary if it is due.
  package mutating func summary(now: Int64) -> Summary? {
    guard let dueAt, now >= dueAt else { return nil }
    return finalSummary()
  }

  /// Takes the summary whether it is due or not, because the connection ends.
  package mutating func finalSummary() -> Summary? {
    defer {
      pending = nil
      dueAt = nil
    }
    return pending
  }
}
