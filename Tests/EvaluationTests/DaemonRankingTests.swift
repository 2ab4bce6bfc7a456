import Ranking
import Testing
import TestSupport

@testable import Evaluation

/// The row of the daemon, which its own code makes.
struct DaemonRankingTests {
  /// What comes of asking the daemon's ranking itself for what it shows, before each use.
  private static func asked(_ user: Trace.User) -> UserFigures {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: 7 * day), limit: 4, seed: (1, 2))
    var figures = UserFigures(uses: user.uses.count)
    var before: [[UInt8]] = []
    for (index, use) in user.uses.enumerated() {
      let id = Array("action.\(use.action)".utf8)
      if index > 0 {
        let shown = ranking.ranking(ofApp: 0, at: use.time).map(\.id)
        figures.changes += shown.filter { !before.contains($0) }.count
        if let place = shown.firstIndex(of: id) {
          figures.hits += 1
          figures.reciprocals += 1 / Double(place + 1)
        }
        before = shown
      }
      let time = UseTime(clientTime: nil, now: Moment(decay: use.time, wall: use.time))
      id.withUnsafeBytes { id in
        _ = Array("app".utf8).withUnsafeBytes { ranking.count(id, app: $0, uses: 1, at: time) }
      }
    }
    return figures
  }

  @Test("it is what the daemon's ranking shows before each use, place by place")
  func shown() {
    var random = SeededRandom()
    for _ in 0..<40 {
      let actions = Int.random(in: 1...700, using: &random)
      var time = Int64.random(in: -day...day, using: &random)
      let made = user(
        (0..<300).map { _ in
          time += Int64.random(in: 0...day, using: &random)
          return (time, Int.random(in: 0..<actions, using: &random) % Int.random(in: 1...actions, using: &random))
        })
      #expect(Contender.daemon().replay(made) == Self.asked(made), "seed \(random.seed)")
    }
  }

  @Test("the first four uses of four actions are no hits, and each further one is, whatever the times are")
  func few() {
    for time in [0, day, -(1 << 62), 1 << 62] {
      let figures = Contender.daemon().replay(user(uses((time, "abcdabcd"))))
      #expect(figures.hits == 4 && figures.changes == 4)
    }
  }

  @Test(
    "on a trace of real use its figures are those of the method's reference, with any margin and places kept or not",
    arguments: [
      (0.25, true, 0.3566, 0.254, 0.552), (0.25, false, 0.3566, 0.260, 0.552), (0, true, 0.3581, 0.259, 0.574),
      (2, true, 0.3442, 0.236, 0.511),
    ])
  func reference(margin: Double, keepsPlaces: Bool, hit: Double, reciprocalRank: Double, churn: Double) throws {
    let contender = Contender.daemon(swapMargin: margin, keepPlaces: keepsPlaces)
    let trace = try Traces.read(Traces.path("gitfiles.tsv.gz"))
    let row = Evaluation.run(trace: trace, rankers: [contender]).rows[0]
    #expect(abs(row.hit.mean - hit) < 6e-5)
    #expect(abs(row.reciprocalRank.mean - reciprocalRank) < 6e-4 && abs(row.churn.mean - churn) < 6e-4)
  }

  @Test("one use is in the singular")
  func names() {
    #expect(Contender.halfLife(uses: 1).name == "1 use")
    #expect(Contender.halfLife(uses: 2).name == "2 uses")
  }
}
