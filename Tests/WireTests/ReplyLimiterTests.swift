import Testing
import Wire

private let second: Int64 = 1_000_000_000

@Suite("Limiting replies")
struct ReplyLimiterTests {
  @Test("A hundred replies a second go out, the rest is counted and told once the second is over")
  func limits() {
    var limiter = ReplyLimiter()
    var admitted = 0
    for line in 1...UInt64(1000)
    where limiter.admit(line: line, code: line % 2 == 0 ? .invalidAction : .invalidJSON, now: 5) {
      admitted += 1
    }
    #expect(admitted == 100)
    #expect(limiter.dueAt == 5 + second)
    let early = limiter.summary(now: 4 + second)
    #expect(early == nil)
    let summary = limiter.summary(now: 5 + second)
    #expect(summary?.firstLine == 101 && summary?.lastLine == 1000)
    #expect(summary?.counts[.invalidAction] == 450 && summary?.counts[.invalidJSON] == 450)
    #expect(summary?.counts.total == 900)
    #expect(limiter.dueAt == nil)
    let again = limiter.summary(now: 9 * second)
    #expect(again == nil)
  }

  @Test("A new second admits a hundred again, and a summary not yet taken is not lost")
  func startsAgain() {
    var limiter = ReplyLimiter()
    for line in 1...UInt64(101) { _ = limiter.admit(line: line, code: .invalidApp, now: 0) }
    let isAdmitted = limiter.admit(line: 102, code: .invalidApp, now: second)
    #expect(isAdmitted)
    for line in 103...UInt64(202) { _ = limiter.admit(line: line, code: .invalidApp, now: second) }
    #expect(limiter.dueAt == second)
    let (final, none) = (limiter.finalSummary(), limiter.finalSummary())
    #expect(final?.counts.total == 2)
    #expect(none == nil)
  }

  @Test("Few errors need no summary, and the ends of time do not overflow")
  func needsNoSummary() {
    var limiter = ReplyLimiter()
    for line in 1...UInt64(100) {
      let isAdmitted = limiter.admit(line: line, code: .invalidId, now: Int64.max - 1)
      #expect(isAdmitted)
    }
    #expect(limiter.dueAt == nil)
    let final = limiter.finalSummary()
    #expect(final == nil)
  }
}
