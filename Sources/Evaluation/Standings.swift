/// Actions in the order of scores that change for one action at a time; of equal ones the one used later comes first.
struct Standings {
  private struct Entry {
    let score: Double
    /// The index of the latest use.
    let lastUse: Int32
    let action: Int32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool { score != other.score ? score > other.score : lastUse > other.lastUse }
  }

  /// Of actions that were used, best first. No two are equal, as no two actions share a latest use.
  private var entries: [Entry] = []
  /// Of each action; 0 before its first use.
  private(set) var scores: [Double]
  /// The index of each action's latest use; -1 before the first.
  private(set) var lastUses: [Int32]

  /// - Parameter actions: how many there are to be, at most.
  init(actions: Int) {
    entries.reserveCapacity(actions)
    scores = Array(repeating: 0, count: actions)
    lastUses = Array(repeating: -1, count: actions)
  }

  /// The action at a place from 0; nil if there are not so many.
  func action(at place: Int) -> Int? { place < entries.count ? Int(entries[place].action) : nil }

  /// Gives an action a score for its use of this index, which is the latest of all.
  ///
  /// - Complexity: O(log n) to find its places, O(n) to move what is between them.
  mutating func use(_ action: Int, _ score: Double, at index: Int) {
    put(action, Entry(score: score, lastUse: Int32(index), action: Int32(action)))
  }

  /// Gives an action that has been used another score.
  ///
  /// - Complexity: O(log n) to find its places, O(n) to move what is between them.
  mutating func change(_ action: Int, _ score: Double) {
    if scores[action] == score { return }
    put(action, Entry(score: score, lastUse: lastUses[action], action: Int32(action)))
  }

  /// Gives all actions that have been used new scores, each by its number and the index of its latest use.
  ///
  /// - Complexity: O(n log n).
  mutating func changeAll(_ score: (Int, Int32) -> Double) {
    for index in entries.indices {
      let old = entries[index]
      let score = score(Int(old.action), old.lastUse)
      scores[Int(old.action)] = score
      entries[index] = Entry(score: score, lastUse: old.lastUse, action: old.action)
    }
    entries.sort { $0.precedes($1) }
  }

  private mutating func put(_ action: Int, _ new: Entry) {
    let old = Entry(score: scores[action], lastUse: lastUses[action], action: Int32(action))
    scores[action] = new.score
    lastUses[action] = new.lastUse
    if old.lastUse < 0 {
      entries.insert(new, at: place(of: new, in: 0..<entries.count))
      return
    }
    var at = place(of: old, in: 0..<entries.count)
    if new.precedes(old) {
      let place = place(of: new, in: 0..<at)
      while at > place {
        entries[at] = entries[at - 1]
        at -= 1
      }
    } else {
      let end = place(of: new, in: at + 1..<entries.count) - 1
      while at < end {
        entries[at] = entries[at + 1]
        at += 1
      }
    }
    entries[at] = new
  }

  /// Where the entries begin that do not precede this one.
  private func place(of entry: Entry, in range: Range<Int>) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Offers actions, best first, as long as they may be among the best four.
  func lead(_ leaders: inout Leaders) {
    for entry in entries {
      if leaders.isSettled(score: entry.score) { return }
      leaders.offer(Int(entry.action), score: entry.score, lastUse: entry.lastUse)
    }
  }
}
