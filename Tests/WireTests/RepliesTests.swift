import Foundation
import Testing
import Wire

private func text(_ body: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  body(&bytes)
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("Replies")
struct RepliesTests {
  @Test("An error names its line, its code and the reason")
  func writesErrors() throws {
    let refused = try #require(error(of: "a n=0"))
    #expect(
      text { errorReply(line: 3, refused, to: &$0) }
        == #"{"error":{"line":3,"code":"invalidCount","message":"the count is not valid at byte 5; "#
        + #"allowed is a whole number from 1 to 1000000"}}"# + "\n")
    #expect(
      text { errorReply(line: nil, .tooManyConnections(limit: 2), to: &$0) }
        .hasPrefix(#"{"error":{"code":"tooManyConnections","message":"#))
  }

  @Test("The summary counts by code")
  func writesSummaries() {
    var counts = RefusalCounts()
    counts[.invalidAction] = 12
    counts[.invalidJSON] = 1
    let summary = ReplyLimiter.Summary(firstLine: 101, lastLine: 113, counts: counts)
    #expect(
      text { suppressedReply(summary, to: &$0) }
        == #"{"error":{"suppressed":13,"firstLine":101,"lastLine":113,"codes":{"invalidAction":12,"invalidJSON":1}}}"#
        + "\n")
  }

  @Test("A sync says what was counted, and leaves out what there is not")
  func writesSyncs() {
    var counts = LineCounts()
    (counts.accepted, counts.refused) = (5000, 1)
    #expect(
      text { syncReply(seq: 7, counts, durable: false, reason: "disk full", to: &$0) }
        == #"{"sync":{"seq":7,"accepted":5000,"duplicates":0,"refused":1,"durable":false,"reason":"disk full"}}"# + "\n"
    )
    counts = LineCounts()
    (counts.duplicates, counts.blocked, counts.notRecorded) = (2, 3, 4)
    #expect(
      text { syncReply(seq: nil, counts, durable: true, reason: nil, to: &$0) }
        == #"{"sync":{"accepted":0,"duplicates":2,"refused":0,"blocked":3,"notRecorded":4,"durable":true}}"# + "\n")
  }

  @Test("An unknown name is repeated only if it is short visible ASCII")
  func echoesWithCare() {
    #expect(error(of: "a count=1")?.message.contains("'count'") == true)
    #expect(error(of: #"{"op":"reset"}"#)?.message.contains("'reset'") == true)
    for line in ["a sixteen-bytes-lo=1", "a \u{e9}=1", "a \u{1b}[31m=1", #"{"op":"\u001b[31m"}"#, #"{"op":"a b"}"#] {
      let message = error(of: line)?.message
      #expect(message?.contains("'") == false)
      #expect(message?.utf8.allSatisfy { (0x20...0x7e).contains($0) } == true)
    }
  }

  @Test("Every code has its own count, and words that do not fall back to the code")
  func coversAllCodes() {
    var counts = RefusalCounts()
    for (index, code) in RefusalCode.allCases.enumerated() { counts[code] = UInt64(index + 1) }
    for (index, code) in RefusalCode.allCases.enumerated() { #expect(counts[code] == UInt64(index + 1)) }
    #expect(counts.total == UInt64((1...RefusalCode.allCases.count).reduce(0, +)))
    let others: [LineError] = [
      .lineTooLong(limit: 4096), .datagramCut(limit: 65536), .notPermitted(.controlOnly), .notPermitted(.streamOnly),
      .tooManyConnections(limit: 1024),
    ]
    #expect(Set(others.map(\.message)).count == others.count)
    #expect(others[0].message.contains("4096"))
  }
}
