/// How the list of an app is ranked.
package struct MethodReport: Equatable, Sendable {
  /// Whether it goes by a half-life or chooses.
  package let kind: RankingMethod
  /// The decay in force.
  package let decay: Decay
  /// The share of uses of late that were of an action in the list of that decay; nil if there was none to judge by.
  package let hitRate: Double?
  /// The decay with the best rate of the others; nil if it does not choose, or has nothing to judge by.
  package let runnerUp: Decay?
  /// The share of hits of that one's list.
  package let runnerUpRate: Double?
}

/// What the margin does to one action of an app.
package struct MarginEffect: Equatable, Sendable {
  /// The best of those that are not shown although they are ahead of this one, which is; nil if none is.
  package let heldBy: UInt32?
  /// The last of those that are shown although this one, which is not, is ahead of them; nil if none is.
  package let keptOutBy: UInt32?
}

extension ActionRanking {
  /// How the list of an app is ranked, and how well that did.
  package func method(ofApp app: UInt32) -> MethodReport {
    let decay = decay(ofApp: app)
    let rates = apps[app].rates
    let trials = rates[HitRates.trialLane]
    func share(_ decay: Decay) -> Double? {
      trials > 0 ? Double(rates[Int(decay.rawValue)]) / Double(trials) : nil
    }
    var runnerUp: Decay?
    for other in Decay.allCases where decay != .fixed && trials > 0 && other != decay && other != .fixed {
      if let runnerUp, rates[Int(runnerUp.rawValue)] >= rates[Int(other.rawValue)] { continue }
      runnerUp = other
    }
    return MethodReport(
      kind: isAdaptive(app) ? .adaptive : .fixed, decay: decay, hitRate: share(decay), runnerUp: runnerUp,
      runnerUpRate: runnerUp.flatMap(share))
  }

  /// What the margin does to an action. Its app's lists are not stale.
  ///
  /// - Complexity: O(actions).
  package func marginEffect(on number: UInt32) -> MarginEffect {
    let app = actions[number].app
    let isShown = actions[counters: number].place > 0
    if !competes(number, inApp: app) { return MarginEffect(heldBy: nil, keptOutBy: nil) }
    let counter = counter(ofApp: app)
    if !isShown {
      let passed = shown(ofApp: app).filter { actions.precedes(number, $0, by: counter) }
      return MarginEffect(heldBy: nil, keptOutBy: passed.max { actions.precedes($0, $1, by: counter) })
    }
    var best: UInt32?
    for other in 0..<UInt32(actions.slots) where competes(other, inApp: app) && actions[counters: other].place == 0 {
      if actions.precedes(other, best ?? number, by: counter) { best = other }
    }
    return MarginEffect(heldBy: best, keptOutBy: nil)
  }
}
