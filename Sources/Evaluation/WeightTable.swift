/// A weight for each action, and what is asked of all of them.
struct WeightTable {
  private(set) var weights: [Double]
  private(set) var sum = 0.0
  private(set) var greatest = 0.0

  init(actions: Int) { weights = Array(repeating: 0, count: actions) }

  /// Raises a weight.
  mutating func add(_ amount: Double, to action: Int) {
    weights[action] += amount
    sum += amount
    greatest = max(greatest, weights[action])
  }

  /// Multiplies all weights; those that are under 1 then become 0.
  ///
  /// - Complexity: O(n).
  mutating func scale(by factor: Double) {
    for index in weights.indices {
      let scaled = weights[index] * factor
      weights[index] = scaled < 1 ? 0 : scaled
    }
    sum = weights.reduce(0, +)
    greatest = weights.max() ?? 0
  }
}
