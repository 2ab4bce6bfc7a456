/// The best few of many, kept in order as they are used.
///
/// Scores only ever rise against one another by being used (``DecayedCount``), so the list stays exact if it looks at
/// the one action that was used: it moves up, or takes the last one's place.
struct RankedList {
  /// The most that a list can hold, which is the largest `Limit` of the settings.
  static let capacity = 20

  private(set) var count = 0
  private var entries = InlineArray<20, UInt32>(repeating: .max)

  /// What an update did to the list.
  enum Change: Equatable {
    /// The action is not among the best.
    case none
    /// The action stands in the list, and stood there before.
    case moved
    /// The action came in; `evicted` left for it, if the list was full.
    case entered(evicted: UInt32?)
  }

  /// The action at a place, 0 being the best.
  subscript(place: Int) -> UInt32 {
    precondition(place < count)
    return entries[place]
  }

  /// Takes note that an action was used.
  ///
  /// - Parameters:
  ///   - action: what was used, its score already raised.
  ///   - isListed: whether it stands in this list now.
  ///   - limit: how many the list may hold, at most ``capacity``.
  ///   - actions: what the numbers in the list refer to.
  /// - Complexity: O(`limit`) comparisons of numbers; of scores, one for each place moved, plus one.
  @inline(__always)
  mutating func update(
    _ action: UInt32, isListed: Bool, limit: Int, in actions: borrowing ActionTable
  ) -> Change {
    var place: Int
    let change: Change
    if isListed {
      place = 0
      while entries[place] != action { place += 1 }
      change = .moved
    } else if count < limit {
      place = count
      count += 1
      change = .entered(evicted: nil)
    } else {
      place = limit - 1
      let last = entries[place]
      guard actions.isAhead(action, last) else { return .none }
      change = .entered(evicted: last)
    }
    while place > 0, actions.isAhead(action, entries[place - 1]) {
      entries[place] = entries[place - 1]
      place -= 1
    }
    entries[place] = action
    return change
  }

  /// Puts all in order, of which any number may have risen.
  ///
  /// - Returns: whether that changed anything.
  mutating func sort(in actions: borrowing ActionTable) -> Bool {
    var hasChanged = false
    for start in 0..<count {
      var place = start
      while place > 0, actions.isAhead(entries[place], entries[place - 1]) {
        entries.swapAt(place, place - 1)
        place -= 1
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// Empties the list.
  mutating func removeAll() { count = 0 }
}
