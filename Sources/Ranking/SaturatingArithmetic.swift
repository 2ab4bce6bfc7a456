extension FixedWidthInteger {
  /// The sum, or the nearest representable value where it does not fit.
  @inlinable
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// Adds, as far as the result is representable.
  @inlinable
  package mutating func saturate(adding other: Self) { self = saturatingAdding(other) }

  /// The difference, or the nearest representable value where it does not fit.
  @inlinable
  package func saturatingSubtracting(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }
}
