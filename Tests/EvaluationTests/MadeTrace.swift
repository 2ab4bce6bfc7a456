import TestSupport

/// The trace `made.tsv`, which nobody's uses are in: whoever changes this writes it anew.
enum MadeTrace {
  static let seed: UInt64 = 20_261_201

  /// Six users with sessions of some minutes and pauses of up to twelve days; habits drift from month to month.
  static func text() -> String {
    var random = SeededRandom(seed: seed)
    var text = ""
    for user in 1...6 {
      let actions = 8 * user
      var time: UInt64 = 1_600_000_000
      for index in 0..<400 {
        time += random.next() % (index % 20 == 0 ? 1_036_800 : 240)
        // The least of two is small more often than not.
        let choice = min(random.next() % UInt64(actions), random.next() % UInt64(actions))
        let drift = UInt64(index / 100 * 3)
        text += "u\(user)\t\(time)\ta\((choice + drift) % UInt64(actions))\n"
      }
    }
    return text
  }
}
