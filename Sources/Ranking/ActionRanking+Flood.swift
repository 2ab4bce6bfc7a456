// Uses that are reported at one moment have no order in time. The first of them are taken note of one by one; if there are
// more, a program is at work, and lists follow them all at once. So what a use costs does not depend on how lists shift,
// and a flood does not decide which decay is the best.
extension ActionRanking {
  /// So many uses of one moment are taken note of one by one.
  static var floodBegin: UInt32 { 256 }

  /// Whether a use belongs to a flood.
  ///
  /// - Parameter now: the decay time at which it was reported.
  @inline(__always)
  mutating func isFlood(at now: Int64) -> Bool {
    if now != floodTime {
      settleFlood()
      (floodTime, usesOfMoment) = (now, 0)
    }
    usesOfMoment &+= 1
    return usesOfMoment > Self.floodBegin
  }

  /// Takes note that an action has risen in a flood.
  @inline(__always)
  mutating func noteRisen(_ number: UInt32) {
    if actions[number].hasRisen { return }
    actions[number].hasRisen = true
    risen.append(number)
  }

  /// Has lists follow what has risen in a flood.
  ///
  /// - Complexity: O(actions that have risen).
  @inline(__always)
  mutating func settleFlood() {
    if !risen.isEmpty { settleRisen() }
  }

  private mutating func settleRisen() {
    let numbers = risen.filter { actions[$0].isPresent && actions[$0].hasRisen }
    risen.removeAll(keepingCapacity: true)
    // Several that are listed may have risen: none finds its place among others that are not at theirs.
    if !topIsStale { topHasChanged = top.sort(in: actions) || topHasChanged }
    for number in numbers {
      actions[number].hasRisen = false
      updateLists(number)
    }
    for number in numbers where isAdaptive(actions[number].app) { settlePowerIfDue(actions[number].app) }
  }

  /// An app has the same turns of the power law as otherwise, but no more than one at the end of a flood.
  private mutating func settlePowerIfDue(_ app: UInt32) {
    let steps = apps[app].steps
    if apps[app].isStale || steps / Self.powerPace == apps[app].settledAt / Self.powerPace { return }
    apps[app].settledAt = steps
    settlePower(app)
  }
}
