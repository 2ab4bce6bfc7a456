/// How many bytes are received in one turn: fewer where what they say takes long to count, so that nothing else waits long.
struct TurnShare {
  private let range: ClosedRange<Int>
  private(set) var bytes: Int

  /// A turn that takes longer is followed by a shorter one, nanoseconds; a whole one of less than half of it by a longer one.
  static let patience: Int64 = 10_000_000

  /// Begins with as little as there may be.
  init(_ range: ClosedRange<Int>) {
    self.range = range
    bytes = range.lowerBound
  }

  /// Takes note of how long a turn with this share took, nanoseconds, and whether there was as much to receive.
  mutating func note(_ time: Int64, wasWhole: Bool) {
    if time > Self.patience {
      bytes = max(bytes / 2, range.lowerBound)
    } else if wasWhole, time < Self.patience / 2 {
      bytes = min(bytes * 2, range.upperBound)
    }
  }
}
