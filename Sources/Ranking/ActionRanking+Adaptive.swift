// Judging the decays, and choosing the one in force. (docs/RANKING.md)
extension ActionRanking {
  /// A rate has to be ahead of that of the decay in force by so many hits of late.
  private static let lead: Float = 1

  /// Takes note whether what is published has what is about to be counted and, if it is a trial of them, which lists do.
  @inline(__always)
  mutating func judge(_ number: UInt32, ofApp app: UInt32, at time: UseTime, isTrial: Bool) {
    if time.age > trialSpan { return }
    if apps[app].isPublished {
      notePublishedTrial(app, isHit: actions[number].counters.isPublished, at: time.moment.wall)
    }
    if !isTrial || !actions[number].competesInApp || apps[app].isStale { return }
    let lists = actions[number].counters.lists
    if apps[app].rates.note(lists, in: hitTable) { apps[hits: app].add(apps[app].rates.takeCounts()) }
    // No other comes to lead the decay in force unless it has a hit where that has none.
    if !lists.contains(DecaySet(apps[app].inForce)), !lists.isEmpty, isAdaptive(app) { choose(app) }
  }

  /// Has the decay with the best rate in force, if it is clearly better than the one that is.
  private mutating func choose(_ app: UInt32) {
    let inForce = apps[app].inForce
    var (best, bestRate) = (inForce, apps[app].rates[Int(inForce.rawValue)] + Self.lead)
    for decay in Decay.adaptive where apps[app].rates[Int(decay.rawValue)] > bestRate {
      (best, bestRate) = (decay, apps[app].rates[Int(decay.rawValue)])
    }
    if best == inForce { return }
    apps[app].inForce = best
    markUnsettled(app)
  }

  /// Whether an app's list goes by the decay that has been hit most of late.
  @inline(__always)
  func isAdaptive(_ app: UInt32) -> Bool { method == .adaptive && apps[app].ownHalfLife == nil }

  /// The decay that an app's list goes by.
  @inline(__always)
  func decay(ofApp app: UInt32) -> Decay { isAdaptive(app) ? apps[app].inForce : .fixed }

  /// The lists that an app has.
  @inline(__always)
  func decays(ofApp app: UInt32) -> DecaySet { isAdaptive(app) ? .adaptive : .fixed }

  /// Which of an app's actions' counts orders a list of it.
  @inline(__always)
  func counter(_ decay: Decay, ofApp app: UInt32) -> ActionTable.Counter {
    switch decay {
    case .fixed: apps[app].ownHalfLife == nil ? .common : .own
    case .power: .power(steps: apps[app].steps)
    default:
      switch decay.pace {
      case .uses(let halfLife): .uses(Int(decay.rawValue), halfLife: halfLife, steps: apps[app].steps)
      case .time(let halfLife): .time(Int(decay.rawValue), halfLife)
      case .mixed: .common
      }
    }
  }
}
