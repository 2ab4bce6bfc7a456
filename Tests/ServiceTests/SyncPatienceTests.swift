import Ranking
import Testing
import Wire

@testable import Service

struct SyncPatienceTests {
  private static let second: Int64 = 1_000_000_000

  @Test("the first sync that waits decides when to look, and no later one does")
  func first() {
    var patience = SyncPatience()
    #expect(patience.end == nil)
    #expect(patience.note(askedAt: 10 * Self.second) == 15 * Self.second)
    #expect(patience.note(askedAt: 11 * Self.second) == nil)
    #expect(patience.end == 15 * Self.second)
  }

  @Test("whoever has waited five seconds has waited too long, and the next is looked for in its time")
  func late() {
    var patience = SyncPatience()
    _ = patience.note(askedAt: 10 * Self.second)
    #expect(patience.look(at: 15 * Self.second) == 10 * Self.second)
    #expect(patience.end == nil)
    // One that was asked at 13 waits still.
    #expect(patience.note(askedAt: 13 * Self.second) == 18 * Self.second)
    #expect(patience.look(at: 18 * Self.second + 7) == 13 * Self.second + 7)
  }

  @Test("the ends of time are times like any other")
  func ends() {
    var patience = SyncPatience()
    #expect(patience.note(askedAt: .max) == .max)
    #expect(patience.look(at: .min) == .min)
  }

  @Test("a stream gives away those of its syncs that have waited too long, each once, and keeps the others")
  func stream() throws {
    let fixture = Fixture()
    let session = fixture.session()
    let start = fixture.ledger.now().decay
    for seq in 1...3 {
      fixture.feed("a.b\n{\"op\":\"sync\",\"seq\":\(seq)}\n", to: session)
      fixture.clocks.advance(by: Self.second)
    }
    #expect(session.firstSyncAskedAt == start)
    #expect(session.takePendingSyncs(askedUntil: start - 1) == [])
    let late = session.takePendingSyncs(askedUntil: start + Self.second)
    #expect(late.map(\.seq) == [1, 2] && late.map(\.counts.accepted) == [1, 2])
    #expect(session.firstSyncAskedAt == start + 2 * Self.second)
    #expect(session.owedSyncs == 3)
    for sync in late { session.answer(sync, unsafeBecause: "it took too long", desk: fixture.desk) }
    #expect(session.owedSyncs == 1)
    #expect(
      try fixture.replies(of: session).last
        == #"{"sync":{"seq":2,"accepted":2,"duplicates":0,"refused":0,"durable":false,"reason":"it took too long"}}"#)
    #expect(session.takePendingSyncs().map(\.seq) == [3])
  }
}
