import Testing
import Wire

@testable import Evaluation

struct ReplayTests {
  @Test("a use is a hit if its action was among the best four before it; the first use of an action never is")
  func hits() {
    // Before b: a. Before a: b, a. Before a: a, b. Before c: a, b.
    let figures = Contender.useCount.replay(user(uses((0, "abaac"))))
    #expect(figures == UserFigures(uses: 5, hits: 2, reciprocals: 1.5, changes: 2))
  }

  @Test("the fifth of five is no hit, and whoever comes in for it is a change")
  func fifth() {
    // Four come in one by one, then e for a, then a for b.
    let figures = Contender.latestUse.replay(user(uses((0, "abcdeab"))))
    #expect(figures == UserFigures(uses: 7, hits: 0, reciprocals: 0, changes: 6))
    #expect(Contender.latestUse.replay(user(uses((0, "abcdaaa")))).reciprocals == 0.25 + 1 + 1)
  }

  @Test("means are over users, each worth the same, or pooled over uses")
  func means() {
    let trace = Trace(users: [user(uses((0, "aaaa"))), user(uses((0, "ab")))], refusedLines: 3)
    var seen: [Evaluation.Progress] = []
    let report = Evaluation.run(trace: trace, rankers: [.latestUse, .useCount]) { seen.append($0) }
    // What another thread has tried is told with what comes next here, if anything does.
    #expect(seen.map(\.done) == seen.map(\.done).sorted() && seen.allSatisfy { $0.total == 12 && $0.done <= 12 })
    #expect((report.users, report.uses, report.actions, report.refusedLines) == (2, 6, 3, 3))
    #expect((report.repeats.mean, report.repeats.pooled) == (0.375, 0.5))
    #expect(report.rows.map(\.name) == ["mru", "lfu"])
    #expect((report.rows[0].hit.mean, report.rows[0].hit.pooled) == (0.375, 0.5))
    #expect((report.rows[0].reciprocalRank.mean, report.rows[0].churn.mean) == (0.375, 0.375))
  }

  @Test("a trace without a user has figures of 0")
  func empty() {
    let report = Evaluation.run(trace: Trace(users: [], refusedLines: 0), rankers: [.latestUse])
    #expect(report.rows[0].hit.mean == 0 && report.rows[0].hit.pooled == 0)
  }

  @Test("JSON has the rows that are wanted, in the rankers' order, and six digits")
  func json() throws {
    let trace = Trace(users: [user(uses((0, "aaabcdeea")))], refusedLines: 1)
    let report = Evaluation.run(trace: trace, rankers: [.latestUse, .rofi, .useCount, .halfLife(uses: 5)])
    var json = JSONWriter()
    json.object { report.write(to: &$0) { $0.name != "rofi" } }
    let node = try JSONNode.object(json.bytes)
    #expect(node["uses"]?.integer == 9 && node["refusedLines"]?.integer == 1)
    #expect(node["bestFixed"]?.string == "5 uses")
    let rows = node["rankers"]?.elements ?? []
    #expect(rows.map { $0["name"]?.string } == ["mru", "lfu", "5 uses"])
    #expect(rows[1]["hit4"]?["pooled"]?.double == 0.444444)
    #expect(rows.map { $0["shareOfBest"]?.double } == [0.75, 1, 1])
  }

  @Test("whoever takes part is measured by the fixed half-life that hit most, if one did")
  func shareOfBest() {
    let trace = Trace(users: [user(uses((0, "abcdefaaaaaf")))], refusedLines: 0)
    let report = Evaluation.run(trace: trace, rankers: [.useCount] + Contender.fixedHalfLives.reversed())
    #expect(report.bestFixed == report.rows[1...].max { $0.hit.mean < $1.hit.mean })
    #expect(report.rows[1...].allSatisfy { (report.shareOfBest($0) ?? 2) <= 1 })
    #expect(Evaluation.run(trace: trace, rankers: [.useCount]).bestFixed == nil)
    let unlucky = Evaluation.run(
      trace: Trace(users: [user(uses((0, "ab")))], refusedLines: 0), rankers: Contender.fixedHalfLives)
    #expect(unlucky.rows.allSatisfy { unlucky.shareOfBest($0) == nil })
  }

  @Test("no two rankers have one name")
  func names() { #expect(Set(Contender.all.map(\.name)).count == Contender.all.count) }
}
