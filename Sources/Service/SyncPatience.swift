import Ranking

/// When syncs that still wait have to be answered, stored or not.
struct SyncPatience {
  /// A sync is answered after so long at the latest: 5 s.
  static let longest: Int64 = 5_000_000_000

  /// When the first of the syncs that wait has waited long enough, decay time; nil if nobody looks for that.
  private(set) var end: Int64?

  /// Takes note that a sync was asked.
  ///
  /// - Parameter time: decay time.
  /// - Returns: when to look for syncs that have waited too long; nil if that is to happen earlier anyway.
  mutating func note(askedAt time: Int64) -> Int64? {
    if end != nil { return nil }
    end = time.saturatingAdding(Self.longest)
    return end
  }

  /// The time has come to look.
  ///
  /// - Returns: whoever asked at this time or before has waited too long.
  mutating func look(at now: Int64) -> Int64 {
    end = nil
    return now.saturatingSubtracting(Self.longest)
  }
}
