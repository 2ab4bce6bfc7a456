import Ranking

extension AdaptiveState {
  /// These, if they may be stored.
  var sound: AdaptiveState? {
    all(counters .>= -Float.greatestFiniteMagnitude .& counters .<= Float.greatestFiniteMagnitude) ? self : nil
  }

  static func bind(_ columns: AdaptiveState?, to statement: Statement, from column: Int) {
    if let columns {
      statement.bind(column, words: columns.words)
    } else {
      statement.bind(column, nil as Int64?)
    }
    statement.bind(column + 1, columns.map { Int64($0.step) })
    statement.bind(column + 2, columns.map { Int64($0.lists) })
    statement.bind(column + 3, columns.map { Int64($0.place) })
  }

  @inline(__always)
  init?(_ source: some RowSource, from column: Int) {
    guard let words = source.words(column),
      let step = source.integer(column + 1).flatMap({ UInt32(exactly: $0) }),
      let lists = source.integer(column + 2).flatMap({ UInt16(exactly: $0) }),
      let place = source.integer(column + 3).flatMap({ UInt8(exactly: $0) })
    else { return nil }
    var counters = SIMD8<Float>()
    for pair in 0..<4 {
      counters[2 * pair] = Float(bitPattern: UInt32(truncatingIfNeeded: words[pair]))
      counters[2 * pair + 1] = Float(bitPattern: UInt32(truncatingIfNeeded: words[pair] >> 32))
    }
    self.init(counters: counters, step: step, lists: lists, place: place)
  }

  @inline(__always)
  func add(to sum: inout RowChecksum) {
    let words = words
    for pair in 0..<4 { sum.add(words[pair]) }
    sum.add(UInt64(step) << 32 | UInt64(lists) << 8 | UInt64(place))
  }

  /// The counters, two in each, the first one in the lower half.
  private var words: SIMD4<UInt64> {
    @inline(__always) get {
      var words = SIMD4<UInt64>()
      for pair in 0..<4 {
        words[pair] =
          UInt64(counters[2 * pair].bitPattern) | UInt64(counters[2 * pair + 1].bitPattern) << 32
      }
      return words
    }
  }
}

/// A row of `apps`.
struct AppRecord {
  static let columns = 7

  var row: AppRow

  func bind(to statement: Statement) {
    statement.bind(0, text: row.app)
    statement.bind(1, blob: row.state)
    statement.bind(2, Int64(clamping: row.trials))
    statement.bind(3, Int64(clamping: row.hits))
    statement.bind(4, Int64(clamping: row.changes))
    statement.bind(5, row.hitRate)
    statement.bind(6, checksum.value)
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.apps)
    sum.add(row.app)
    sum.add(row.state)
    sum.add(Int64(clamping: row.trials))
    sum.add(Int64(clamping: row.hits))
    sum.add(Int64(clamping: row.changes))
    sum.add(row.hitRate.map { Int64(bitPattern: $0.bitPattern) })
    return sum
  }

  /// The row as it can be stored.
  init(_ row: AppRow) {
    self.row = row
    if row.state.count > AppRow.longestState { self.row.state = [] }
    // SQLite stores -0 as 0, and no number as NULL.
    self.row.hitRate = row.hitRate.flatMap { $0.isFinite ? $0 + 0 : nil }
  }

  init?(_ source: some RowSource) {
    guard
      let app = source.id(0), let state = source.blob(1), let trials = source.count(2), let hits = source.count(3),
      let changes = source.count(4)
    else { return nil }
    row = AppRow(app: app, state: state, trials: trials, hits: hits, changes: changes, hitRate: source.real(5))
    guard checksum.fits(source.integer(6)) else { return nil }
  }
}

/// A row of `daily_hits`.
struct DailyHitsRecord {
  static let columns = 6

  var row: DailyHitsRow

  func bind(to statement: Statement) {
    statement.bind(0, row.day)
    statement.bind(1, text: row.app)
    statement.bind(2, Int64(clamping: row.trials))
    statement.bind(3, Int64(clamping: row.hits))
    statement.bind(4, Int64(clamping: row.changes))
    statement.bind(5, checksum.value)
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.dailyHits)
    sum.add(row.day)
    sum.add(row.app)
    sum.add(Int64(clamping: row.trials))
    sum.add(Int64(clamping: row.hits))
    sum.add(Int64(clamping: row.changes))
    return sum
  }

  init(_ row: DailyHitsRow) { self.row = row }

  init?(_ source: some RowSource) {
    guard
      let day = source.integer(0), let app = source.text(1), app.count <= 255, let trials = source.count(2),
      let hits = source.count(3), let changes = source.count(4)
    else { return nil }
    row = DailyHitsRow(day: day, app: app, trials: trials, hits: hits, changes: changes)
    guard checksum.fits(source.integer(5)) else { return nil }
  }
}
