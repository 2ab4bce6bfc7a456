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
    try unsafe changes.names.withIDs { names throws(StorageError) in
      var numbers = [Int64](repeating: Self.unknown, count: changes.names.count)
      let order = unsafe Self.inOrder(changes, names)
      for row in order {
        let place = changes.place(ofValues: row.index)
        numbers[place] =
          try unsafe number(app: names.app(place), action: names.action(place)) ?? Self.unknown
      }
      let firstNew = next.nextActionNumber
      for index in changes.values.indices where numbers[changes.place(ofValues: index)] == Self.unknown {
        numbers[changes.place(ofValues: index)] = next.nextActionNumber
        next.nextActionNumber += 1
      }
      for row in order {
        let place = changes.place(ofValues: row.index)
        let number = numbers[place]
        let statement = number < firstNew ? updateAction : insertAction
        let (app, action) = unsafe (names.app(place), names.action(place))
        unsafe statement.bind(0, lasting: app)
        unsafe statement.bind(1, lasting: action)
        unsafe ActionColumns(number: number, values: changes.values[row.index])
          .bind(to: statement, app: app, action: action)
        try statement.run()
      }
      if let written { for index in changes.values.indices { written(numbers[changes.place(ofValues: index)]) } }
      try unsafe add(changes.uses, names, &numbers, subtracts: false, &next)
    }
  }

  /// In place of the number of an action that is not stored, or was not looked for.
  private static let unknown: Int64 = -1

  /// Takes the uses away that changes have added.
  func subtract(_ changes: ActionChanges, _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    try unsafe changes.names.withIDs { names throws(StorageError) in
      var numbers = [Int64](repeating: Self.unknown, count: changes.names.count)
      try unsafe add(changes.uses, names, &numbers, subtracts: true, &next)
    }
  }

  /// - Parameter numbers: those of the actions that are known, by place.
  private func add(
    _ uses: [ActionChanges.Uses], _ names: ActionNameList.Reader, _ numbers: inout [Int64], subtracts: Bool,
    _ next: inout StateDatabase.Bookkeeping
  ) throws(StorageError) {
    var order: [UInt32] = []
    order.reserveCapacity(uses.count)
    for (index, use) in uses.enumerated() {
      if numbers[use.place] == Self.unknown {
        let number = try unsafe number(app: names.app(use.place), action: names.action(use.place))
        guard let number else { continue }
        numbers[use.place] = number
      }
      order.append(UInt32(index))
    }
    order.sort { one, other in
      let (one, other) = (uses[Int(one)], uses[Int(other)])
      return (one.hour, numbers[one.place]) < (other.hour, numbers[other.place])
    }
    for index in order {
      let use = uses[Int(index)]
      try add(use.uses, to: numbers[use.place], hour: use.hour, subtracts: subtracts, &next)
    }
  }

  /// One of the values that change, and eight bytes of each of its ids, which decide nearly always.
  private struct Key {
    let app: UInt64
    let action: UInt64
    private let storedIndex: UInt32

    init(app: UInt64, action: UInt64, index: Int) {
      (self.app, self.action, storedIndex) = (app, action, UInt32(index))
    }

    var index: Int { Int(storedIndex) }
  }

  /// The values of actions in the order of their keys in the table: by app, then by action.
  private static func inOrder(_ changes: ActionChanges, _ names: ActionNameList.Reader) -> [Key] {
    var (apps, actions) = unsafe (CommonPrefix(), CommonPrefix())
    for index in changes.values.indices {
      unsafe apps.take(names.app(changes.place(ofValues: index)))
      unsafe actions.take(names.action(changes.place(ofValues: index)))
    }
    var keys = changes.values.indices.map { index in
      let place = changes.place(ofValues: index)
      return unsafe Key(
        app: apps.wordBehind(names.app(place)), action: actions.wordBehind(names.action(place)), index: index)
    }
    keys.sort { one, other in
      if one.app != other.app { return one.app < other.app }
      let (place, otherPlace) = (changes.place(ofValues: one.index), changes.place(ofValues: other.index))
      let order = unsafe compare(names.app(place), names.app(otherPlace))
      if order != 0 { return order < 0 }
      if one.action != other.action { return one.action < other.action }
      return unsafe compare(names.action(place), names.action(otherPlace)) < 0
    }
    return keys
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
