import Ranking
import Storage

// How lists and their hits lie in the database.

extension DailyHitsRow {
  init(_ hits: DayOfHits, app: [UInt8]) {
    self.init(day: hits.day, app: app, trials: hits.trials, hits: hits.hits, changes: hits.changes)
  }
}

// The state of an app: a version, then numbers, little-endian.
//
//     state = %x01 steps(4) decay(1) limit(1) count(1) *rate(4) recent-trials(4) recent-hits(4)
//             day(8) trials(8) hits(8) changes(8) list-trials(8) 16list-hits(8)
//             [count(1) *lost-under-uses(4) own-half-life(8) lost-under-it(8) its-landmark(8)]
//
// A state without the last part has lost nothing; an own half-life of 0 is none.

extension AppRow {
  private static let version: UInt8 = 1

  init(_ state: AppState) {
    let published = state.hits.published
    var bytes = ByteWriter()
    bytes.put(Self.version)
    bytes.put(state.steps)
    bytes.put(state.decayInForce)
    bytes.put(state.limit)
    bytes.put(UInt8(state.rates.count))
    for rate in state.rates { bytes.put(rate.bitPattern) }
    bytes.put(published.recentTrials.bitPattern)
    bytes.put(published.recentHits.bitPattern)
    bytes.put(published.today.day)
    for count in [published.today.trials, published.today.hits, published.today.changes] { bytes.put(count) }
    bytes.put(state.hits.listTrials)
    for lane in state.hits.listHits.indices { bytes.put(state.hits.listHits[lane]) }
    bytes.put(UInt8(state.loss.uses.count))
    for loss in state.loss.uses { bytes.put(loss.bitPattern) }
    bytes.put(state.loss.own?.halfLife ?? 0)
    bytes.put(state.loss.own?.score.value.bitPattern ?? 0)
    bytes.put(state.loss.own?.score.landmark ?? 0)
    self.init(
      app: state.app, state: bytes.bytes, trials: published.trials, hits: published.hits, changes: published.changes,
      hitRate: published.rate)
  }
}

extension AppState {
  /// Nil for a state of another version, or that is cut short.
  init?(_ row: AppRow) {
    var bytes = ByteReader(row.state)
    guard bytes.take(UInt8.self) == 1, let steps = bytes.take(UInt32.self), let decay = bytes.take(UInt8.self),
      let limit = bytes.take(UInt8.self), let count = bytes.take(UInt8.self)
    else { return nil }
    var rates: [Float] = []
    for _ in 0..<count {
      guard let rate = bytes.take(UInt32.self) else { return nil }
      rates.append(Float(bitPattern: rate))
    }
    var hits = AppHits()
    guard let recentTrials = bytes.take(UInt32.self), let recentHits = bytes.take(UInt32.self),
      let day = bytes.take(Int64.self), let trials = bytes.take(UInt64.self), let dayHits = bytes.take(UInt64.self),
      let changes = bytes.take(UInt64.self), let listTrials = bytes.take(UInt64.self)
    else { return nil }
    hits.published.trials = row.trials
    hits.published.hits = row.hits
    hits.published.changes = row.changes
    hits.published.recentTrials = Float(bitPattern: recentTrials)
    hits.published.recentHits = Float(bitPattern: recentHits)
    hits.published.today.day = day
    hits.published.today.trials = trials
    hits.published.today.hits = dayHits
    hits.published.today.changes = changes
    hits.listTrials = listTrials
    for lane in hits.listHits.indices {
      guard let count = bytes.take(UInt64.self) else { return nil }
      hits.listHits[lane] = count
    }
    self.init(
      app: row.app, steps: steps, rates: rates, decayInForce: decay, limit: limit, hits: hits, loss: AppLoss(&bytes))
  }
}

extension AppLoss {
  /// Nothing, in a state of before, or that is cut short.
  fileprivate init(_ bytes: inout ByteReader) {
    self.init()
    guard let count = bytes.take(UInt8.self) else { return }
    for _ in 0..<count { uses.append(Float(bitPattern: bytes.take(UInt32.self) ?? 0)) }
    guard let halfLife = bytes.take(Int64.self), halfLife > 0, let bits = bytes.take(UInt64.self),
      let landmark = bytes.take(Int64.self)
    else { return }
    let value = Double(bitPattern: bits)
    guard value.isFinite, value >= 0 else { return }
    own = OwnScore(halfLife: halfLife, score: DecayedCount(value: value, landmark: landmark))
  }
}

// What purges have lost lies among the totals: counts, and numbers that are never negative by their bits.

extension LostWorthState {
  private static let names = [
    "halfLife", "1h", "1d", "30d", "1 use", "5 uses", "20 uses", "100 uses", "500 uses",
  ]
  private static let prefix = "purge."

  var totals: [(name: String, value: UInt64)] {
    [(Self.prefix + "times", purges), (Self.prefix + "actions", purged)]
      + zip(Self.names, bounds).map { (Self.prefix + "lost." + $0, $1.bitPattern) }
  }

  init(totals: [(name: String, value: UInt64)]) {
    self.init()
    for (name, value) in totals where name.hasPrefix(Self.prefix) {
      let name = name.dropFirst(Self.prefix.count)
      if name == "times" { purges = value }
      if name == "actions" { purged = value }
      let place = Self.names.firstIndex { "lost." + $0 == name }
      if let place { bounds[place] = Double(bitPattern: value) }
    }
  }
}

private struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

private struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func take<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
    let size = Value.bitWidth / 8
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size).reversed().reduce(Value(0)) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }
}
