/// How often what was published of an app was what was used next.
package struct PublishedHits: Equatable, Sendable, BitwiseCopyable {
  /// Uses that were counted while something was published, since the beginning.
  package var trials: UInt64 = 0
  /// Those of them that were of an action among the published.
  package var hits: UInt64 = 0
  /// Places of the list that were published with another action than before.
  package var changes: UInt64 = 0
  /// Trials and hits, each worth half as much 200 trials later.
  package var recentTrials: Float = 0
  package var recentHits: Float = 0
  /// The same on the day of the latest trial.
  package var today = DayOfHits()

  package init() {}

  /// The share of hits of late; nil without a trial.
  package var rate: Double? { recentTrials > 0 ? Double(recentHits) / Double(recentTrials) : nil }
}

/// The hits of one day.
package struct DayOfHits: Equatable, Sendable, BitwiseCopyable {
  /// Whole days since 1970, UTC.
  package var day: Int64 = 0
  package var trials: UInt64 = 0
  package var hits: UInt64 = 0
  package var changes: UInt64 = 0

  package init() {}
}

/// The last values of a day that is over.
package struct FinishedDay: Equatable, Sendable {
  /// The app's number.
  package let app: UInt32
  package let hits: DayOfHits
}

/// What is known of how good an app's lists were.
package struct AppHits: Equatable, Sendable, BitwiseCopyable {
  /// Hits of what was published.
  package var published = PublishedHits()
  /// Uses by which the lists were judged, since the beginning.
  package var listTrials: UInt64 = 0
  /// Hits of the list of each ``Decay``, by its raw value.
  package var listHits = SIMD16<UInt64>.zero

  package init() {}

  /// Adds hits by the lists' lanes and, in the lane behind them, trials.
  mutating func add(_ counts: SIMD16<UInt8>) {
    listTrials &+= UInt64(counts[HitRates.trialLane])
    for decay in Decay.allCases { listHits[Int(decay.rawValue)] &+= UInt64(counts[Int(decay.rawValue)]) }
  }
}
