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
    self.init(app: row.app, steps: steps, rates: rates, decayInForce: decay, limit: limit, hits: hits)
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
