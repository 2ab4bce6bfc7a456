// The list of the power law. Its scores fade at paces of their own, so with each use of the app somebody who was not
// used may come to lead another: that is looked at from time to time.
extension ActionRanking {
  /// After so many uses of the app each.
  static var powerPace: UInt32 { 4 }

  /// Takes into the list of the power law who leads its lowest now, of those who stand in a use-counted list: the best
  /// of all by the power law is among the best by one of its parts.
  mutating func settlePower(_ app: UInt32) {
    while let best = bestCandidate(ofApp: app) {
      offer(best, .power, ofApp: app, margin: swapMargin)
      if !actions[best].counters.lists.contains(.power) { return }
    }
  }

  /// The best by the power law of those who stand in a use-counted list, but not in that of the power law.
  private mutating func bestCandidate(ofApp app: UInt32) -> UInt32? {
    let steps = apps[app].steps
    var best: (number: UInt32, score: Float)?
    for decay in Decay.byUses {
      for index in 0..<Int(lists[count: app, decay]) {
        let number = lists[app, decay, index]
        let stands = actions[number].counters.lists
        // Whoever stands in several is looked at once.
        if !stands.isCandidate || stands.first != decay { continue }
        let score = actions.worths.power(number, steps: steps, actions.fading)
        if let best, score < best.score || score == best.score && !isLater(number, best.number) { continue }
        best = (number, score)
      }
    }
    return best?.number
  }

  /// Whether one of two actions of equal score is ahead.
  private mutating func isLater(_ first: UInt32, _ second: UInt32) -> Bool {
    actions.leads(first, .zero, second, .zero, margin: 0)
  }
}
