/// The latest ten visits of each action, and how many there were in all.
struct VisitLog<Visit> {
  /// How many visits are looked at.
  static var sampleSize: Int { 10 }

  private(set) var counts: [Int]
  private var samples: [Visit]

  /// - Parameter none: stands where no visit is yet.
  init(actions: Int, none: Visit) {
    counts = Array(repeating: 0, count: actions)
    samples = Array(repeating: none, count: actions * Self.sampleSize)
  }

  mutating func add(_ visit: Visit, to action: Int) {
    samples[action * Self.sampleSize + counts[action] % Self.sampleSize] = visit
    counts[action] += 1
  }

  /// The visits that are looked at, in no order.
  func sample(_ action: Int) -> ArraySlice<Visit> {
    samples[action * Self.sampleSize..<action * Self.sampleSize + sampleCount(action)]
  }

  /// How many visits are looked at.
  func sampleCount(_ action: Int) -> Int { min(counts[action], Self.sampleSize) }
}
