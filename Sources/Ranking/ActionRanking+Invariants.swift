extension ActionRanking {
  /// Traps unless the lists are what a look at every action would make them; does nothing in release builds.
  ///
  /// - Complexity: O(actions × log actions).
  func checkInvariants() {
    #if DEBUG
      var byApp = [[UInt32]](repeating: [], count: apps.count)
      for number in 0..<UInt32(actions.count) {
        precondition(actions[number].uses > 0, "an action is known because it was used")
        byApp[Int(actions[number].app)].append(number)
      }
      for (app, members) in byApp.enumerated() {
        precondition(!members.isEmpty, "an app is known by its actions")
        check(apps[UInt32(app)].list, against: members) { $0.isInAppList }
        precondition(
          apps[UInt32(app)].hasChanged == changedApps.contains(UInt32(app)), "a changed app is noted as such")
      }
      check(top, against: Array(0..<UInt32(actions.count))) { $0.isInTopList }
      precondition(Set(changedApps).count == changedApps.count, "an app is noted once")
    #endif
  }

  /// Holds one list against all actions that may stand in it.
  private func check(_ list: RankedList, against members: [UInt32], isListed: (ActionRecord) -> Bool) {
    precondition(list.count == min(limit, members.count), "a list is as full as it can be")
    let listed = (0..<list.count).map { list[$0] }
    for place in listed.indices.dropFirst() {
      precondition(actions.precedes(listed[place - 1], listed[place]), "a list is in order")
    }
    let inList = Set(listed)
    for number in members {
      precondition(isListed(actions[number]) == inList.contains(number), "an action knows where it stands")
      if let last = listed.last, !inList.contains(number) {
        precondition(actions.precedes(last, number), "no action outside of a list is better than its last")
      }
    }
  }
}
