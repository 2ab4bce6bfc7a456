import Ranking
import Storage
import Testing
import Wire

@testable import Service

struct SessionStateTests {
  private func counts(_ random: inout some RandomNumberGenerator) -> LineCounts {
    var counts = LineCounts()
    counts.accepted = random.next() >> 1
    counts.duplicates = random.next() >> 1
    counts.refused = random.next() >> 1
    counts.blocked = random.next() >> 1
    counts.notRecorded = random.next() >> 1
    return counts
  }

  @Test("a stream's state is the same after it was a row")
  func row() {
    var random = SystemRandomNumberGenerator()
    for number in 0..<200 as Range<UInt64> {
      let count = Int.random(in: 0..<300)
      let isSkipping = Bool.random()
      let state = SessionState(
        access: Access.allCases[Int.random(in: 0...1)],
        cutter: CutterState(
          lineNumber: random.next() >> 1, unfinished: (0..<count).map { _ in UInt8.random(in: 0...255) },
          isSkipping: isSkipping),
        counts: counts(&random),
        skipsUnknownRest: isSkipping && Bool.random(),
        pendingSyncs: (0..<Int.random(in: 0..<5)).map { _ in Bool.random() ? nil : Int64.random(in: .min ... .max) })
      let row = state.row(number)
      #expect(row.number == number)
      #expect(row.isControl == (state.access == .control))
      #expect(SessionState(row) == state)
    }
  }

  @Test("a stream goes on from its state as if nothing had been between", arguments: [1, 3, 7, 50])
  func resumes(size: Int) throws {
    let text = "a.b\nbad n=0\na.b id=1\na.b id=1\n" + String(repeating: "x", count: 400) + "\na.c\nbad\u{7f}\na.d n=3"
    let fixture = Fixture()
    var session = fixture.session(maxLineBytes: 256)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      fixture.feed(bytes[start..<min(start + size, bytes.count)], to: session)
      let state = session.state
      session = StreamSession(state, maxLineBytes: 256, now: fixture.ledger.now())
      #expect(session.state == state)
    }
    session.finish(now: fixture.ledger.now(), desk: fixture.desk)
    #expect(session.state.cutter == CutterState(lineNumber: 8))
    #expect((session.state.counts.accepted, session.state.counts.duplicates, session.state.counts.refused) == (4, 1, 3))
    #expect(fixture.ledger.counters.uses == 6)
  }

  @Test("syncs that were not answered are owed by the stream that goes on")
  func pendingSyncs() throws {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed("a.b\n{\"op\":\"sync\",\"seq\":5}\n{\"op\":\"sync\"}\n", to: session)
    let next = StreamSession(session.state, maxLineBytes: 256, now: fixture.ledger.now())
    #expect(next.owedSyncs == 2 && next.hasPendingSyncs)
    #expect(next.firstSyncAskedAt == fixture.ledger.now().decay)
    fixture.answerSyncs(of: next)
    #expect(
      try fixture.replies(of: next) == [
        #"{"sync":{"seq":5,"accepted":1,"duplicates":0,"refused":0,"durable":true}}"#,
        #"{"sync":{"accepted":1,"duplicates":0,"refused":0,"durable":true}}"#,
      ])
  }

  @Test("a stream met in the middle passes over what comes before the first line end, which is no refusal")
  func unknown() throws {
    for rest in ["st of a line\n", "\n", String(repeating: "x", count: 5000) + "\n"] {
      let fixture = Fixture()
      let session = StreamSession(
        restoredWithoutState: .events, maxLineBytes: 256, now: fixture.ledger.now())
      fixture.feed(rest + "a.b\nbad n=0\n" + String(repeating: "y", count: 300) + "\n", to: session)
      #expect(fixture.ledger.counters.unknownRests == 1)
      #expect(fixture.ledger.counters.accepted == 1)
      #expect(fixture.ledger.counters.refused.total == 2)
      #expect(try fixture.replies(of: session).count == 2)
    }
  }
}
