import Wire

/// How much of a trace is held in memory: 16 bytes a use, and some 200 an action.
struct TraceLimits {
  /// Most uses of all users.
  var uses = 20_000_000
  /// Most different actions of all users, added up.
  var actions = 1_000_000
  /// Most bytes of a line.
  var lineBytes = 4096
}

extension Trace {
  /// Reads a trace, plain or compressed with gzip: rows of user, Unix seconds and action, or an export of the daemon.
  ///
  /// - Parameters:
  ///   - path: of a file or pipe.
  ///   - fault: told of each line that is refused; the others count all the same.
  /// - Throws: what keeps the file from being read to its end.
  /// - Complexity: O(n) for rows. Memory goes with the uses, never with what is refused.
  package static func read(_ path: String, fault: (TraceFault) -> Void) throws(TraceFailure) -> Trace {
    try read(path, TraceLimits(), fault: fault)
  }

  static func read(
    _ path: String, _ limits: TraceLimits, fault: (TraceFault) -> Void
  ) throws(TraceFailure) -> Trace {
    let file = try CompressedFile(path)
    var reader = TraceReader(limits)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try file.read(&chunk)
      if count == 0 { break }
      try reader.take(chunk, count, fault)
    }
    return try reader.finish(fault)
  }
}

/// From bytes to a trace.
private struct TraceReader: ~Copyable {
  private var cutter: LineCutter
  private var parser = LineParser()
  private var builder: TraceBuilder
  private var refusedLines = 0

  init(_ limits: TraceLimits) {
    cutter = LineCutter(maxLineBytes: limits.lineBytes)
    builder = TraceBuilder(limits)
  }

  mutating func take(_ chunk: [UInt8], _ count: Int, _ fault: (TraceFault) -> Void) throws(TraceFailure) {
    try unsafe chunk.withUnsafeBufferPointer { (bytes) throws(TraceFailure) in
      var rest = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count]))
      while let cut = unsafe cutter.next(&rest) { try take(cut, fault) }
    }
  }

  consuming func finish(_ fault: (TraceFault) -> Void) throws(TraceFailure) -> Trace {
    if let cut = cutter.finish() { try take(cut, fault) }
    return builder.finish(refusedLines: refusedLines)
  }

  private mutating func take(_ cut: Cut, _ fault: (TraceFault) -> Void) throws(TraceFailure) {
    let line: TraceLine
    do throws(TraceFault.Reason) {
      switch cut {
      case .line(let bytes, _): line = unsafe try TraceLine(bytes, &parser)
      case .tooLong: throw .tooLong(limit: cutter.maxLineBytes)
      }
    } catch {
      refusedLines += 1
      return fault(TraceFault(line: cutter.lineNumber, reason: error))
    }
    try builder.add(line)
  }
}
