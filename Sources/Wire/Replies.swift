// What goes back to a client: each of these appends one line of JSON with its LF.

/// Appends the reply to a refused line: `{"error":{"line":3,"code":"invalidAction","message":"…"}}`. Without a line it
/// is about the connection.
package func errorReply(line: UInt64?, _ error: LineError, to bytes: inout [UInt8]) {
  appendReply("error", to: &bytes) { json in
    if let line { json.member("line", line) }
    json.member("code", error.code.rawValue)
    json.member("message", error.message)
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

/// Appends the reply to a sync: `{"sync":{"seq":7,"accepted":5000,"duplicates":0,"refused":1,"durable":true}}`.
///
/// `seq` is left out if the request had none, `reason` if there is none. The counts are of lines since the connection
/// began.
package func syncReply(
  seq: Int64?, accepted: UInt64, duplicates: UInt64, refused: UInt64, durable: Bool, reason: String?,
  to bytes: inout [UInt8]
) {
  appendReply("sync", to: &bytes) { json in
    if let seq { json.member("seq", seq) }
    json.member("accepted", accepted)
    json.member("duplicates", duplicates)
    json.member("refused", refused)
    json.member("durable", durable)
    if let reason { json.member("reason", reason) }
  }
}

private func appendReply(_ name: String, to bytes: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
  var json = JSONWriter()
  json.object { $0.member(name, object: body) }
  json.newline()
  bytes.append(contentsOf: json.bytes)
}
