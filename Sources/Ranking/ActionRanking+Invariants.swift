extension ActionRanking {
  /// Traps unless the lists are what a look at every action would make them, and every action is where it is looked
  /// for; does nothing in release builds.
  ///
  /// - Complexity: O(actions × log actions).
  func checkInvariants() {
    #if DEBUG
      let numbers = (0..<UInt32(actions.slots)).filter { actions[$0].isPresent }
      precondition(numbers.count == actions.count, "actions are counted")
      precondition(
        numbers.count { actions[$0].standing.contains(.kept) } == keptActions, "actions that are kept are counted")
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
        checkLists(ofApp: app, members: members)
        checkShown(ofApp: app, members: members)
        precondition(!apps[app].isStale || apps[app].hasChanged, "a stale list has changed")
        precondition(apps[app].hasChanged == changedApps.contains(app), "a changed app is noted as such")
      }
      precondition(byApp.indices.allSatisfy { byApp[$0].isEmpty || apps[UInt32($0)].isPresent }, "an action has an app")
      checkTop(against: numbers)
      precondition(!topIsStale || topHasChanged, "a stale list has changed")
      let unsettled = unsettledApps + settlingApps
      precondition(Set(unsettled).count == unsettled.count, "an app is noted once")
      precondition(Set(changedApps).count == changedApps.count, "an app is noted once")
      checkUncommitted(numbers, present)
    #endif
  }

  private func checkUncommitted(_ numbers: [UInt32], _ present: [UInt32]) {
    let groups = Dictionary(
      uniqueKeysWithValues: ([history.current] + history.earlier + history.frozen).map { ($0.mark, Set($0.actions)) })
    for number in numbers where actions[number].mark != 0 {
      precondition(groups[actions[number].mark]?.contains(number) == true, "what has to be stored is noted")
    }
    precondition(
      history.hasUncommitted == numbers.contains { actions[$0].mark != 0 && !history.isFrozen(actions[$0].mark) },
      "it is known whether anything is uncommitted")
    for app in present where apps[app].mark != 0 {
      let noted = apps[app].mark == appMark ? uncommittedApps : frozenApps
      precondition(noted.contains(app), "what has to be stored is noted")
    }
  }

  private func checkAction(_ number: UInt32) {
    let (record, id) = unsafe (actions[number], actions.id(number))
    precondition(record.uses > 0 || record.standing.contains(.kept), "an action was used or is kept")
    precondition(record.uses > 0 || record.mark == 0, "what was never used is not stored")
    precondition(
      unsafe actions.find(id, foreignApp: record.isForeign ? record.app : nil, hash: actions.hash(id)) == number,
      "an action is found")
    if !ownersAreKnown { return }
    let isOwned = unsafe apps.hasID(record.app, owners.owner(of: id))
    precondition(record.isForeign == !isOwned, "an action is foreign where its app is not the default owner")
    precondition(isOwned || record.isAppNamed, "an action whose app was not named has its default owner")
  }

  /// Holds the lists of an app against its actions. What those outside might have led by before is not known any more,
  /// so without a margin nobody outside is better than the lowest, and with one nobody leads it.
  private func checkLists(ofApp app: UInt32, members: [UInt32]) {
    let competing = members.filter { competes($0, inApp: app) }
    let kept = apps[app].isStale ? [] : decays(ofApp: app)
    for decay in Decay.allCases {
      let set = DecaySet(decay)
      let listed = (0..<Int(lists[count: app, decay])).map { lists[app, decay, $0] }
      precondition(
        listed.count == (kept.contains(set) ? min(Int(apps[app].listLimit), competing.count) : 0),
        "a list is as full as it can be, or empty if it is stale")
      precondition(Set(listed).isSubset(of: competing), "what stands in a list may")
      precondition(
        Set(listed) == Set(members.filter { actions[counters: $0].lists.contains(set) }),
        "an action knows where it stands")
      let counter = counter(decay, ofApp: app)
      let ordered = listed.sorted { actions.precedes($0, $1, by: counter) }
      guard let lowest = ordered.last else { continue }
      let score = actions.score(lowest, by: counter)
      // Who leaves one of its parts may have come to lead in the power law since: it is looked for in those.
      for number in competing where decay != .power && !listed.contains(number) {
        precondition(
          !actions.leads(number, actions.score(number, by: counter), lowest, score, margin: swapMargin),
          "no action outside of a list leads its lowest")
      }
    }
  }

  private func checkShown(ofApp app: UInt32, members: [UInt32]) {
    let shown = shown(ofApp: app)
    for (place, number) in shown.enumerated() where number != AppLists.nobody {
      precondition(members.contains(number) && Int(actions[counters: number].place) == place + 1, "places are known")
    }
    precondition(
      members.count { actions[counters: $0].place > 0 } == shown.count { $0 != AppLists.nobody }, "once each")
    let published = published[Int(app)].filter { $0 != AppLists.nobody }
    precondition(
      Set(published) == Set(members.filter { actions[counters: $0].isPublished }), "an action knows if it is published")
    if apps[app].isStale { return }
    precondition(
      apps[app].isUnsettled == (unsettledApps + settlingApps).contains(app), "an app is noted that shows something else"
    )
    if apps[app].isUnsettled { return }
    let decay = decay(ofApp: app)
    precondition(
      Set(shown) == Set(members.filter { actions[counters: $0].lists.contains(DecaySet(decay)) }),
      "the list of the decay in force is shown")
    let counter = counter(ofApp: app)
    for (above, below) in zip(shown, shown.dropFirst()) {
      let (score, other) = (actions.score(below, by: counter), actions.score(above, by: counter))
      precondition(
        !actions.leads(below, score, above, other, margin: keepsPlaces ? swapMargin : 0),
        "nobody leads who is shown right above")
    }
  }

  /// Holds the list over all apps against all actions.
  private func checkTop(against members: [UInt32]) {
    let competing = topIsStale ? [] : members.filter { competes($0, inApp: nil) }
    precondition(top.count == min(limit, competing.count), "a list is as full as it can be, or empty if it is stale")
    let listed = (0..<top.count).map { top[$0] }
    for (above, below) in zip(listed, listed.dropFirst()) {
      precondition(actions.precedes(above, below, by: .common), "a list is in order")
    }
    precondition(Set(listed).isSubset(of: competing), "what stands in a list may")
    for number in members {
      precondition(actions[number].isInTopList == listed.contains(number), "an action knows where it stands")
    }
    if let last = listed.last {
      for number in competing where !listed.contains(number) {
        precondition(actions.precedes(last, number, by: .common), "nobody outside of a list is better than its last")
      }
    }
  }
}
