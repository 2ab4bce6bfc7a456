// Numbers as they are nearly always written. Any other is left to ``Decimal``, which takes all of them.
extension Bytes {
  /// Reads a whole number of at most 10 digits, without a zero before others, and moves `index` behind it.
  ///
  /// - Returns: nil if there is none, or it goes on after 10 digits.
  @inline(__always)
  func plainWhole(at index: inout Int) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    if index <= count - 8, let eight = word(at: index).valueOfEightDigits {
      value = eight
      index += 8
    }
    while let digit = digit(at: index) {
      if index - start == 10 { return nil }
      value = value &* 10 &+ digit
      index += 1
    }
    if index == start || (self[start] == UInt8(ascii: "0") && index - start > 1) { return nil }
    return value
  }

  /// Reads Unix seconds, a whole number and at most 9 digits of a fraction, as nanoseconds.
  ///
  /// - Returns: nil if there are none, they have more digits, or they do not fit into Int64.
  @inline(__always)
  func plainSeconds(at index: inout Int) -> Int64? {
    guard let whole = plainWhole(at: &index) else { return nil }
    var fraction: UInt64 = 0
    if index < count, self[index] == UInt8(ascii: ".") {
      index += 1
      var unit: UInt64 = 1_000_000_000
      while let digit = digit(at: index) {
        if unit == 1 { return nil }
        unit /= 10
        fraction &+= digit &* unit
        index += 1
      }
      if unit == 1_000_000_000 { return nil }
    }
    // 10 digits of seconds are below 2^63.2 nanoseconds.
    return Int64(exactly: whole &* 1_000_000_000 &+ fraction)
  }

  @inline(__always)
  private func digit(at index: Int) -> UInt64? {
    guard index < count else { return nil }
    let digit = self[index] &- 0x30
    return digit <= 9 ? UInt64(digit) : nil
  }
}

extension UInt64 {
  /// The number that eight bytes of ASCII digits say, the first one lowest; nil if not all of them are digits.
  ///
  /// Pairs, then fours, then eights are put together, each in one multiplication (D. Lemire, "Quickly parsing eight
  /// digits").
  @inline(__always)
  var valueOfEightDigits: UInt64? {
    let digits = self ^ 0x3030_3030_3030_3030
    // A byte over 9 reaches the upper half if 6 is added, or stood there before.
    guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0 == 0 else { return nil }
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_ffff_0000_ffff
    return (fours &* 10_000 &+ fours >> 32) & 0xffff_ffff
  }
}
