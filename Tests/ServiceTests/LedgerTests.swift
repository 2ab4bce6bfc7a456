import Ranking
import Testing
import Wire

@testable import Service

struct LedgerTests {
  @Test("a use whose id was seen counts nothing, until a day has passed")
  func duplicates() {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed("a.b id=x\na.b id=x n=5\nc.d id=x\na.b id=y\n", to: session)
    #expect(fixture.ledger.counters.accepted == 2)
    #expect(fixture.ledger.counters.uses == 2)
    #expect(fixture.ledger.counters.duplicates == 2)
    fixture.clocks.advance(by: 25 * Fixture.hour)
    fixture.feed("a.b id=x\n", to: session)
    #expect(fixture.ledger.counters.accepted == 3)
  }

  @Test("a refused line does not use up its id")
  func refusedKeepsID() {
    let fixture = Fixture()
    let session = fixture.session()
    fixture.feed("a.b id=x n=0\na.b id=x\n", to: session)
    #expect(fixture.ledger.counters.accepted == 1)
    #expect(fixture.ledger.counters.duplicates == 0)
  }

  @Test("times in the future and over ten years back are moved and counted")
  func clamped() {
    let fixture = Fixture()
    let now = fixture.clocks.wall / Fixture.second
    fixture.feed(
      "a.a t=\(now + 1)\na.b t=\(now * 1000)\na.c t=0\na.d t=\(now)\na.e t=\(now - 3600)\n", to: fixture.session())
    #expect(fixture.ledger.counters.accepted == 5)
    #expect(fixture.ledger.counters.clamped == 3)
  }

  @Test("a step of the wall clock is counted and logged, and changes no score")
  func wallStep() {
    let fixture = Fixture()
    fixture.use("a.b", times: 8)
    let before = fixture.ledger.ranking.ranking(at: fixture.ledger.now().decay)
    fixture.clocks.wall += 400 * 24 * Fixture.hour
    let after = fixture.ledger.ranking.ranking(at: fixture.ledger.now().decay)
    #expect(before == after)
    #expect(fixture.ledger.counters.wallSteps == 1)
    #expect(fixture.logLines.count == 1)
    _ = fixture.ledger.now()
    #expect(fixture.ledger.counters.wallSteps == 1)
  }

  @Test("a moment follows the clock of the boot")
  func moments() {
    let fixture = Fixture()
    let first = fixture.ledger.now()
    #expect(first == fixture.ledger.startedAt)
    fixture.clocks.advance(by: 5)
    #expect(fixture.ledger.now().decay == first.decay + 5)
    fixture.clocks.boot -= 3
    #expect(fixture.ledger.now().decay == first.decay + 5)
  }
}
