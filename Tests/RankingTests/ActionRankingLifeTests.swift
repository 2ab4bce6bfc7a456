import TestSupport
import Testing

struct ActionRankingLifeTests {
  @Test("whatever happens to actions and apps, lists, places and stored rows are what a naive model has")
  func life() {
    var seeds = SeededRandom()
    for _ in 0..<40 {
      ActionRankingTrial(random: SeededRandom(seed: seeds.next()), limit: Int.random(in: 1...6, using: &seeds)).run()
    }
  }
}
