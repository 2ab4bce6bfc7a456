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
    #expect(seen.map(\.done) == [4, 8, 10, 12] && seen.allSatisfy { $0.total == 12 })
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

  @Test("the table has the best ranker first and four digits; JSON keeps the rankers' order")
  func texts() throws {
    let trace = Trace(users: [user(uses((0, "aaabcdeea")))], refusedLines: 1)
    let report = Evaluation.run(trace: trace, rankers: [.latestUse, .useCount])
    #expect(
      report.table == """
        1 user, 9 uses, 5 actions, 1 refused line
        of an action used before: 0.4444 (users' mean), 0.4444 (all uses)

                    hit@4           MRR@4           churn
        ranker    mean  pooled    mean  pooled    mean  pooled
        lfu     0.4444  0.4444  0.3889  0.3889  0.5556  0.5556
        mru     0.3333  0.3333  0.3333  0.3333  0.5556  0.5556

        """)
    var json = JSONWriter()
    report.write(to: &json)
    let node = try JSONNode.object(json.bytes)
    #expect(node["uses"]?.integer == 9 && node["refusedLines"]?.integer == 1)
    #expect(node["rankers"]?.elements?.map { $0["name"]?.string } == ["mru", "lfu"])
    #expect(node["rankers"]?.elements?.last?["hit4"]?["pooled"]?.double == 0.444444)
  }

  @Test("no two rankers have one name")
  func names() { #expect(Set(Contender.all.map(\.name)).count == Contender.all.count) }
}
