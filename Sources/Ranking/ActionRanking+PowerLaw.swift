import func Glibc.log2

// The list of the power law. Its scores fade at paces of their own, so with each use of the app somebody who was not
// used may come to lead another. How soon that can be is known: nobody's pace ever grows without a use.
extension ActionRanking {
  /// Has what has changed in the lists of an app show.
  ///
  /// - Parameter risen: an action that was used; nil if none was.
  @inline(__always)
  mutating func settle(_ app: UInt32, risen: UInt32?) {
    if isAdaptive(app) {
      if apps[app].candidates > 0, !isQuiet(app, risen: risen) { settlePower(app) }
      let choice = choice(ofApp: app)
      if choice != apps[app].inForce {
        apps[app].inForce = choice
        apps[app].mustShow = true
      }
    }
    show(app, risen: risen)
  }

  /// Whether it is known that nobody comes into the list of the power law.
  @inline(__always)
  private func isQuiet(_ app: UInt32, risen: UInt32?) -> Bool {
    let steps = apps[app].steps
    guard Int32(bitPattern: apps[app].quietUntil &- steps) > 0, let risen else { return false }
    return !actions[counters: risen].lists.isCandidate || actions.power(risen, steps: steps) < apps[app].quietBar
  }

  /// Works out how long nobody comes into the list of the power law by its shifting alone.
  ///
  /// What is worth W now, and fades by r of its half-lives at the next use, is worth at least W · 2^(−r·k) k uses later,
  /// while who is not used is never worth more.
  ///
  /// - Parameter best: what the best of those is worth who stand in a use-counted list alone.
  private mutating func quieten(_ app: UInt32, left best: Float) {
    let steps = apps[app].steps
    apps[app].quietUntil = steps
    let decay = Int(Decay.power.rawValue)
    let count = Int(apps[app].counts[decay])
    if count == 0 { return }
    // Less than what is exact, so that no rounding matters.
    let caution: Float = 0.999
    var lowest = Float.infinity
    for index in 0..<count { lowest = min(lowest, actions.power(lists[app, .power, index], steps: steps)) }
    // What is nearly nothing may become nothing, and all order with it.
    if lowest < 1e-20 { return }
    let lead = Float(1 + swapMargin) * caution
    let bar = max(best, lowest * lead * 0.7)
    var uses: Float = 1_000
    for index in 0..<count {
      let (power, pace) = actions.powerAndPace(lists[app, .power, index], steps: steps)
      uses = min(uses, log2(power * lead / bar) / pace)
    }
    if !(uses >= 1) { return }
    apps[app].quietUntil = steps &+ UInt32(uses)
    apps[app].quietBar = count < apps[app].listLimit ? 0 : bar
  }

  /// Takes into the list of the power law who leads its lowest now, of those who stand in a use-counted list: the best
  /// of all by the power law is among the best by one of its parts.
  mutating func settlePower(_ app: UInt32) {
    while let (best, score) = bestCandidate(ofApp: app) {
      forgetLowest(.power, ofApp: app)
      offer(best, .power, ofApp: app, margin: swapMargin)
      if !actions[counters: best].lists.contains(.power) { return quieten(app, left: score) }
    }
    quieten(app, left: 0)
  }

  /// The best by the power law of those who stand in a use-counted list, but not in that of the power law.
  private func bestCandidate(ofApp app: UInt32) -> (number: UInt32, score: Float)? {
    if apps[app].candidates == 0 { return nil }
    let steps = apps[app].steps
    var best: (number: UInt32, score: Float)?
    var decays = DecaySet.byUses
    while let decay = decays.first {
      decays.remove(DecaySet(decay))
      for index in 0..<Int(apps[app].counts[Int(decay.rawValue)]) {
        let number = lists[app, decay, index]
        let stands = actions[counters: number].lists
        // Whoever stands in several is looked at once.
        if !stands.isCandidate || stands.first != decay { continue }
        let score = actions.power(number, steps: steps)
        if let best, score < best.score || score == best.score && !isLater(number, best.number) { continue }
        best = (number, score)
      }
    }
    return best
  }

  /// Whether one of two actions of equal score is ahead.
  private func isLater(_ first: UInt32, _ second: UInt32) -> Bool {
    actions.leads(first, .zero, second, .zero, margin: 0)
  }
}
