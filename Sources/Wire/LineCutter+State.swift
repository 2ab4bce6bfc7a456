/// Where a cutter stands between two chunks: what has to be kept for it to go on after a restart.
package struct CutterState: Equatable, Sendable {
  /// The number of the last line that was returned.
  package var lineNumber: UInt64
  /// The bytes of a line whose end has not come: at most one more than its limit.
  package var unfinished: [UInt8]
  /// Whether a line over the limit is being skipped.
  package var isSkipping: Bool

  package init(lineNumber: UInt64 = 0, unfinished: [UInt8] = [], isSkipping: Bool = false) {
    self.lineNumber = lineNumber
    self.unfinished = unfinished
    self.isSkipping = isSkipping
  }
}

extension LineCutter {
  /// A cutter that goes on where another one stood.
  package init(maxLineBytes: Int, resuming state: CutterState) {
    self.init(maxLineBytes: maxLineBytes)
    lineNumber = state.lineNumber
    if state.isSkipping {
      isSkipping = true
    } else {
      unsafe state.unfinished.withUnsafeBytes { if unsafe !$0.isEmpty { unsafe store($0) } }
    }
  }

  /// Where the cutter stands.
  package var state: CutterState {
    var unfinished: [UInt8] = []
    if hasUnfinishedLine, !isSkipping, let storage = unsafe storage { unfinished = unsafe Array(storage[..<stored]) }
    return CutterState(lineNumber: lineNumber, unfinished: unfinished, isSkipping: isSkipping)
  }
}
