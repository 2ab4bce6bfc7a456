/// Apps whose lists have to be written, in the order in which they became due.
struct DueApps {
  private var apps: [UInt32] = []
  /// Where the first of them lies.
  private var first = 0
  /// How many have ever been taken.
  private(set) var taken = 0

  /// So many are to be taken, over all time, until what is due now is.
  var end: Int { taken + apps.count - first }

  mutating func append(_ app: UInt32) { apps.append(app) }

  /// - Complexity: O(1) on average.
  mutating func takeFirst() -> UInt32? {
    guard first < apps.count else { return nil }
    defer {
      first += 1
      taken += 1
      if first * 2 >= apps.count {
        apps.removeFirst(first)
        first = 0
      }
    }
    return apps[first]
  }

  /// Takes all of them.
  mutating func takeAll() -> [UInt32] {
    defer {
      taken = end
      (apps, first) = ([], 0)
    }
    return Array(apps[first...])
  }
}
