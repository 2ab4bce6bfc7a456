// What goes back to a client: each of these appends one line of JSON with its LF.

/// Appends the reply to a refused line: `{"error":{"line":3,"code":"invalidAction","message":"…"}}`. Without a line it
/// is about the connection.
///
/// - Parameters:
///   - op: what was asked for, if the line was a request.
///   - seq: of the request, if it could be read.
package func errorReply(
  line: UInt64?, _ error: LineError, op: OpName? = nil, seq: Int64? = nil, to bytes: inout [UInt8]
) {
  appendReply("error", to: &bytes) { json in
    if let line { json.member("line", line) }
    json.member("code", error.code.rawValue)
    json.member("message", error.message)
    if let op { json.member("op", op.rawValue) }
    if let seq { json.member("seq", seq) }
  }
}

/// Appends the summary of refusals that got no reply of their own:
/// `{"error":{"suppressed":12,"firstLine":101,"lastLine":112,"codes":{"invalidAction":12}}}`.
package func suppressedReply(_ summary: ReplyLimiter.Summary, to bytes: inout [UInt8]) {
  appendReply("error", to: &bytes) { json in
    json.member("suppressed", summary.counts.total)
    json.member("firstLine", summary.firstLine)
    json.member("lastLine", summary.lastLine)
    json.member(
      "codes",
      object: { json in
        for code in RefusalCode.allCases where summary.counts[code] > 0 {
          json.member(code.rawValue, summary.counts[code])
        }
      })
  }
}

/// What became of the lines of a connection: each is counted under one of these, but for those that say nothing.
package struct LineCounts: Equatable, Sendable {
  /// Counted as uses.
  package var accepted: UInt64 = 0
  /// Known by their idempotency ids.
  package var duplicates: UInt64 = 0
  /// Refused.
  package var refused: UInt64 = 0
  /// Uses of what is blocked.
  package var blocked: UInt64 = 0
  /// Uses that came while nothing is recorded.
  package var notRecorded: UInt64 = 0

  package init() {}
}

/// Appends the reply to a sync: `{"sync":{"seq":7,"accepted":5000,"duplicates":0,"refused":1,"durable":true}}`.
///
/// `seq` is left out if the request had none, `reason` if there is none, and so are `blocked` and `notRecorded` while
/// they are 0. The counts are of lines since the connection began.
package func syncReply(
  seq: Int64?, _ counts: LineCounts, durable: Bool, reason: String?, to bytes: inout [UInt8]
) {
  appendReply("sync", to: &bytes) { json in
    if let seq { json.member("seq", seq) }
    json.member("accepted", counts.accepted)
    json.member("duplicates", counts.duplicates)
    json.member("refused", counts.refused)
    if counts.blocked > 0 { json.member("blocked", counts.blocked) }
    if counts.notRecorded > 0 { json.member("notRecorded", counts.notRecorded) }
    json.member("durable", durable)
    if let reason { json.member("reason", reason) }
  }
}

/// Appends one line: an object with one member, `name`, whose members `body` writes.
package func appendReply(_ name: String, to bytes: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
  var json = JSONWriter()
  json.object { $0.member(name, object: body) }
  json.newline()
  bytes.append(contentsOf: json.bytes)
}
