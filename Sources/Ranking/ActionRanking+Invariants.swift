extension ActionRanking {
  /// Traps unless the lists are what a look at every action would make them, and every action is where it is looked
  /// for; does nothing in release builds.
  ///
  /// - Complexity: O(actions × log actions).
  func checkInvariants() {
    #if DEBUG
      let numbers = (0..<UInt32(actions.slots)).filter { actions[$0].isPresent }
      precondition(numbers.count == actions.count, "actions are counted")
      var byApp = [[UInt32]](repeating: [], count: apps.slots)
      for number in numbers {
        checkAction(number)
        byApp[Int(actions[number].app)].append(number)
      }
      let present = (0..<UInt32(apps.slots)).filter { apps[$0].isPresent }
      precondition(present.count == apps.count, "apps are counted")
      for app in present {
        let members = byApp[Int(app)]
        precondition(Int(apps[app].members) == members.count, "an app knows how many actions it has")
        check(
          apps[app].list, ofApp: app, isStale: apps[app].isStale, limit: limit(ofApp: app), against: members
        ) { $0.isInAppList }
        precondition(!apps[app].isStale || apps[app].hasChanged, "a stale list has changed")
        precondition(apps[app].hasChanged == changedApps.contains(app), "a changed app is noted as such")
      }
      precondition(byApp.indices.allSatisfy { byApp[$0].isEmpty || apps[UInt32($0)].isPresent }, "an action has an app")
      check(top, ofApp: nil, isStale: topIsStale, limit: limit, against: numbers) { $0.isInTopList }
      precondition(!topIsStale || topHasChanged, "a stale list has changed")
      precondition(Set(changedApps).count == changedApps.count, "an app is noted once")
      precondition(Set(history.uncommitted).count == history.uncommitted.count, "an action is noted once")
      let uncommitted = Set(history.uncommitted).filter { actions[$0].isPresent }
      precondition(uncommitted == Set(numbers.filter { actions[$0].isUncommitted }), "what is uncommitted is noted")
      precondition(history.hasUncommitted == !uncommitted.isEmpty, "it is known whether anything is uncommitted")
    #endif
  }

  private func checkAction(_ number: UInt32) {
    let (record, id) = unsafe (actions[number], actions.id(number))
    precondition(record.uses > 0 || record.standing.contains(.kept), "an action was used or is kept")
    precondition(record.uses > 0 || !record.isUncommitted, "what was never used is not stored")
    precondition(
      unsafe actions.find(id, foreignApp: record.isForeign ? record.app : nil, hash: actions.hash(id)) == number,
      "an action is found")
    if !ownersAreKnown { return }
    let isOwned = unsafe apps.hasID(record.app, owners.owner(of: id))
    precondition(record.isForeign == !isOwned, "an action is foreign where its app is not the default owner")
    precondition(isOwned || record.isAppNamed, "an action whose app was not named has its default owner")
  }

  /// Holds one list against all actions of the app, or of all.
  private func check(
    _ list: RankedList, ofApp app: UInt32?, isStale: Bool, limit: Int, against members: [UInt32],
    isListed: (ActionRecord) -> Bool
  ) {
    let competing = isStale ? [] : members.filter { competes($0, inApp: app) }
    let counter = counter(ofApp: app)
    precondition(list.count == min(limit, competing.count), "a list is as full as it can be, or empty if it is stale")
    let listed = (0..<list.count).map { list[$0] }
    for place in listed.indices.dropFirst() {
      precondition(actions.precedes(listed[place - 1], listed[place], by: counter), "a list is in order")
    }
    let inList = Set(listed)
    precondition(inList.isSubset(of: competing), "what stands in a list may")
    for number in members {
      precondition(isListed(actions[number]) == inList.contains(number), "an action knows where it stands")
    }
    for number in competing where !inList.contains(number) {
      if let last = listed.last {
        precondition(actions.precedes(last, number, by: counter), "no action outside of a list is better than its last")
      }
    }
  }
}
