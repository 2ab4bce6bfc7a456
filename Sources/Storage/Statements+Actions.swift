import Ranking

import func Glibc.memcmp

// Rows are looked up and written in the order of their keys: one page after another, each while it is at hand.

extension Statements {
  /// Writes the values of actions and adds their uses. Actions that are new get numbers in the order in which they are
  /// given.
  ///
  /// - Parameter written: takes the numbers of these actions, if it is given.
  /// - Complexity: O(changes · log(rows)).
  func write(
    _ changes: ActionChanges, _ next: inout StateDatabase.Bookkeeping, written: ((Int64) -> Void)? = nil
  ) throws(StorageError) {
    if changes.isEmpty { return }
    try unsafe changes.withNames { names throws(StorageError) in
      var numbers = [Int64?](repeating: nil, count: changes.names.count)
      let order = unsafe Self.inOrder(changes.rows.map(\.place), names)
      for row in order {
        let place = changes.rows[row].place
        numbers[place] = try unsafe number(app: names.app(place), action: names.action(place))
      }
      let firstNew = next.nextActionNumber
      for row in changes.rows where numbers[row.place] == nil {
        numbers[row.place] = next.nextActionNumber
        next.nextActionNumber += 1
      }
      for row in order {
        let (place, values) = (changes.rows[row].place, changes.rows[row].values)
        guard let number = numbers[place] else { continue }
        let statement = number < firstNew ? updateAction : insertAction
        let (app, action) = unsafe (names.app(place), names.action(place))
        unsafe statement.bind(0, lasting: app)
        unsafe statement.bind(1, lasting: action)
        unsafe ActionColumns(number: number, values: values).bind(to: statement, app: app, action: action)
        try statement.run()
      }
      if let written { for row in changes.rows { numbers[row.place].map(written) } }
      try unsafe add(changes.uses, names, &numbers, subtracts: false, &next)
    }
  }

  /// Takes the uses away that changes have added.
  func subtract(_ changes: ActionChanges, _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    try unsafe changes.withNames { names throws(StorageError) in
      var numbers = [Int64?](repeating: nil, count: changes.names.count)
      try unsafe add(changes.uses, names, &numbers, subtracts: true, &next)
    }
  }

  /// - Parameter numbers: those of the actions that are known, by place.
  private func add(
    _ uses: [ActionChanges.Uses], _ names: ActionChanges.NameReader, _ numbers: inout [Int64?], subtracts: Bool,
    _ next: inout StateDatabase.Bookkeeping
  ) throws(StorageError) {
    var records: [HourlyRecord] = []
    records.reserveCapacity(uses.count)
    for use in uses {
      if numbers[use.place] == nil {
        numbers[use.place] = try unsafe number(app: names.app(use.place), action: names.action(use.place))
      }
      guard let number = numbers[use.place] else { continue }
      records.append(HourlyRecord(hour: use.hour, actionNumber: number, uses: use.uses))
    }
    records.sort { ($0.hour, $0.actionNumber) < ($1.hour, $1.actionNumber) }
    for record in records {
      try add(record.uses, to: record.actionNumber, hour: record.hour, subtracts: subtracts, &next)
    }
  }

  /// The indices of actions, given by their places, in the order of their keys in the table: by app, then by action.
  private static func inOrder(_ places: [Int], _ names: ActionChanges.NameReader) -> [Int] {
    var (apps, actions) = unsafe (CommonPrefix(), CommonPrefix())
    for place in places {
      unsafe apps.take(names.app(place))
      unsafe actions.take(names.action(place))
    }
    // Eight bytes decide nearly always.
    var keys = places.enumerated().map { index, place in
      unsafe (apps.wordBehind(names.app(place)), actions.wordBehind(names.action(place)), place, index)
    }
    keys.sort { one, other in
      if one.0 != other.0 { return one.0 < other.0 }
      let order = unsafe compare(names.app(one.2), names.app(other.2))
      if order != 0 { return order < 0 }
      if one.1 != other.1 { return one.1 < other.1 }
      return unsafe compare(names.action(one.2), names.action(other.2)) < 0
    }
    return keys.map(\.3)
  }

  /// As SQLite compares texts: negative if the first one comes first, 0 if they are the same.
  private static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return one.count - other.count }
    if unsafe start == otherStart { return one.count - other.count }
    let order = unsafe memcmp(start, otherStart, min(one.count, other.count))
    return order != 0 ? Int(order) : one.count - other.count
  }
}

/// What ids have in common at their beginning.
@unsafe
private struct CommonPrefix {
  private var prefix: UnsafeRawBufferPointer?

  mutating func take(_ id: UnsafeRawBufferPointer) {
    guard let known = unsafe prefix else { return unsafe prefix = id }
    var length = 0
    while unsafe length < known.count && length < id.count && known[length] == id[length] { length += 1 }
    if length < known.count { unsafe prefix = UnsafeRawBufferPointer(rebasing: known[..<length]) }
  }

  /// The next eight bytes of an id as a number that sorts as they do.
  func wordBehind(_ id: UnsafeRawBufferPointer) -> UInt64 {
    let start = unsafe prefix?.count ?? 0
    var word: UInt64 = 0
    for place in start..<start + 8 { word = unsafe word << 8 | (place < id.count ? UInt64(id[place]) : 0) }
    return word
  }
}
