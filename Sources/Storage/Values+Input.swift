/// What one commit stores of what has come in, as it came: what that changes is stored later, by a ``CommitBatch``, and
/// until then worked out again at each start.
///
/// Nothing is copied. Whoever makes one sees to it that the bytes stay where they are, and as they are, until the
/// commit is done; so one can be handed to another thread.
@safe
package struct InputBatch: @unchecked Sendable {
  /// Where the commit before has ended, of whichever kind it was.
  package let start: LogPosition
  /// How many bytes the intake log's ring has.
  package let ringSize: Int
  /// What the intake log holds from there on, in order.
  package let parts: [UnsafeRawBufferPointer]
  /// Counters that nothing that came in tells.
  package var totals: [(name: String, value: UInt64)] = []

  package init(start: LogPosition, ringSize: Int, parts: [UnsafeRawBufferPointer]) {
    self.start = start
    self.ringSize = ringSize
    unsafe self.parts = parts
  }

  /// How many bytes that are.
  package var count: Int { unsafe parts.reduce(0) { $0 + $1.count } }
}

/// What has come in since the other tables were written, as it was stored by ``InputBatch``.
package struct PendingInput: Equatable, Sendable {
  /// Where the bytes begin: up to there the other tables contain the intake log.
  package let start: LogPosition
  /// How many bytes the intake log's ring has.
  package let ringSize: Int
  package private(set) var bytes: [UInt8]

  package init(start: LogPosition, ringSize: Int, bytes: [UInt8]) {
    self.start = start
    self.ringSize = ringSize
    self.bytes = bytes
  }

  /// Where they end.
  package var end: LogPosition { LogPosition(log: start.log, offset: start.offset &+ UInt64(bytes.count)) }

  /// Adds a row to those that precede it, the first of which begins at `start`.
  ///
  /// - Returns: false if it does not follow on them; then nothing is added.
  static func append(_ row: InputRecord, to input: inout PendingInput?, from start: LogPosition?) -> Bool {
    guard row.start == input?.end ?? start, input.map({ $0.ringSize == row.ringSize }) ?? true else { return false }
    if input == nil { input = PendingInput(start: row.start, ringSize: row.ringSize, bytes: []) }
    input?.bytes += row.bytes
    return true
  }
}
