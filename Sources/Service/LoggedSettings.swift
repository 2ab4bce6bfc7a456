/// What of the settings decides how lines are read and counted, as it stands in the intake log.
struct LoggedSettings: Equatable {
  var maxLineBytes: Int
  /// Nanoseconds.
  var halfLife: Int64

  init(maxLineBytes: Int, halfLife: Int64) {
    self.maxLineBytes = maxLineBytes
    self.halfLife = halfLife
  }

  /// 16 bytes: both numbers, little-endian.
  var bytes: [UInt8] {
    [UInt64(maxLineBytes), UInt64(halfLife)].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  /// Nil for anything that ``bytes`` does not make.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    let numbers = [0, 8].map { start in
      (0..<8).reduce(UInt64(0)) { unsafe $0 | UInt64(bytes[start + $1]) << (8 * $1) }
    }
    guard let maxLineBytes = Int(exactly: numbers[0]), (1...1 << 30).contains(maxLineBytes),
      let halfLife = Int64(exactly: numbers[1]), halfLife > 0
    else { return nil }
    self.maxLineBytes = maxLineBytes
    self.halfLife = halfLife
  }
}
