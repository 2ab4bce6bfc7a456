import Ranking

/// A row of `connections`.
struct ConnectionRecord {
  /// Of version 1 of the schema, and of this one.
  static let columns = [10, 12]

  var row: ConnectionRow

  func bind(to statement: Statement) {
    statement.bind(0, Int64(clamping: row.number))
    statement.bind(1, row.isControl ? 1 : 0 as Int64)
    statement.bind(2, Int64(clamping: row.lineNumber))
    statement.bind(3, Int64(clamping: row.accepted))
    statement.bind(4, Int64(clamping: row.duplicates))
    statement.bind(5, Int64(clamping: row.refused))
    statement.bind(6, skipping)
    statement.bind(7, blob: row.unfinished)
    statement.bind(8, text: Array(Self.text(of: row.pendingSyncs).utf8))
    statement.bind(9, checksum.value)
    statement.bind(10, Int64(clamping: row.blocked))
    statement.bind(11, Int64(clamping: row.notRecorded))
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.connections)
    for value in [row.number, row.lineNumber, row.accepted, row.duplicates, row.refused] {
      sum.add(Int64(clamping: value))
    }
    sum.add((row.isControl ? 1 : 0) | UInt64(skipping) << 1)
    sum.add(row.unfinished)
    sum.add(UInt64(row.pendingSyncs.count))
    for sync in row.pendingSyncs { sum.add(sync) }
    // A row of version 1 has none of these.
    if row.blocked > 0 || row.notRecorded > 0 {
      sum.add(Int64(clamping: row.blocked))
      sum.add(Int64(clamping: row.notRecorded))
    }
    return sum
  }

  private var skipping: Int64 { row.isSkipping ? (row.isRestUnknown ? 2 : 1) : 0 }

  init(_ row: ConnectionRow) { self.row = row }

  init?(_ source: some RowSource) {
    guard
      let number = source.count(0), let isControl = source.flag(1), let lineNumber = source.count(2),
      let accepted = source.count(3), let duplicates = source.count(4), let refused = source.count(5),
      let skipping = source.integer(6), (0...2).contains(skipping), let unfinished = source.blob(7),
      let syncs = source.text(8),
      let pendingSyncs = Self.syncs(in: syncs)
    else { return nil }
    row = ConnectionRow(
      number: number, isControl: isControl, lineNumber: lineNumber, accepted: accepted, duplicates: duplicates,
      refused: refused, blocked: source.count(10) ?? 0, notRecorded: source.count(11) ?? 0, unfinished: unfinished,
      isSkipping: skipping > 0, isRestUnknown: skipping == 2,
      pendingSyncs: pendingSyncs)
    guard checksum.fits(source.integer(9)) else { return nil }
  }

  /// The syncs as a JSON array: `[7,null,8]`.
  private static func text(of syncs: [Int64?]) -> String {
    "[" + syncs.map { $0.map { String($0) } ?? "null" }.joined(separator: ",") + "]"
  }

  private static func syncs(in text: [UInt8]) -> [Int64?]? {
    let text = String(decoding: text, as: UTF8.self)
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    if text == "[]" { return [] }
    var syncs: [Int64?] = []
    for part in text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false) {
      if part == "null" {
        syncs.append(nil)
      } else {
        guard let number = Int64(part) else { return nil }
        syncs.append(number)
      }
    }
    return syncs
  }
}

/// The one row of `daemon`: what there is one of.
struct DaemonRecord {
  /// Of version 1 of the schema, and of this one.
  static let columns = [15, 16]

  /// How many commits there have been: every one raises it by 1.
  var commitNumber: Int64 = 0
  var halfLife: Int64?
  var clock: ClockMark?
  var logPosition: LogPosition?
  var nextConnection: UInt64 = 0
  var arrivals: UInt64 = 0
  var idSecret: (UInt64, UInt64)
  /// Whether something that was forgotten may still be in a file.
  var wipeIsOwed = false

  func bind(to statement: Statement) {
    statement.bind(0, 1 as Int64)
    statement.bind(1, commitNumber)
    statement.bind(2, halfLife)
    statement.bind(3, text: Array((clock?.bootID ?? "").utf8))
    statement.bind(4, clock?.reading.boot)
    statement.bind(5, clock?.reading.wall)
    statement.bind(6, clock?.decay)
    statement.bind(7, clock?.unsureSince?.wall)
    statement.bind(8, clock?.unsureSince?.decay)
    statement.bind(9, logPosition.map { Int64(bitPattern: $0.log) })
    statement.bind(10, logPosition.map { Int64(clamping: $0.offset) })
    statement.bind(11, Int64(clamping: nextConnection))
    statement.bind(12, Int64(clamping: arrivals))
    statement.bind(13, blob: secretBytes)
    statement.bind(14, checksum.value)
    statement.bind(15, wipeIsOwed ? 1 : 0 as Int64)
  }

  private var secretBytes: [UInt8] {
    [idSecret.0, idSecret.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.daemon)
    sum.add(commitNumber)
    sum.add(halfLife)
    sum.add(Array((clock?.bootID ?? "").utf8))
    sum.add(clock?.reading.boot)
    sum.add(clock?.reading.wall)
    sum.add(clock?.decay)
    sum.add(clock?.unsureSince?.wall)
    sum.add(clock?.unsureSince?.decay)
    sum.add(logPosition.map { Int64(bitPattern: $0.log) })
    sum.add(logPosition.map { Int64(clamping: $0.offset) })
    sum.add(Int64(clamping: nextConnection))
    sum.add(Int64(clamping: arrivals))
    sum.add(idSecret.0)
    sum.add(idSecret.1)
    // A row of version 1 knows of no wipe.
    if wipeIsOwed { sum.add(1 as UInt64) }
    return sum
  }

  /// What ``bind(to:)`` is for.
  static func statement(in connection: Connection) throws(StorageError) -> Statement {
    try connection.prepare(
      "INSERT OR REPLACE INTO daemon VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }

  init(idSecret: (UInt64, UInt64)) { self.idSecret = idSecret }

  init?(_ source: some RowSource) {
    guard
      source.integer(0) == 1, let commitNumber = source.integer(1), commitNumber >= 0, let bootID = source.text(3),
      let nextConnection = source.count(11), let arrivals = source.count(12), let secret = source.blob(13),
      secret.count == 16
    else { return nil }
    self.commitNumber = commitNumber
    halfLife = source.integer(2)
    if let boot = source.integer(4), let wall = source.integer(5), let decay = source.integer(6) {
      var unsure: UnsureDowntime?
      if let wall = source.integer(7), let decay = source.integer(8) {
        unsure = UnsureDowntime(wall: wall, decay: decay)
      }
      clock = ClockMark(
        bootID: String(decoding: bootID, as: UTF8.self), reading: ClockReading(boot: boot, wall: wall), decay: decay,
        unsureSince: unsure)
    }
    if let log = source.integer(9), let offset = source.count(10) {
      logPosition = LogPosition(log: UInt64(bitPattern: log), offset: offset)
    }
    self.nextConnection = nextConnection
    self.arrivals = arrivals
    idSecret = (Self.word(secret[..<8]), Self.word(secret[8...]))
    wipeIsOwed = source.flag(15) ?? false
    // A half-life below a nanosecond would not be one.
    guard checksum.fits(source.integer(14)), halfLife ?? 1 >= 1 else { return nil }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
