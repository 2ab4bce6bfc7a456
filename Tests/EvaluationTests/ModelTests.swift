import Ranking
import Testing
import TestSupport

@testable import Evaluation

/// What is kept from use to use, against everything computed anew.
struct ModelTests {
  static let pairs: [(contender: Contender, formula: NaiveScores.Formula)] = [
    (.latestUse, NaiveScores.latestUse), (.useCount, NaiveScores.useCount),
    (.halfLife(HalfLife(nanoseconds: hour), named: "1h"), NaiveScores.time(3600)),
    (.halfLife(HalfLife(nanoseconds: 7 * day), named: "7d"), NaiveScores.time(7 * 86_400)),
    (.halfLife(uses: 2), NaiveScores.uses(2)), (.halfLife(uses: 50), NaiveScores.uses(50)),
    (.zoxide, NaiveScores.zoxide), (.rupaZ, NaiveScores.rupaZ), (.walker, NaiveScores.walker),
    (.firefoxBuckets, NaiveScores.firefoxBuckets), (.firefoxDecay, NaiveScores.firefoxDecay),
    (.gnomeShell, NaiveScores.gnomeShell), (.rofi, NaiveScores.rofi),
  ]

  /// Bursts and pauses of all lengths, few actions or many, ties among them.
  private static func randomUser(using random: inout SeededRandom) -> Trace.User {
    let actions = Int.random(in: 1...60, using: &random)
    let pauses = [0, 1, 60 * second, hour, day, 10 * day, 100 * day].shuffled(using: &random).prefix(3)
    let favourites = Int.random(in: 1...actions, using: &random)
    var time = Int64.random(in: -2_000_000_000...2_000_000_000, using: &random) * second
    var uses: [(time: Int64, action: Int)] = []
    for _ in 0..<Int.random(in: 1...300, using: &random) {
      let pause = pauses.randomElement(using: &random) ?? 0
      time += Bool.random(using: &random) ? pause : Int64.random(in: 0...pause, using: &random)
      let most = Int.random(in: 0..<5, using: &random) == 0 ? actions : favourites
      uses.append((time, Int.random(in: 0..<most, using: &random)))
    }
    return user(uses)
  }

  @Test("orders that are kept give the figures of orders made anew", arguments: pairs.indices)
  func figures(pair: Int) {
    let (contender, formula) = Self.pairs[pair]
    var random = SeededRandom()
    for _ in 0..<12 {
      let user = Self.randomUser(using: &random)
      let figures = contender.replay(user)
      let expected = NaiveScores.replay(user, formula)
      #expect(
        figures.hits == expected.hits && figures.changes == expected.changes
          && abs(figures.reciprocals - expected.reciprocals) < 1e-9,
        "\(contender.name), seed \(random.seed): \(figures), \(expected)")
    }
  }

  @Test("standings are what sorting gives, whatever scores do")
  func standings() {
    var random = SeededRandom()
    for _ in 0..<100 {
      let actions = Int.random(in: 1...30, using: &random)
      var standings = Standings(actions: actions)
      var model: [Int: (score: Double, lastUse: Int)] = [:]
      for index in 0..<200 {
        let action = Int.random(in: 0..<actions, using: &random)
        let score = Double(Int.random(in: 0..<6, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          standings.changeAll { action, lastUse in Double((action + Int(lastUse)) % 4) }
          for (action, entry) in model { model[action]?.score = Double((action + entry.lastUse) % 4) }
        case 1...3 where model[action] != nil:
          standings.change(action, score)
          model[action]?.score = score
        default:
          standings.use(action, score, at: index)
          model[action] = (score, index)
        }
        let expected = model.sorted { ($0.value.score, $0.value.lastUse) > ($1.value.score, $1.value.lastUse) }
        let order = (0..<actions).compactMap { standings.action(at: $0) }
        #expect(order == expected.map(\.key), "seed \(random.seed)")
      }
    }
  }
}
