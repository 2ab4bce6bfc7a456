// Judging the decays, and choosing the one in force. (docs/RANKING.md)
extension ActionRanking {
  /// What rates keep of themselves at a trial: half after 200 trials.
  @inline(__always)
  static var rateFactor: Float { 0.996_540_26 }
  /// The lane of an app's rates that counts the trials themselves, and its bit.
  @inline(__always)
  static var trialLane: Int { 10 }
  @inline(__always)
  private static var trialBit: UInt32 { 1 << 10 }
  @inline(__always)
  private static var laneBits: SIMD16<UInt32> { SIMD16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 0, 0, 0, 0, 0) }
  /// A rate has to be ahead of that of the decay in force by so many hits of late.
  @inline(__always)
  private static var lead: Float { 1 }

  /// Takes note which lists and whether what is published have what is about to be counted.
  @inline(__always)
  mutating func judge(_ number: UInt32, ofApp app: UInt32, at time: UseTime) {
    if time.age > trialSpan { return }
    if apps[app].isPublished {
      notePublishedTrial(app, isHit: actions[counters: number].isPublished, at: time.moment.wall)
    }
    if !actions[number].competesInApp || apps[app].isStale { return }
    let lists = UInt32(actions[counters: number].lists.rawValue)
    let isHit = (SIMD16(repeating: lists | Self.trialBit) & Self.laneBits) .!= 0
    apps[app].rates =
      apps[app].rates * Self.rateFactor + SIMD16<Float>.zero.replacing(with: 1, where: isHit)
    apps[hits: app].listTrials &+= 1
    let ones = SIMD16<UInt32>.zero.replacing(with: 1, where: isHit)
    apps[hits: app].listHits &+= SIMD16<UInt64>(truncatingIfNeeded: ones)
  }

  /// Has the decay with the best rate in force, if it is clearly better than the one that is.
  @inline(__always)
  func choice(ofApp app: UInt32) -> Decay {
    let (rates, inForce) = (apps[app].rates, apps[app].inForce)
    let bar = rates[Int(inForce.rawValue)] + Self.lead
    let chosenFrom = (Self.laneBits & UInt32(DecaySet.adaptive.rawValue)) .!= 0
    if SIMD16<Float>.zero.replacing(with: rates, where: chosenFrom).max() <= bar { return inForce }
    var (best, bestRate) = (inForce, bar)
    for decay in Decay.allCases.dropLast() where rates[Int(decay.rawValue)] > bestRate {
      (best, bestRate) = (decay, rates[Int(decay.rawValue)])
    }
    return best
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
