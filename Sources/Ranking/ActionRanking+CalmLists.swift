import func Glibc.log2

// The lists of an app, one for each decay that it may go by. They are calm: who is in stays in until another is ahead of
// the lowest by the margin. Under one half-life the order of two actions changes only when one of them is used, so a
// look at the one that was used is enough. Only the power law shifts by itself, with each use of the app.
extension ActionRanking {
  /// Takes note in the lists of its app that an action has risen.
  @inline(__always)
  mutating func updateAppLists(_ number: UInt32) {
    let app = actions[number].app
    if apps[app].isStale { return }
    if actions[number].competesInApp {
      let lowestOf = actions[counters: number].lowestOf
      if !lowestOf.isEmpty {
        apps[app].lowestKnown.subtract(lowestOf)
        actions[counters: number].lowestOf = []
      }
      enterAppLists(number)
    }
    settle(app, risen: number)
  }

  /// Takes an action into those lists of its app that it does not stand in, if it leads there; but for the power law.
  @inline(__always)
  mutating func enterAppLists(_ number: UInt32) {
    let app = actions[number].app
    var missing = decays(ofApp: app).subtracting(.power).subtracting(actions[counters: number].lists)
    if missing.isEmpty { return }
    if missing != .fixed { missing.formIntersection(openLists(to: number, ofApp: app)) }
    while let decay = missing.first {
      missing.remove(DecaySet(decay))
      offer(number, decay, ofApp: app, margin: swapMargin)
    }
  }

  /// The lists of counted decays whose lowest an action may lead: a bound, at the price of one of the comparisons.
  @inline(__always)
  private func openLists(to number: UInt32, ofApp app: UInt32) -> DecaySet {
    let bars = SIMD8<Float>(apps[app].bars - position(of: number, ofApp: app))
    let isOpen = Fading.logarithms(actions[counters: number].values) .>= bars
    let bits = SIMD8<UInt32>.zero.replacing(with: SIMD8(1, 2, 4, 8, 16, 32, 64, 128), where: isOpen)
    return DecaySet(rawValue: UInt16(truncatingIfNeeded: bits.wrappedSum()))
  }

  /// Where the latest use of an action lies for the counted decays of its app.
  @inline(__always)
  private func position(of number: UInt32, ofApp app: UInt32) -> SIMD8<Double> {
    let steps = apps[app].steps
    return Fading.positions(
      uses: Double(steps) - Double(steps &- actions[counters: number].step),
      nanoseconds: actions[number].lastUse.decay)
  }

  /// Takes an action into a list that it does not stand in, if there is room or it leads the lowest.
  mutating func offer(_ number: UInt32, _ decay: Decay, ofApp app: UInt32, margin: Double) {
    let count = Int(apps[app].counts[Int(decay.rawValue)])
    if count < apps[app].listLimit {
      apps[app].counts[Int(decay.rawValue)] += 1
      lists[app, decay, count] = number
      forgetLowest(decay, ofApp: app)
    } else {
      let lowest = lowest(decay, ofApp: app)
      let counter = counter(decay, ofApp: app)
      let leads = actions.leads(
        number, actions.score(number, by: counter), lowest, actions.score(lowest, by: counter), margin: margin)
      if !leads { return }
      forgetLowest(decay, ofApp: app)
      setLists(actions[counters: lowest].lists.subtracting(DecaySet(decay)), of: lowest)
      lists[app, decay, 0] = number
    }
    setLists(actions[counters: number].lists.union(DecaySet(decay)), of: number)
    if decay == self.decay(ofApp: app) { apps[app].mustShow = true }
  }

  /// The lowest of a list that is not empty. It comes first in it then.
  private mutating func lowest(_ decay: Decay, ofApp app: UInt32) -> UInt32 {
    if apps[app].lowestKnown.contains(DecaySet(decay)) { return lists[app, decay, 0] }
    let counter = counter(decay, ofApp: app)
    var (lowest, lowestIndex) = (lists[app, decay, 0], 0)
    var lowestScore = actions.score(lowest, by: counter)
    for index in 1..<max(1, Int(apps[app].counts[Int(decay.rawValue)])) {
      let other = lists[app, decay, index]
      let score = actions.score(other, by: counter)
      if actions.leads(other, score, lowest, lowestScore, margin: 0) { continue }
      (lowest, lowestIndex, lowestScore) = (other, index, score)
    }
    lists[app, decay, lowestIndex] = lists[app, decay, 0]
    lists[app, decay, 0] = lowest
    apps[app].lowestKnown.insert(DecaySet(decay))
    actions[counters: lowest].lowestOf.insert(DecaySet(decay))
    if DecaySet.counted.contains(DecaySet(decay)) {
      let lane = Int(decay.rawValue)
      apps[app].bars[lane] =
        log2(Double(actions[counters: lowest].values[lane]) * (1 + swapMargin))
        + position(of: lowest, ofApp: app)[lane]
    }
    return lowest
  }

  @inline(__always)
  mutating func forgetLowest(_ decay: Decay, ofApp app: UInt32) {
    guard apps[app].lowestKnown.remove(DecaySet(decay)) != nil else { return }
    actions[counters: lists[app, decay, 0]].lowestOf.remove(DecaySet(decay))
  }

  /// Sets which lists an action stands in, which has to be stored then.
  private mutating func setLists(_ lists: DecaySet, of number: UInt32) {
    let old = actions[counters: number].lists
    let app = actions[number].app
    if old.isCandidate { apps[app].candidates -= 1 }
    if lists.isCandidate { apps[app].candidates += 1 }
    actions[counters: number].lists = lists
    markUncommitted(number)
  }

  // MARK: Stale lists

  /// Has the lists of an app looked at before anything is said of them.
  mutating func forgetBounds(ofApp app: UInt32) {
    apps[app].bars = SIMD8(repeating: -.infinity)
    apps[app].quietUntil = apps[app].steps
  }

  /// Empties the lists of an app.
  mutating func dropLists(ofApp app: UInt32) {
    for decay in Decay.allCases {
      for index in 0..<Int(apps[app].counts[Int(decay.rawValue)]) {
        let number = lists[app, decay, index]
        actions[counters: number].lists = []
        actions[counters: number].lowestOf = []
        markUncommitted(number)
      }
      apps[app].counts[Int(decay.rawValue)] = 0
    }
    apps[app].lowestKnown = []
    apps[app].candidates = 0
    forgetBounds(ofApp: app)
  }

  /// Takes an action out of the lists of its app, which have to be made anew if it stands in one.
  mutating func leaveAppLists(_ number: UInt32) {
    let (app, counters) = (actions[number].app, actions[counters: number])
    if counters.lists.isEmpty, counters.place == 0 { return }
    markStale(app)
    if counters.place == 0 { return }
    lists[shown: app, Int(counters.place) - 1] = AppLists.nobody
    actions[counters: number].place = 0
    markUncommitted(number)
  }

  /// Has the lists of an app, which are empty, hold as many as they should.
  mutating func prepareStaleLists(ofApp app: UInt32) {
    let limit = limit(ofApp: app)
    if Int(apps[app].listLimit) == limit { return }
    apps[app].listLimit = UInt8(limit)
    markUncommitted(app: app)
  }

  /// Takes an action into the lists of its app, which are being made anew, wherever it is among the best so far.
  mutating func offerToStaleLists(_ number: UInt32) {
    let app = actions[number].app
    var decays = decays(ofApp: app)
    while let decay = decays.first {
      decays.remove(DecaySet(decay))
      offer(number, decay, ofApp: app, margin: 0)
    }
  }
}

extension DecaySet {
  /// Whether who stands in these lists may come into that of the power law.
  var isCandidate: Bool {
    @inline(__always) get { !isDisjoint(with: .byUses) && !contains(.power) }
  }
}
