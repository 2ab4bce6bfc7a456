/// What has to be stored of the bounds of what actions may have lost by purges, but for those of each app.
package struct LostWorthState: Equatable, Sendable {
  /// How often actions were purged, and how many.
  package var purges: UInt64 = 0
  package var purged: UInt64 = 0
  /// At one moment: under the half-life of the ranking, under the decays of an hour, a day and a month, and under the
  /// use-counted ones in apps that are gone. Finite and never negative.
  package var bounds = [Double](repeating: 0, count: 9)

  package init() {}
}

/// What the actions of one app may have lost by purges.
package struct AppLoss: Equatable, Sendable {
  /// Under the use-counted decays.
  package var uses: [Float] = []
  /// Under the half-life of its own.
  package var own: OwnScore?

  package init() {}
}

extension ActionRanking {
  /// Adds to the bounds of what actions may have lost by purges what these are worth.
  mutating func noteLosses(_ numbers: ArraySlice<UInt32>) {
    var common = DecayedCount.zero
    var timed = InlineArray<3, DecayedCount>(repeating: .zero)
    var uses: [UInt32: SIMD8<Float>] = [:]
    var own: [UInt32: DecayedCount] = [:]
    for number in numbers {
      let app = actions[number].app
      let score = actions.score(number, by: .common)
      if score.isGreater(than: common) { common = score }
      var worth = SIMD8<Float>.zero
      for lane in LostWorth.useLanes {
        worth[lane] = Float(self.score(number, lane).score(at: .zero))
      }
      uses[app] = uses[app].map { pointwiseMax($0, worth) } ?? worth
      for place in 0..<3 { timed.raise(place, to: self.score(number, LostWorth.useLanes.upperBound + place)) }
      if apps[app].ownHalfLife == nil { continue }
      let ownScore = actions.score(number, by: .own)
      if own[app].map({ ownScore.isGreater(than: $0) }) ?? true { own[app] = ownScore }
    }
    lost.common.add(common)
    for place in 0..<3 { lost.timed[place].add(timed[place]) }
    for (app, worth) in uses {
      markUncommitted(app: app)
      lost.ofApps[app].add(worth, atStep: apps[app].steps)
    }
    for (app, worth) in own { lost.own[app, default: .zero].add(worth) }
  }

  /// What an action's uses are worth under the decay of a lane of its counters.
  private func score(_ number: UInt32, _ lane: Int) -> DecayedCount {
    guard let decay = Decay(rawValue: UInt8(lane)) else { return .zero }
    return actions.score(number, by: counter(decay, ofApp: actions[number].app))
  }

  // MARK: Looking

  /// How often actions were purged, and how many.
  package var purges: (times: UInt64, actions: UInt64) { (lost.purges, lost.purged) }

  /// By how much a score in the list of an app, or in the one over all apps, may be too low at a decay time, because the
  /// action was purged before: no score is too high.
  package func maxError(ofApp app: UInt32?, at time: Int64) -> Double {
    guard let app else { return lost.common.score(at: halfLife.position(of: time)) }
    return maxError(under: decay(ofApp: app), ofApp: app, at: time)
  }

  /// The same of the scores under one of an app's decays.
  func maxError(under decay: Decay, ofApp app: UInt32, at time: Int64) -> Double {
    let uses = lost.ofApps[app].values(atStep: apps[app].steps)
    switch decay {
    case .fixed:
      guard let ownHalfLife = apps[app].ownHalfLife else { return maxError(ofApp: nil, at: time) }
      return lost.own[app]?.score(at: ownHalfLife.position(of: time)) ?? 0
    case .power: return Double(Fading.power(uses, Fading.factors(uses: 1)))
    default:
      let lane = Int(decay.rawValue)
      if LostWorth.useLanes.contains(lane) { return Double(uses[lane]) }
      let place = lane - LostWorth.useLanes.upperBound
      return lost.timed[place].score(at: timedPosition(place, time))
    }
  }

  // MARK: Following the apps

  /// Has the bound of an app follow another half-life of its own; nil for none.
  mutating func changeOwnLoss(ofApp app: UInt32, from old: HalfLife?, at time: Int64) {
    let known = old == nil ? lost.common : lost.own[app] ?? .zero
    lost.own[app] = apps[app].ownHalfLife.flatMap {
      known.value == 0 ? nil : known.rescaled(from: (old ?? halfLife).position(of: time), to: $0.position(of: time))
    }
  }

  /// Forgets the bounds of an app, all of whose uses are forgotten.
  mutating func forgetLosses(ofApp app: UInt32) {
    lost.ofApps[app] = UseLoss()
    lost.own[app] = nil
  }

  /// Forgets all bounds, as all uses are forgotten.
  package mutating func forgetLosses() {
    (lost.common, lost.timed, lost.ofGoneApps) = (.zero, .init(repeating: .zero), .zero)
    for app in appNumbers { forgetLosses(ofApp: app) }
  }

  /// The greatest of all bounds under the use-counted decays, and of all scores under others that lists go by.
  func greatestLoss(at time: Int64) -> (uses: SIMD8<Float>, score: Double) {
    if lost.common.value == 0 { return (.zero, 0) }
    var uses = lost.ofGoneApps
    for app in appNumbers { uses = pointwiseMax(uses, lost.ofApps[app].values(atStep: apps[app].steps)) }
    let scores = lost.own.map { app, loss in
      apps[app].ownHalfLife.map { loss.score(at: $0.position(of: time)) } ?? 0
    }
    return (uses, max(scores.max() ?? 0, lost.common.score(at: halfLife.position(of: time))))
  }

  /// Adds to the bounds of apps what actions may bring along that have moved there, ``greatestLoss(at:)`` of before.
  ///
  /// - Parameter haveMerged: whether some have become one with others, which may have lost as much.
  mutating func addLoss(
    _ loss: (uses: SIMD8<Float>, score: Double), of moved: [MovedAction], haveMerged: Bool, at time: Int64
  ) {
    if loss.score == 0, loss.uses == .zero { return }
    for app in Set(moved.map(\.to)).compactMap({ findApp($0) }) {
      markUncommitted(app: app)
      lost.ofApps[app].add(loss.uses, atStep: apps[app].steps)
      if let own = apps[app].ownHalfLife {
        lost.own[app, default: .zero].add(DecayedCount(weight: loss.score, at: own.position(of: time)))
      }
    }
    if !haveMerged { return }
    lost.common.add(lost.common)
    for place in 0..<3 { lost.timed[place].add(lost.timed[place]) }
  }

  // MARK: Storing

  /// What is to be stored of the bounds.
  package func lostWorth(at time: Int64) -> LostWorthState {
    var state = LostWorthState()
    (state.purges, state.purged) = (lost.purges, lost.purged)
    state.bounds[0] = lost.common.score(at: halfLife.position(of: time))
    for place in 0..<3 { state.bounds[1 + place] = lost.timed[place].score(at: timedPosition(place, time)) }
    for lane in LostWorth.useLanes { state.bounds[4 + lane] = Double(lost.ofGoneApps[lane]) }
    return state
  }

  /// Takes over the bounds as they were stored, of a decay time that is not after `time`; before anything is restored.
  package mutating func restore(_ state: LostWorthState, at time: Int64) {
    (lost.purges, lost.purged) = (state.purges, state.purged)
    guard state.bounds.count == 9, state.bounds.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return }
    lost.common = DecayedCount(weight: state.bounds[0], at: halfLife.position(of: time))
    for place in 0..<3 {
      lost.timed[place] = DecayedCount(weight: state.bounds[1 + place], at: timedPosition(place, time))
    }
    for lane in LostWorth.useLanes { lost.ofGoneApps[lane] = Float(state.bounds[4 + lane]) }
  }

  private func timedPosition(_ place: Int, _ time: Int64) -> DecayPosition {
    guard case .time(let halfLife)? = Decay(rawValue: UInt8(LostWorth.useLanes.upperBound + place))?.pace else {
      return .zero
    }
    return halfLife.position(of: time)
  }

  /// What is to be stored of the bounds of an app.
  func loss(ofApp app: UInt32) -> AppLoss {
    var loss = AppLoss()
    let uses = lost.ofApps[app].values(atStep: apps[app].steps)
    loss.uses = LostWorth.useLanes.map { uses[$0] }
    loss.own = lost.own[app].flatMap { own in
      apps[app].ownHalfLife.map { OwnScore(halfLife: $0.nanoseconds, score: own) }
    }
    return loss
  }

  /// Takes over the bounds of an app, whose steps are known. Under a half-life that has come meanwhile its actions begin
  /// with their common scores, and the bound with the common one.
  mutating func restore(_ loss: AppLoss, ofApp app: UInt32, at time: Int64) {
    var uses = SIMD8<Float>.zero
    for (lane, value) in zip(LostWorth.useLanes, loss.uses) where value.isFinite && value >= 0 { uses[lane] = value }
    lost.ofApps[app] = UseLoss(values: uses, step: apps[app].steps)
    lost.own[app] = nil
    guard let own = apps[app].ownHalfLife else { return }
    if let stored = loss.own, stored.halfLife == own.nanoseconds {
      lost.own[app] = stored.score
    } else {
      changeOwnLoss(ofApp: app, from: nil, at: time)
    }
  }
}
