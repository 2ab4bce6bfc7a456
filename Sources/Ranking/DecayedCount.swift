/// A sum of uses, each worth half as much after every half-life: the forward-decay form.
///
/// A use of weight *w* at decay time *t* adds `w · 2^(t/H)`, a number that never changes afterwards. It is kept as
/// `value · 2^landmark`, the landmark counted in whole half-lives: moving it multiplies the value by a power of two,
/// which is exact in binary floating point. So a use is one addition, the order of two counts changes only when one
/// of them is used, and nothing overflows or fades into nonsense whatever the half-life is or however long the daemon
/// runs. (G. Cormode et al., "Forward Decay: A Practical Time Decay Model for Streaming Systems", ICDE 2009.)
package struct DecayedCount: Equatable, Sendable, BitwiseCopyable {
  /// The sum relative to the landmark: finite and never negative.
  package private(set) var value: Double
  /// Whole half-lives since the origin of decay time: that of the latest use.
  package private(set) var landmark: Int64

  /// Nothing counted yet.
  package static let zero = DecayedCount(value: 0, landmark: .min)

  /// `weight` uses at `position`. The weight is finite and never negative.
  package init(weight: Double, at position: DecayPosition) {
    self.init(value: weight * position.growth, landmark: position.whole)
  }

  /// A count as it was stored.
  package init(value: Double, landmark: Int64) {
    assert(value.isFinite && value >= 0)
    self.value = value
    self.landmark = landmark
  }

  /// Adds what another count holds. The order in which counts are added matters by rounding only.
  @inline(__always)
  package mutating func add(_ other: DecayedCount) {
    if other.landmark == landmark {
      value += other.value
    } else {
      addAligned(other)
    }
  }

  private mutating func addAligned(_ other: DecayedCount) {
    if other.value == 0 { return }
    if value == 0 {
      self = other
    } else if other.landmark > landmark {
      value = other.value + Self.scale(value, by: landmark.saturatingSubtracting(other.landmark))
      landmark = other.landmark
    } else {
      value += Self.scale(other.value, by: other.landmark.saturatingSubtracting(landmark))
    }
  }

  /// What the count is worth at `position`, in uses of that very moment: finite and never negative.
  ///
  /// What is worth less than the smallest positive number is worth 0 here; its place in the order is kept all the
  /// same, see ``isGreater(than:)``.
  package func score(at position: DecayPosition) -> Double {
    let score = Self.scale(value / position.growth, by: landmark.saturatingSubtracting(position.whole))
    return min(score, .greatestFiniteMagnitude)
  }

  /// Whether this count is worth more than another: exact, and the same at every moment.
  package func isGreater(than other: DecayedCount) -> Bool {
    if landmark == other.landmark || value == 0 || other.value == 0 { return value > other.value }
    let exponent = landmark.saturatingAdding(Int64(value.exponent))
    let otherExponent = other.landmark.saturatingAdding(Int64(other.value.exponent))
    if exponent != otherExponent { return exponent > otherExponent }
    return value.significand > other.value.significand
  }

  /// Whether this count is worth more than `factor` times another.
  func isGreater(than other: DecayedCount, times factor: Double) -> Bool {
    isGreater(
      than: DecayedCount(value: min(other.value * factor, .greatestFiniteMagnitude), landmark: other.landmark))
  }

  /// The count that under another half-life has the score of this moment.
  ///
  /// - Parameters:
  ///   - old: the moment's position under the half-life that the count was kept with.
  ///   - new: the same moment's position under the new one.
  package func rescaled(from old: DecayPosition, to new: DecayPosition) -> DecayedCount {
    guard value > 0 else { return .zero }
    return DecayedCount(
      value: value / old.growth * new.growth,
      landmark: landmark.saturatingSubtracting(old.whole).saturatingAdding(new.whole))
  }

  /// `value · 2^exponent`, for any exponent.
  private static func scale(_ value: Double, by exponent: Int64) -> Double {
    // Beyond ±2,200 every finite value has become 0 or infinite, so the clamp loses nothing.
    Double(sign: .plus, exponent: Int(min(max(exponent, -2200), 2200)), significand: value)
  }
}
