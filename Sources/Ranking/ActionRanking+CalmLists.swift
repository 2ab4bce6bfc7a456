// The lists of an app, one for each decay that it may go by. They are calm: who is in stays in until another is ahead of
// the lowest by the margin. Under one half-life the order of two actions changes only when one of them is used, so a
// look at the one that was used is enough.
extension ActionRanking {
  /// Takes note in the lists of its app that an action has risen.
  @inline(__always)
  mutating func updateAppLists(_ number: UInt32) {
    let app = actions[number].app
    if apps[app].isStale { return }
    if actions[number].competesInApp { enterAppLists(number) }
    if isAdaptive(app) {
      if apps[app].steps % Self.powerPace == 0, apps[app].settledAt != apps[app].steps {
        apps[app].settledAt = apps[app].steps
        settlePower(app)
      }
      // Its scores shift by themselves.
      if apps[app].inForce == .power { markUnsettled(app) }
    }
    // What it shows of uses and scores.
    if actions[number].counters.lists.contains(DecaySet(decay(ofApp: app))) {
      markUnsettled(app)
      markChanged(app)
    }
  }

  /// Takes an action into those lists of its app that it does not stand in, if it leads there.
  @inline(__always)
  mutating func enterAppLists(_ number: UInt32) {
    let app = actions[number].app
    var missing = decays(ofApp: app).subtracting(actions[number].counters.lists)
    if missing.isEmpty { return }
    let isPowerMissing = missing.remove(.power) != nil
    // What was never used leads by its id, and may find room.
    if missing != .fixed, actions[number].uses > 0 {
      apps[app].bars.fade(until: actions[number].lastUse.decay)
      let uses = apps[app].steps &- actions[number].counters.step &- 1
      missing.formIntersection(
        apps[app].bars.lists(openTo: actions[number].counters.values * actions.fading.factors(uses: uses)))
    }
    while let decay = missing.first {
      missing.remove(DecaySet(decay))
      offer(number, decay, ofApp: app, margin: swapMargin)
    }
    if isPowerMissing, actions[number].counters.lists.isCandidate {
      offer(number, .power, ofApp: app, margin: swapMargin)
    }
  }

  /// Takes an action into a list that it does not stand in, if there is room or it leads the lowest.
  mutating func offer(_ number: UInt32, _ decay: Decay, ofApp app: UInt32, margin: Double) {
    let count = lists[count: app, decay]
    var index = Int(count)
    if count < apps[app].listLimit {
      lists[count: app, decay] = count + 1
    } else {
      switch rival(of: number, decay, ofApp: app, margin: margin) {
      case .none: return
      case .led(let found): index = found
      case .unsure:
        guard let found = exactRival(of: number, decay, ofApp: app, margin: margin) else { return }
        index = found
      }
      let evicted = lists[app, decay, index]
      markUncommitted(evicted)
      actions[evicted].counters.lists.remove(DecaySet(decay))
    }
    lists[app, decay, index] = number
    markUncommitted(number)
    actions[number].counters.lists.insert(DecaySet(decay))
    if decay == self.decay(ofApp: app) { markUnsettled(app) }
  }

  /// Whose place in a full list an action takes.
  private enum Rival {
    /// Nobody's.
    case none
    /// That of the one that stands here.
    case led(Int)
    /// That is so close that it has to be worked out exactly.
    case unsure
  }

  /// The lowest of a full list, if an action leads it.
  @inline(__always)
  private mutating func rival(
    of number: UInt32, _ decay: Decay, ofApp app: UInt32, margin: Double
  ) -> Rival {
    let (lane, steps, worths) = (Int(decay.rawValue), apps[app].steps, actions.worths)
    if decay == .power {
      return rival(of: number, decay, ofApp: app, margin: margin) {
        worths.power($0, steps: steps, $1)
      }
    }
    if !DecaySet.byUses.contains(DecaySet(decay)) { return .unsure }
    return rival(of: number, decay, ofApp: app, margin: margin) {
      worths.worth($0, lane, steps: steps, $1)
    }
  }

  @inline(__always)
  private mutating func rival(
    of number: UInt32, _ decay: Decay, ofApp app: UInt32, margin: Double,
    _ worthOf: (UInt32, borrowing FadingTable) -> Float
  ) -> Rival {
    // What is worked out here may be wrong by less, and what is worth next to nothing by more.
    let (caution, smallest): (Float, Float) = (1e-4, 1e-30)
    var (least, next, index) = (Float.infinity, Float.infinity, 0)
    let row = unsafe lists.row(app, decay, count: Int(lists[count: app, decay]))
    for place in 0..<row.count {
      let other = unsafe worthOf(row[place], actions.fading)
      next = min(next, max(other, least))
      if other < least { (least, index) = (other, place) }
    }
    let worth = worthOf(number, actions.fading)
    if least < smallest || next < least * (1 + caution) { return .unsure }
    let bar = least * Float(1 + margin)
    if worth < bar * (1 - caution) {
      apps[app].bars.set(decay, lowest: least, margin: swapMargin)
      return .none
    }
    if worth < bar * (1 + caution) { return .unsure }
    apps[app].bars.set(decay, lowest: min(next, worth), margin: swapMargin)
    return .led(index)
  }

  private mutating func exactRival(
    of number: UInt32, _ decay: Decay, ofApp app: UInt32, margin: Double
  ) -> Int? {
    let counter = counter(decay, ofApp: app)
    var (lowest, lowestIndex) = (lists[app, decay, 0], 0)
    var lowestScore = actions.score(lowest, by: counter)
    for index in 1..<max(1, Int(lists[count: app, decay])) {
      let other = lists[app, decay, index]
      let score = actions.score(other, by: counter)
      if actions.leads(other, score, lowest, lowestScore, margin: 0) { continue }
      (lowest, lowestIndex, lowestScore) = (other, index, score)
    }
    if case .time = decay.pace {
      let lane = Int(decay.rawValue)
      let worth =
        actions[lowest].counters.values[lane] * apps[app].bars.fading(lane, since: actions[lowest].lastUse.decay)
      apps[app].bars.set(decay, lowest: worth, margin: swapMargin)
    }
    let leads = actions.leads(
      number, actions.score(number, by: counter), lowest, lowestScore, margin: margin)
    return leads ? lowestIndex : nil
  }

  // MARK: Stale lists

  /// Empties the lists of an app.
  mutating func dropLists(ofApp app: UInt32) {
    for decay in Decay.allCases {
      for index in 0..<Int(lists[count: app, decay]) {
        let number = lists[app, decay, index]
        markUncommitted(number)
        actions[number].counters.lists = []
      }
      lists[count: app, decay] = 0
    }
    apps[app].bars = ListBars()
  }

  /// Takes an action out of the lists of its app, which have to be made anew if it stands in one.
  mutating func leaveAppLists(_ number: UInt32) {
    let (app, counters) = (actions[number].app, actions[number].counters)
    if counters.lists.isEmpty, counters.place == 0 { return }
    markStale(app)
    if counters.place == 0 { return }
    lists[shown: app, Int(counters.place) - 1] = AppLists.nobody
    markUncommitted(number)
    actions[number].counters.place = 0
  }

  /// Has the lists of an app, which are empty, hold as many as they should.
  mutating func prepareStaleLists(ofApp app: UInt32) {
    let limit = limit(ofApp: app)
    if Int(apps[app].listLimit) == limit { return }
    markUncommitted(app: app)
    apps[app].listLimit = UInt8(limit)
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
