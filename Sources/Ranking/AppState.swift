/// What has to be stored of an action for lists and places to go on as they were.
package struct AdaptiveState: Equatable, Sendable, BitwiseCopyable {
  /// What its uses are worth under the decays of raw values 0…7, as of its latest use: finite and never negative.
  package var counters: SIMD8<Float> {
    @inline(__always) get { SIMD8(lowHalf: lower, highHalf: upper) }
    set { (lower, upper) = (newValue.lowHalf, newValue.highHalf) }
  }
  // In halves, which need not lie at multiples of 32 bytes.
  private var lower: SIMD4<Float>
  private var upper: SIMD4<Float>
  /// How many uses its app had had before its latest one.
  package var step: UInt32
  /// The lists that it stands in: the bits of the decays' raw values.
  package var lists: UInt16
  /// Its place among those that are shown, from 1 on; 0 for none.
  package var place: UInt8

  package init(counters: SIMD8<Float>, step: UInt32, lists: UInt16, place: UInt8) {
    (lower, upper) = (counters.lowHalf, counters.highHalf)
    self.step = step
    self.lists = lists
    self.place = place
  }
}

/// Everything that has to be stored of an app.
package struct AppState: Equatable, Sendable {
  /// The app's id.
  package var app: [UInt8]
  /// How many uses of its actions were counted; it wraps around.
  package var steps: UInt32
  /// Hits of the decays' lists by raw value, then trials, each worth half as much 200 trials later.
  package var rates: [Float]
  /// The decay that an adaptive list goes by: a raw value below that of ``Decay/fixed``.
  package var decayInForce: UInt8
  /// How many actions its lists held.
  package var limit: UInt8
  /// How good its lists were.
  package var hits: AppHits
  /// What its actions may have lost by purges.
  package var loss: AppLoss

  package init(
    app: [UInt8], steps: UInt32, rates: [Float], decayInForce: UInt8, limit: UInt8, hits: AppHits,
    loss: AppLoss = AppLoss()
  ) {
    self.app = app
    self.steps = steps
    self.rates = rates
    self.decayInForce = decayInForce
    self.limit = limit
    self.hits = hits
    self.loss = loss
  }
}
