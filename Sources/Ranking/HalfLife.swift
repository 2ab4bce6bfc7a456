import func Glibc.exp2
import func Glibc.log2

/// How long a use takes to be worth half of what it was.
package struct HalfLife: Equatable, Sendable, BitwiseCopyable {
  /// Nanoseconds, at least 1.
  package let nanoseconds: Int64

  /// - Parameter nanoseconds: at least 1; the settings allow one second to a hundred years.
  package init(nanoseconds: Int64) {
    precondition(nanoseconds >= 1, "a half-life is at least a nanosecond")
    self.nanoseconds = nanoseconds
  }

  /// Where decay time `time` lies on the scale of whole half-lives.
  package func position(of time: Int64) -> DecayPosition { DecayPosition(of: time, halfLife: nanoseconds) }

  /// What a use is worth that lies so many nanoseconds back: 1 for one of just now.
  package func weight(ofAge age: Int64) -> Double { exp2(-Double(age) / Double(nanoseconds)) }

  /// How long it takes for a score to lose the share `loss` of itself, in nanoseconds, saturated.
  package func time(toLose loss: Double) -> Int64 {
    let nanoseconds = Double(nanoseconds) * -log2(1 - loss)
    return nanoseconds < Double(Int64.max) ? Int64(nanoseconds) : .max
  }
}

/// A distance in time, or in uses, in half-lives: `whole` of them, and the growth `2^fraction` for the rest.
package struct DecayPosition: Equatable, Sendable {
  /// Whole half-lives since the origin of decay time, rounded down.
  package let whole: Int64
  /// 2 to the power of the remaining fraction: at least 1 and at most 2.
  package let growth: Double
}

extension DecayPosition {
  /// The origin.
  static let zero = DecayPosition(of: 0, halfLife: 1)

  /// Where `distance` from the origin lies, counted like the half-life, which is at least 1.
  ///
  /// The division is done in integers, so the fraction keeps its full precision however far from the origin that is.
  init(of distance: Int64, halfLife: Int64) {
    var (whole, rest) = distance.quotientAndRemainder(dividingBy: halfLife)
    if rest < 0 {
      whole -= 1
      rest += halfLife
    }
    self.whole = whole
    growth = rest == 0 ? 1 : exp2(Double(rest) / Double(halfLife))
  }
}
