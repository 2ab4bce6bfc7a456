// Which actions go when there are too many. (docs/RANKING.md)
extension ActionRanking {
  /// So many apps there may be at least, however few actions.
  private static let fewApps = 1_000
  /// One app for so many actions.
  private static let actionsOfApp = 8

  /// Sets how many actions there may be that are not ``Standing/kept``: at least 1, `.max` for no bound. An eighth of
  /// that, but at least 1,000, bounds the apps. What is too many is purged.
  ///
  /// - Complexity: O(actions), if any are.
  package mutating func setMaxActions(_ most: Int) {
    precondition(most >= 1)
    maxActions = most
    mostApps = most == .max ? .max : max(Self.fewApps, most / Self.actionsOfApp)
    appsAtPurge = mostApps
    if purgeableActions > most { purgeActions(leaving: most) }
    if apps.count > mostApps { purgeApps(mostApps - Self.share(of: mostApps)) }
  }

  /// How many actions a purge may take.
  var purgeableActions: Int { actions.count - keptActions }

  /// What a purge takes of so many: a quarter.
  private static func share(of count: Int) -> Int { max(1, count / 4) }

  /// Adds an action that is being used for the first time. Where there are too many, those that are worth least go
  /// before it comes, so it is not among them.
  ///
  /// - Complexity: O(1) amortised: a purge is O(actions), and makes room for a quarter as many.
  mutating func insertUsed(_ id: UnsafeRawBufferPointer, owner: UnsafeRawBufferPointer) -> UInt32 {
    unsafe makeRoom(isNewApp: apps.find(owner) == nil)
    return unsafe insertNew(id, owner: owner, standing: defaultStanding)
  }

  /// Makes room for an action.
  ///
  /// - Parameter isNewApp: whether its app is new.
  @inline(__always)
  mutating func makeRoom(isNewApp: Bool) {
    if purgeableActions >= maxActions { purgeActions(leaving: maxActions - Self.share(of: maxActions)) }
    if isNewApp, apps.count >= appsAtPurge { purgeApps(mostApps - Self.share(of: mostApps)) }
  }

  /// Purges the lowest by the common score, until so many are left that are not kept.
  private mutating func purgeActions(leaving left: Int) {
    settleFlood()
    var numbers = actionNumbers.filter { !actions[$0].standing.contains(.kept) }
    let count = max(0, numbers.count - left)
    bringLowestForward(count, of: &numbers)
    purge(numbers[..<count])
  }

  /// Purges those apps whose best action is the lowest, with all of their actions, until so many apps are left, as far
  /// as they have nothing that is kept.
  private mutating func purgeApps(_ left: Int) {
    settleFlood()
    var best = [UInt32?](repeating: nil, count: apps.slots)
    var isSafe = (0..<UInt32(apps.slots)).map { apps[$0].isKept }
    let numbers = actionNumbers
    for number in numbers {
      let app = Int(actions[number].app)
      if actions[number].standing.contains(.kept) { isSafe[app] = true }
      if best[app].map({ actions.precedes(number, $0, by: .common) }) ?? true { best[app] = number }
    }
    var candidates = best.indices.compactMap { isSafe[$0] ? nil : best[$0] }
    let count = min(candidates.count, max(0, apps.count - left))
    bringLowestForward(count, of: &candidates)
    var goes = [Bool](repeating: false, count: apps.slots)
    for number in candidates[..<count] { goes[Int(actions[number].app)] = true }
    purge(numbers.filter { goes[Int(actions[$0].app)] }[...])
    // Apps that stay anyway must not have each new one look for others.
    appsAtPurge = max(mostApps, apps.count + Self.share(of: mostApps))
  }

  /// Brings the lowest by the common score to the front, in no order.
  ///
  /// - Complexity: O(`numbers`) on average, whatever they are: the pivots are drawn with the secret seed. (C. Hoare,
  ///   "Algorithm 65: Find", 1961; the pivot is that of a sample.)
  private func bringLowestForward(_ count: Int, of numbers: inout [UInt32]) {
    var (low, high) = (0, numbers.count)
    while low < count, count < high {
      var sample: [UInt32] = []
      for draw in 0..<min(63, high - low) {
        let random = hash.salted(UInt64(high - low), with: UInt32(draw))
        sample.append(numbers[low + Int(random % UInt64(high - low))])
      }
      sample.sort { actions.precedes($1, $0, by: .common) }
      let pivot = sample[sample.count * (count - low) / (high - low)]
      // Whoever is below the pivot, then the pivot, then the others.
      var end = low
      for place in low..<high where actions.precedes(pivot, numbers[place], by: .common) {
        numbers.swapAt(place, end)
        end += 1
      }
      if end >= count, end > low {
        high = end
      } else if let place = numbers[end..<high].firstIndex(of: pivot) {
        numbers.swapAt(place, end)
        low = end + 1
      }
    }
  }

  /// Purges actions. Their numbers are free at once: unlike what else is removed, nothing of them has to be known when
  /// a commit turns out to have failed but that they are gone.
  private mutating func purge(_ numbers: ArraySlice<UInt32>) {
    if numbers.isEmpty { return }
    noteLosses(numbers)
    lost.purges += 1
    lost.purged += UInt64(numbers.count)
    let appCount = apps.count
    for number in numbers {
      // What a commit copies of it now is stored, and has to be dropped by the next.
      if history.isFrozen(actions[number].mark) { copy(number) }
      if actions[number].isStored {
        unsafe goneNames.actions.append(app: apps.id(actions[number].app), action: actions.id(number))
        forgotten.insert(number)
      }
      remove(number)
    }
    history.dropRemoved(in: actions)
    actions.reuseNumbers(ofLast: numbers.count)
    if apps.count == appCount { return }
    finishedDays = finishedDays.filter { apps[$0.app].isPresent }
    reusedApps.formUnion(apps.reuseNumbers(ofLast: appCount - apps.count))
  }

  /// Takes the names of what is gone since this was last asked, and may be stored: it is to be dropped there, before
  /// anything that was used since is stored.
  package mutating func takeGoneNames() -> GoneNames {
    defer { goneNames = GoneNames() }
    return goneNames
  }
}
