/// Idempotency ids seen lately, so that an event that is sent again counts once.
///
/// Only hashes are kept: 128 bits under a secret seed, so that two ids are taken for one with a probability below
/// 10^-26 for a million of them. The oldest leave first, by age and by number.
package struct RecentIDs: ~Copyable {
  private let capacity: Int
  /// How long each is remembered, nanoseconds of decay time.
  package var lifetime: Int64
  private let hashes: (SeededHash, SeededHash)
  private var seen: Set<UInt128> = []
  /// In order of arrival, as a ring: the oldest at `oldest`.
  private(set) var arrivals: [RememberedID] = []
  private var oldest = 0
  /// How many of the latest arrivals are to be stored; more than there are means all of them.
  private var uncommitted = 0

  /// - Parameters:
  ///   - capacity: how many ids are remembered at most.
  ///   - lifetime: how long each is remembered, nanoseconds of decay time.
  ///   - seed: 128 secret random bits.
  package init(capacity: Int, lifetime: Int64, seed: (UInt64, UInt64)) {
    self.capacity = capacity
    self.lifetime = lifetime
    hashes = (SeededHash(seed: seed), SeededHash(seed: (~seed.1, ~seed.0)))
  }

  /// How many ids are remembered.
  package var count: Int { seen.count }

  /// Remembers an id.
  ///
  /// - Parameter time: decay time of its arrival; never before that of the call before.
  /// - Returns: whether it is new; false if it was remembered already, which does not renew it.
  /// - Complexity: O(1) amortised.
  package mutating func insert(_ id: UnsafeRawBufferPointer, at time: Int64) -> Bool {
    while let first = first, time.saturatingSubtracting(first.time) >= lifetime { removeFirst() }
    let hash = unsafe UInt128(hashes.0.hash(id)) << 64 | UInt128(hashes.1.hash(id))
    guard seen.insert(hash).inserted else { return false }
    if seen.count > capacity { removeFirst() }
    arrivals.append(RememberedID(hash: hash, time: time))
    uncommitted += 1
    return true
  }

  /// Takes the ids that came since this was last asked, to be stored, but for those that are forgotten already.
  ///
  /// - Complexity: O(what it returns).
  package mutating func takeUncommitted() -> [RememberedID] {
    defer { uncommitted = 0 }
    return Array(arrivals[oldest...].suffix(uncommitted))
  }

  /// Gives back ids that could not be stored: the last ones taken.
  package mutating func giveBack(_ ids: [RememberedID]) { uncommitted += ids.count }

  /// Has every id taken again, because what was stored of them is not to be trusted.
  package mutating func markAllUncommitted() { uncommitted = arrivals.count - oldest }

  /// Takes over an id as it was stored; the oldest come first.
  package mutating func restore(_ id: RememberedID) {
    guard seen.insert(id.hash).inserted else { return }
    arrivals.append(id)
    if seen.count > capacity { removeFirst() }
  }

  /// Forgets all of them.
  package mutating func removeAll() {
    seen = []
    arrivals = []
    oldest = 0
    uncommitted = 0
  }

  private var first: RememberedID? { oldest < arrivals.count ? arrivals[oldest] : nil }

  private mutating func removeFirst() {
    seen.remove(arrivals[oldest].hash)
    oldest += 1
    if oldest * 2 > arrivals.count {
      arrivals.removeFirst(oldest)
      oldest = 0
    }
  }
}

/// An idempotency id as it is remembered and stored.
package struct RememberedID: Equatable, Sendable {
  /// 128 bits under the secret seed.
  package let hash: UInt128
  /// Decay time of its arrival, nanoseconds.
  package let time: Int64

  package init(hash: UInt128, time: Int64) {
    self.hash = hash
    self.time = time
  }
}
