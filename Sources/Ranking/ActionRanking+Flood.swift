// Uses that are reported at one moment have no order in time. The first of them are taken note of one by one; if there are
// more, a program is at work: each action's are added up, counts follow at the end of the moment, and lists when the flood
// is over or somebody asks. So a flood costs little more than finding its actions, and does not decide which decay is the
// best. (docs/RANKING.md)
extension ActionRanking {
  /// So many uses of one moment are taken note of one by one.
  static var floodBegin: UInt32 { 256 }
  /// A flood goes on if the next moment with many uses comes so soon, nanoseconds.
  private static var floodPause: Int64 { 100_000_000 }
  /// Once so many actions have risen lists follow at the next moment, so that it does not take long when somebody asks.
  private static var manyRisen: Int { 32_768 }

  /// Whether a use belongs to a flood.
  ///
  /// - Parameter now: the decay time at which it was reported.
  @inline(__always)
  mutating func isFlood(at now: Int64) -> Bool {
    if now != floodTime { begin(moment: now) }
    usesOfMoment &+= 1
    return usesOfMoment > Self.floodBegin
  }

  @inline(never)
  private mutating func begin(moment now: Int64) {
    settleCounts()
    let goesOn =
      isBulk && usesOfMoment > Self.floodBegin && now.saturatingSubtracting(floodTime) < Self.floodPause
      && risen.count < Self.manyRisen
    (floodTime, usesOfMoment) = (now, goesOn ? Self.floodBegin : 0)
    if !goesOn { settleFlood() }
  }

  /// Takes note of a use in a flood, of the moment that it is reported at.
  @inline(__always)
  mutating func addPending(_ number: UInt32, at wall: Int64) {
    if actions[number].pending == 0 { beginPending(number, at: wall) }
    actions[number].pending &+= 1
    actions[number].lastArrival = arrivals
    if actions[number].pending == .max { settleCounts() }
  }

  @inline(never)
  private mutating func beginPending(_ number: UInt32, at wall: Int64) {
    floodWall = wall
    markUsed(number)
    used.append(number)
    noteRisen(number)
  }

  /// Takes note that an action has risen in a flood.
  @inline(__always)
  mutating func noteRisen(_ number: UInt32) {
    if actions[number].hasRisen { return }
    actions[number].hasRisen = true
    risen.append(number)
  }

  /// Has counts follow what was used in a flood. To be called when a batch of lines is counted, before anything is asked.
  ///
  /// - Complexity: O(actions that were used since the last call).
  @inline(__always)
  package mutating func settleCounts() {
    if !used.isEmpty { countPending() }
  }

  /// Has counts and lists follow what was used in a flood. To be called before anything is changed or lists are read.
  ///
  /// - Complexity: O(actions that were used since the last call).
  @inline(__always)
  package mutating func settleFlood() {
    settleCounts()
    if !risen.isEmpty { settleRisen() }
  }

  @inline(never)
  private mutating func settleRisen() {
    let numbers = takeRisen()
    // Several that are listed may have risen: none finds its place among others that are not at theirs.
    if !topIsStale { topHasChanged = top.sort(in: actions) || topHasChanged }
    for (place, number) in numbers.enumerated() {
      actions[number].hasRisen = false
      updateLists(number)
      let app = actions[number].app
      let isLast = place + 1 == numbers.count || actions[numbers[place + 1]].app != app
      if isLast, isAdaptive(app) { settlePowerIfDue(app) }
    }
  }

  /// What has risen, the actions of each app one after another: what their lists hold is then at hand for all of them.
  private mutating func takeRisen() -> [UInt32] {
    var keys: [(app: UInt32, place: UInt32)] = []
    keys.reserveCapacity(risen.count)
    for (place, number) in risen.enumerated() where actions[number].isPresent && actions[number].hasRisen {
      keys.append((actions[number].app, UInt32(place)))
    }
    keys.sort { ($0.app, $0.place) < ($1.app, $1.place) }
    defer { risen.removeAll(keepingCapacity: true) }
    return keys.map { risen[Int($0.place)] }
  }

  /// An app has the same turns of the power law as otherwise, but no more than one at the end of a flood.
  private mutating func settlePowerIfDue(_ app: UInt32) {
    let steps = apps[app].steps
    if apps[app].isStale || steps / Self.powerPace == apps[app].settledAt / Self.powerPace { return }
    apps[app].settledAt = steps
    settlePower(app)
  }

  // MARK: Counting

  /// Counts the uses that were only noted. As they have no order, those of each action are taken to lie evenly among
  /// all of its app.
  @inline(never)
  private mutating func countPending() {
    let numbers = used.filter { actions[$0].isPresent }
    used.removeAll(keepingCapacity: true)
    var usedApps: [UInt32] = []
    for number in numbers where actions[number].pending > 0 {
      let app = actions[number].app
      if apps[app].pending.uses == 0 { usedApps.append(app) }
      let uses = UInt32(actions[number].pending)
      apps[app].pending.uses &+= uses
      if actions[number].counters.isPublished { apps[app].pending.hits &+= uses }
    }
    for app in usedApps {
      let pending = apps[app].pending
      markUncommitted(app: app)
      if apps[app].isPublished {
        notePublishedTrials(app, hits: pending.hits, of: pending.uses, at: floodWall)
      }
      apps[app].steps &+= pending.uses
      apps[app].bars.fade(by: pending.uses, in: actions.fading)
    }
    for number in numbers where actions[number].pending > 0 { countPending(number) }
    for app in usedApps { apps[app].pending = (0, 0) }
  }

  private mutating func countPending(_ number: UInt32) {
    let (app, uses) = (actions[number].app, actions[number].pending)
    let passed = floodTime.saturatingSubtracting(actions[number].lastUse.decay)
    let last = apps[app].steps &- 1
    let factors = actions.fading.factors(
      uses: last &- actions[number].counters.step, nanoseconds: passed.magnitude)
    actions[number].counters.add(
      Float(uses) * actions.fading.mean(of: apps[app].pending.uses), step: last, factors: factors)
    addWorth(of: UInt64(uses), to: number, at: floodTime)
    actions[number].uses = actions[number].uses.saturatingAdding(UInt64(uses))
    actions[number].lastUse = Moment(decay: floodTime, wall: floodWall)
    actions[number].pending = 0
    history.note(number, uses: UInt32(uses), at: floodWall, in: &actions)
  }
}
