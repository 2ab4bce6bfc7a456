@testable import Ranking

/// The lists, rates and places of one app, found by looking at the scores of all.
///
/// It takes scores from the ranking under test, whose counters are held against sums of uses elsewhere.
struct AdaptiveModel {
  let limit: Int
  let margin: Double
  let keepsPlaces: Bool
  private(set) var lists = [[UInt32]](repeating: [], count: 9)
  private(set) var rates = [Float](repeating: 0, count: 9)
  private(set) var inForce = 8
  private(set) var shown: [UInt32] = []

  init(limit: Int, margin: Double, keepsPlaces: Bool) {
    (self.limit, self.margin, self.keepsPlaces) = (limit, margin, keepsPlaces)
  }

  private func order(_ list: Int, _ ranking: borrowing ActionRanking, _ numbers: [UInt32]) -> [UInt32] {
    let counter = ranking.counter(Decay.allCases[list], ofApp: 0)
    return numbers.sorted { ranking.actions.precedes($0, $1, by: counter) }
  }

  private func leads(
    _ first: UInt32, _ second: UInt32, _ list: Int, _ ranking: borrowing ActionRanking, margin: Double
  ) -> Bool {
    let counter = ranking.counter(Decay.allCases[list], ofApp: 0)
    let (score, other) = (ranking.actions.score(first, by: counter), ranking.actions.score(second, by: counter))
    if margin == 0 { return ranking.actions.precedes(first, second, by: counter) }
    return score.isGreater(than: other, times: 1 + margin)
  }

  /// Takes note of a use that has been counted.
  mutating func use(_ number: UInt32?, competes: Bool, _ ranking: borrowing ActionRanking) {
    if let number, competes {
      let hits = lists.map { $0.contains(number) }
      for list in 0..<9 { rates[list] = rates[list] * 0.996_540_26 + (hits[list] ? 1 : 0) }
      if hits.contains(true), !hits[inForce] { choose() }
      enter(number, ranking)
    }
    if ranking.state(ofApp: 0).steps % 4 == 0 { settle(ranking) }
  }

  /// Takes note of an action that competes from now on.
  mutating func enter(_ number: UInt32, _ ranking: borrowing ActionRanking) {
    for list in 0..<8 where !lists[list].contains(number) { offer(number, list, ranking) }
    if !lists[8].contains(number), lists[..<5].joined().contains(number) { offer(number, 8, ranking) }
  }

  private mutating func choose() {
    var best = inForce
    for list in 0..<9 where rates[list] > (best == inForce ? rates[inForce] + 1 : rates[best]) { best = list }
    inForce = best
  }

  private mutating func offer(_ number: UInt32, _ list: Int, _ ranking: borrowing ActionRanking) {
    if lists[list].count < limit { return lists[list].append(number) }
    guard let lowest = order(list, ranking, lists[list]).last else { return }
    if !leads(number, lowest, list, ranking, margin: margin) { return }
    lists[list] = lists[list].filter { $0 != lowest } + [number]
  }

  private mutating func settle(_ ranking: borrowing ActionRanking) {
    while let best = order(8, ranking, Array(Set(lists[..<5].joined()).subtracting(lists[8]))).first {
      let before = lists[8]
      offer(best, 8, ranking)
      if lists[8] == before { break }
    }
  }

  /// Makes all lists anew of those who compete.
  mutating func remake(_ competing: [UInt32], _ ranking: borrowing ActionRanking) {
    for list in 0..<9 { lists[list] = Array(order(list, ranking, competing).prefix(limit)) }
  }

  /// Has what is shown follow the lists.
  mutating func show(_ ranking: borrowing ActionRanking) {
    var newcomers = order(inForce, ranking, lists[inForce].filter { !shown.contains($0) })
    shown = shown.compactMap { number in
      if lists[inForce].contains(number) { return number }
      return newcomers.isEmpty ? nil : newcomers.removeFirst()
    }
    shown += newcomers
    for start in shown.indices.dropFirst() {
      var place = start
      while place > 0,
        leads(shown[place], shown[place - 1], inForce, ranking, margin: keepsPlaces ? margin : 0)
      {
        shown.swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}
