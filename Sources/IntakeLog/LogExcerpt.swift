/// A part of a log that was kept elsewhere: its bytes from one record's beginning to another's end.
package struct LogExcerpt {
  private let identity: UInt64
  private let ringSize: Int
  private let start: UInt64
  private let bytes: [UInt8]

  /// - Parameters:
  ///   - identity: which log it is of.
  ///   - ringSize: that log's ``IntakeLog/ringSize``.
  ///   - start: the offset at which the bytes begin.
  ///   - bytes: what ``IntakeLog/bytes(from:)`` gave, one after the other.
  package init(identity: UInt64, ringSize: Int, start: UInt64, bytes: [UInt8]) {
    self.identity = identity
    self.ringSize = ringSize
    self.start = start
    self.bytes = bytes
  }

  /// Hands over the records, in order, up to the end or the first damage.
  ///
  /// - Complexity: O(bytes).
  package func replay(_ body: (LoggedRecord) -> Void) -> ReplayOutcome {
    var outcome = ReplayOutcome(end: start)
    guard ringSize > 0 else {
      outcome.damage = .record
      return outcome
    }
    let end = start.addingReportingOverflow(UInt64(bytes.count)).partialValue
    unsafe bytes.withUnsafeBytes { bytes in
      let reader = unsafe RingReader(bytes, from: start, capacity: ringSize, identity: identity)
      while outcome.end < end {
        guard let entry = reader.entry(at: outcome.end) else {
          outcome.damage = .record
          return
        }
        if let record = entry.record {
          outcome.records += 1
          body(record)
        }
        outcome.end = entry.end
      }
    }
    return outcome
  }
}
