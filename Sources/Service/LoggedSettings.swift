import Settings

/// What of the settings decides how lines are read and counted, as it stands in the intake log.
struct LoggedSettings: Equatable {
  var maxLineBytes: Int
  /// Nanoseconds.
  var halfLife: Int64
  /// Whether uses are recorded.
  var records: Bool

  init(maxLineBytes: Int, halfLife: Int64, records: Bool) {
    self.maxLineBytes = maxLineBytes
    self.halfLife = halfLife
    self.records = records
  }

  init(_ settings: Settings) {
    self.init(maxLineBytes: settings.maxLineBytes, halfLife: settings.halfLife, records: settings.record)
  }

  /// 17 bytes: both numbers, little-endian, and 1 or 0.
  var bytes: [UInt8] {
    [UInt64(maxLineBytes), UInt64(halfLife)].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    } + [records ? 1 : 0]
  }

  /// Nil for anything that ``bytes`` does not make, now or, as 16 bytes, before there was a choice of recording.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 || bytes.count == 17 else { return nil }
    let numbers = [0, 8].map { start in
      (0..<8).reduce(UInt64(0)) { unsafe $0 | UInt64(bytes[start + $1]) << (8 * $1) }
    }
    guard let maxLineBytes = Int(exactly: numbers[0]), (1...1 << 30).contains(maxLineBytes),
      let halfLife = Int64(exactly: numbers[1]), halfLife > 0
    else { return nil }
    self.maxLineBytes = maxLineBytes
    self.halfLife = halfLife
    records = unsafe bytes.count == 16 || bytes[16] != 0
  }
}
