/// Everything that has to be stored of one action.
@dynamicMemberLookup
package struct ActionState: Equatable, Sendable {
  /// The app's id.
  package var app: [UInt8]
  /// The action's id.
  package var action: [UInt8]
  /// All else.
  package var values: ActionValues

  package init(app: [UInt8], action: [UInt8], values: ActionValues) {
    self.app = app
    self.action = action
    self.values = values
  }

  package subscript<Value>(dynamicMember member: WritableKeyPath<ActionValues, Value>) -> Value {
    get { values[keyPath: member] }
    set { values[keyPath: member] = newValue }
  }
}

/// Everything that has to be stored of one action but the ids.
package struct ActionValues: Equatable, Sendable, BitwiseCopyable {
  /// What its uses are worth, under the half-life of the ranking.
  package var score: DecayedCount
  /// How many uses were counted.
  package var uses: UInt64
  /// Wall time of the earliest use, Unix nanoseconds.
  package var firstUsed: Int64
  /// The latest use.
  package var lastUse: Moment
  /// The arrival number of the event of the latest use.
  package var lastArrival: UInt64
  /// Whether some event named the app; nil in an older state, which does not say so.
  package var isAppNamed: Bool?
  /// What its uses are worth under the half-life of its app, if that has its own.
  package var ownScore: OwnScore?
  /// What lists and places go by; nil in an older state.
  package var adaptive: AdaptiveState?

  package init(
    score: DecayedCount, uses: UInt64, firstUsed: Int64, lastUse: Moment, lastArrival: UInt64,
    isAppNamed: Bool? = nil, ownScore: OwnScore? = nil, adaptive: AdaptiveState? = nil
  ) {
    self.score = score
    self.uses = uses
    self.firstUsed = firstUsed
    self.lastUse = lastUse
    self.lastArrival = lastArrival
    self.isAppNamed = isAppNamed
    self.ownScore = ownScore
    self.adaptive = adaptive
  }
}

/// A count under a half-life of its app.
package struct OwnScore: Equatable, Sendable, BitwiseCopyable {
  /// Nanoseconds, at least 1.
  package var halfLife: Int64
  /// What the uses are worth under it.
  package var score: DecayedCount

  package init(halfLife: Int64, score: DecayedCount) {
    self.halfLife = halfLife
    self.score = score
  }
}
