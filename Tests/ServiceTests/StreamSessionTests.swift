import Posix
import Ranking
import Testing
import Wire

@testable import Service

struct StreamSessionTests {
  @Test("a line that is fine gets no reply, and is counted")
  func silent() throws {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed("com.example.a n=3\n\n# comment\r\n{\"type\":\"com.example.b\"}\n  \n", to: session)
    #expect(try fixture.replies(of: session) == [])
    #expect(fixture.ledger.counters.accepted == 2)
    #expect(fixture.ledger.counters.uses == 4)
    #expect(fixture.ledger.ranking.actionCount == 2)
  }

  @Test("a refused line gets a reply with its number, whatever pieces it came in")
  func lineNumbers() throws {
    let text =
      "com.example.a\n\n#\nbad\u{7f}id\ncom.example.a n=0\ncom.example.a\n{\n\(String(repeating: "x", count: 300))\nx y=1\n"
    let expected = [
      (4, "invalidAction"), (5, "invalidCount"), (7, "invalidJSON"), (8, "lineTooLong"), (9, "unknownField"),
    ]
    for size in [1, 7, 100, 10_000] {
      let fixture = Fixture()
      let session = fixture.session(maxLineBytes: 256)
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes {
          session.take($0, now: fixture.ledger.now(), desk: fixture.desk)
        }
      }
      let replies = try fixture.replies(of: session)
      #expect(replies.count == expected.count)
      for (reply, (line, code)) in zip(replies, expected) {
        #expect(reply.hasPrefix("{\"error\":{\"line\":\(line),\"code\":\"\(code)\",\"message\":\""), "\(reply)")
      }
      #expect(fixture.ledger.counters.accepted == 2)
      #expect(fixture.ledger.counters.refused.total == 5)
      #expect(fixture.ledger.counters.refused[.lineTooLong] == 1)
    }
  }

  @Test("a sync tells what became of every line before it on its connection, and of no other's")
  func sync() throws {
    let fixture = Fixture()
    let (session, other) = (fixture.session(), fixture.session(.control))
    fixture.feed("a.b\na.b id=1\n", to: other)
    fixture.feed(
      "a.b\na.b id=1\na.b id=2\nbad id\u{7f}\n{\"op\":\"sync\",\"seq\":7}\na.c\n{\"op\":\"sync\"}\n", to: session)
    #expect(try fixture.replies(of: session).count == 1)
    fixture.answerSyncs(of: session)
    #expect(
      try fixture.replies(of: session) == [
        #"{"sync":{"seq":7,"accepted":2,"duplicates":1,"refused":1,"durable":true}}"#,
        #"{"sync":{"accepted":3,"duplicates":1,"refused":1,"durable":true}}"#,
      ])
    #expect(!session.hasPendingSyncs && session.owedSyncs == 0)
    #expect(!other.hasPendingSyncs)
    #expect(fixture.ledger.counters.syncs == 2)
    #expect(fixture.ledger.counters.accepted == 5)
    #expect(fixture.ledger.counters.duplicates == 1)
  }

  @Test("status is answered on the control socket and not permitted on the events socket")
  func status() throws {
    let fixture = Fixture()
    fixture.control.writeStatus = { $0.member("uses", 5) }
    let control = fixture.session(.control)
    fixture.feed("{\"op\":\"status\"}\n", to: control)
    #expect(try fixture.replies(of: control) == ["{\"status\":{\"uses\":5}}"])
    let events = fixture.session(.events)
    fixture.feed("\n{\"op\":\"status\"}\na.b\n{\"op\":\"sync\"}\n", to: events)
    fixture.answerSyncs(of: events)
    let replies = try fixture.replies(of: events)
    #expect(replies.first?.hasPrefix(#"{"error":{"line":2,"code":"notPermitted","#) == true)
    #expect(replies.last?.contains(#""accepted":1,"duplicates":0,"refused":1"#) == true)
    #expect(fixture.ledger.counters.refused[.notPermitted] == 1)
  }

  @Test("an op that there is not is refused by name", arguments: [Access.events, .control])
  func unknownOp(access: Access) throws {
    let fixture = Fixture()
    let session = fixture.session(access)
    fixture.feed("{\"op\":\"reboot\"}\n", to: session)
    let replies = try fixture.replies(of: session)
    #expect(replies.count == 1)
    #expect(replies.first?.hasPrefix(#"{"error":{"line":1,"code":"unknownOp","#) == true)
    #expect(replies.first?.contains("reboot") == true)
  }

  @Test("a connection gets a hundred errors a second, and then one summary with exact counts")
  func errorLimit() throws {
    let fixture = Fixture()
    let session = fixture.session()
    for _ in 0..<50 { fixture.feed("x n=0\n\u{1}\nx n=0\n", to: session) }
    let first = try fixture.replies(of: session)
    #expect(first.count == 100)
    #expect(first.last?.contains("\"line\":100,") == true)
    let due = try #require(session.summaryDueAt)
    #expect(due == fixture.ledger.now().decay + Fixture.second)
    fixture.clocks.advance(by: Fixture.second - 1)
    session.sendSummaryIfDue(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(session.replies.isEmpty)
    fixture.clocks.advance(by: 1)
    session.sendSummaryIfDue(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(
      try fixture.replies(of: session) == [
        #"{"error":{"suppressed":50,"firstLine":101,"lastLine":150,"codes":{"invalidAction":17,"invalidCount":33}}}"#
      ])
    #expect(session.summaryDueAt == nil)
    fixture.feed("x n=0\n", to: session)
    #expect(try fixture.replies(of: session).first?.contains("\"line\":151,") == true)
    #expect(fixture.ledger.counters.refused.total == 151)
    // One message a kind, not one a line.
    #expect(fixture.logLines.count == 2)
    #expect(fixture.logLines.allSatisfy { $0.contains("user 1000, process 42") })
  }

  @Test("the summary goes out at the end of the stream, though its second is not over")
  func summaryAtEnd() throws {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed(String(repeating: "x n=0\n", count: 101), to: session)
    session.finish(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(try fixture.replies(of: session).last?.hasPrefix("{\"error\":{\"suppressed\":1,") == true)
  }

  @Test("an unfinished last line counts as a line when the stream ends")
  func unfinished() throws {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed("a.b\na.b n=4", to: session)
    #expect(session.hasUnfinishedLine)
    #expect(fixture.ledger.counters.accepted == 1)
    session.finish(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(!session.hasUnfinishedLine)
    #expect(fixture.ledger.counters.uses == 5)
    let other = fixture.session()
    fixture.feed("a.b\nbad\u{7f}", to: other)
    other.finish(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(try fixture.replies(of: other).first?.hasPrefix(#"{"error":{"line":2,"code":"invalidAction","#) == true)
  }

  @Test("a client that reads nothing loses replies, each counted, and no event")
  func repliesLost() throws {
    let fixture = Fixture()
    let session = fixture.session()
    for _ in 0..<5000 { fixture.feed("a.b\n{\"op\":\"sync\"}\n", to: session) }
    #expect(fixture.ledger.counters.accepted == 5000)
    #expect(fixture.ledger.counters.repliesDropped > 0)
    let replies = try fixture.replies(of: session)
    // The first 1,024 wait for a commit; the others are told at once that too many do.
    #expect(session.owedSyncs == 1024)
    #expect(replies.count + Int(fixture.ledger.counters.repliesDropped) == 5000 - 1024)
    #expect(replies.allSatisfy { $0.hasPrefix("{\"sync\":{") && $0.hasSuffix("}}") })
    #expect(replies.allSatisfy { $0.contains(#""durable":false,"reason":"too many syncs wait""#) })
    let dropped = fixture.ledger.counters.repliesDropped
    fixture.answerSyncs(of: session)
    #expect(
      try fixture.replies(of: session).count + Int(fixture.ledger.counters.repliesDropped - dropped) == 1024)
  }

  @Test("a limit that is changed holds for the next line")
  func maxLineBytes() throws {
    let fixture = Fixture()
    let session = fixture.session(maxLineBytes: 300)
    let line = "a.b id=1" + String(repeating: " ", count: 250) + "\n"
    fixture.feed(line, to: session)
    session.maxLineBytes = 256
    fixture.feed(line, to: session)
    #expect(fixture.ledger.counters.accepted == 1)
    #expect(fixture.ledger.counters.refused[.lineTooLong] == 1)
  }
}
