import Ranking

/// A row of `actions`.
struct ActionRecord {
  /// Of version 1 of the schema, and of this one.
  static let columns = [11, 19]

  /// The order of first insertion; `hourly_uses` refers to it.
  var number: Int64
  var row: ActionRow

  /// Whether this is the later state of the same action.
  func isLater(than other: ActionRecord) -> Bool {
    (row.uses, row.lastArrival) > (other.row.uses, other.row.lastArrival)
  }

  func bind(to statement: Statement) {
    statement.bind(0, text: row.app)
    statement.bind(1, text: row.action)
    unsafe row.app.withUnsafeBytes { app in
      unsafe row.action.withUnsafeBytes { action in
        unsafe ActionColumns(number: number, values: row.values).bind(to: statement, app: app, action: action)
      }
    }
  }

  init?(_ source: some RowSource) {
    guard let app = source.id(0), let action = source.id(1) else { return nil }
    let columns = unsafe app.withUnsafeBytes { app in
      unsafe action.withUnsafeBytes { action in unsafe ActionColumns(source, app: app, action: action) }
    }
    guard let columns else { return nil }
    self.init(number: columns.number, row: ActionRow(app: app, action: action, values: columns.values))
  }

  init(number: Int64, row: ActionRow) {
    self.number = number
    self.row = row
  }
}

/// What a row of `actions` holds beside the ids, and the checksum over all of it.
struct ActionColumns {
  var number: Int64
  var values: ActionValues

  /// Binds all but the ids.
  func bind(to statement: Statement, app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) {
    let stored = ActionColumns(number: number, values: Self.sound(values))
    let values = stored.values
    statement.bind(2, number)
    statement.bind(3, Int64(clamping: values.uses))
    statement.bind(4, values.firstUsed)
    statement.bind(5, values.lastUse.wall)
    statement.bind(6, values.lastUse.decay)
    statement.bind(7, Int64(clamping: values.lastArrival))
    statement.bind(8, values.score.value)
    statement.bind(9, values.score.landmark)
    statement.bind(10, unsafe stored.checksum(app, action).value)
    statement.bind(11, values.isAppNamed.map { $0 ? 1 : 0 as Int64 })
    statement.bind(12, values.ownScore?.halfLife)
    statement.bind(13, values.ownScore?.score.value)
    statement.bind(14, values.ownScore?.score.landmark)
    AdaptiveState.bind(values.adaptive, to: statement, from: 15)
  }

  /// The values as they can be stored: a score that is no number must not make every later commit fail. Ranking makes
  /// none.
  private static func sound(_ values: ActionValues) -> ActionValues {
    var sound = values
    sound.score = Self.sound(values.score) ?? DecayedCount(value: 0, landmark: 0)
    sound.ownScore = values.ownScore.flatMap { own in
      Self.sound(own.score).map { OwnScore(halfLife: max(own.halfLife, 1), score: $0) }
    }
    sound.adaptive = values.adaptive?.sound
    return sound
  }

  private static func sound(_ score: DecayedCount) -> DecayedCount? {
    guard score.value.isFinite, score.value >= 0 else { return nil }
    // SQLite stores -0 as 0.
    return DecayedCount(value: score.value + 0, landmark: score.landmark)
  }

  @inline(__always)
  private func checksum(_ app: UnsafeRawBufferPointer, _ action: UnsafeRawBufferPointer) -> RowChecksum {
    var sum = RowChecksum(.actions)
    unsafe sum.add(app)
    unsafe sum.add(action)
    sum.add(number)
    sum.add(Int64(clamping: values.uses))
    sum.add(values.firstUsed)
    sum.add(values.lastUse.wall)
    sum.add(values.lastUse.decay)
    sum.add(Int64(clamping: values.lastArrival))
    sum.add(values.score.value.bitPattern)
    sum.add(values.score.landmark)
    // A row of version 1 has none of these.
    if values.isAppNamed != nil || values.ownScore != nil {
      sum.add(values.isAppNamed.map { $0 ? 1 : 0 as Int64 })
      sum.add(values.ownScore?.halfLife)
      sum.add(values.ownScore.map { Int64(bitPattern: $0.score.value.bitPattern) })
      sum.add(values.ownScore?.score.landmark)
    }
    values.adaptive?.add(to: &sum)
    return sum
  }

  init(number: Int64, values: ActionValues) {
    self.number = number
    self.values = values
  }

  /// - Parameters:
  ///   - app: what the row has for the app's id.
  ///   - action: what it has for the action's.
  @inline(__always)
  init?(_ source: some RowSource, app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) {
    guard let number = source.integer(2), number >= 0, let uses = source.count(3), let firstUsed = source.integer(4),
      let wall = source.integer(5), let decay = source.integer(6), let lastArrival = source.count(7),
      let value = source.real(8), value.isFinite, value >= 0, let landmark = source.integer(9),
      let stored = source.integer(10)
    else { return nil }
    self.init(
      number: number,
      values: ActionValues(
        score: DecayedCount(value: value, landmark: landmark), uses: uses, firstUsed: firstUsed,
        lastUse: Moment(decay: decay, wall: wall), lastArrival: lastArrival, isAppNamed: source.flag(11)))
    if let halfLife = source.integer(12), let value = source.real(13), let landmark = source.integer(14) {
      guard halfLife >= 1, value.isFinite, value >= 0 else { return nil }
      values.ownScore = OwnScore(halfLife: halfLife, score: DecayedCount(value: value, landmark: landmark))
    }
    values.adaptive = AdaptiveState(source, from: 15)
    guard unsafe checksum(app, action).fits(stored) else { return nil }
  }
}
