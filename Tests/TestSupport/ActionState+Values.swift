package import Ranking

extension ActionState {
  /// One with all of its values.
  package init(
    app: [UInt8], action: [UInt8], score: DecayedCount, uses: UInt64, firstUsed: Int64, lastUse: Moment,
    lastArrival: UInt64, isAppNamed: Bool? = nil, ownScore: OwnScore? = nil, adaptive: AdaptiveState? = nil
  ) {
    self.init(
      app: app, action: action,
      values: ActionValues(
        score: score, uses: uses, firstUsed: firstUsed, lastUse: lastUse, lastArrival: lastArrival,
        isAppNamed: isAppNamed, ownScore: ownScore, adaptive: adaptive))
  }
}
