extension ActionRanking {
  // MARK: Storing

  /// Takes note that an app has to be stored. To be called before it changes: what a commit that is under way has still
  /// to copy of it is copied now.
  @inline(__always)
  mutating func markUncommitted(app: UInt32) {
    if apps[app].mark != appMark { noteUncommitted(app: app) }
  }

  @inline(never)
  private mutating func noteUncommitted(app: UInt32) {
    if !apps[app].isPresent { return }
    if apps[app].mark != 0 { copy(app: app) }
    apps[app].mark = appMark
    uncommittedApps.append(app)
    // Apps that are gone may be listed, and those that came under their numbers twice.
    if uncommittedApps.count > 2 * apps.slots + 1_000 {
      uncommittedApps = (0..<UInt32(apps.slots)).filter { apps[$0].isPresent && apps[$0].mark == appMark }
    }
  }

  /// Gives back what could not be stored, so that it is taken again; but for apps that are gone.
  package mutating func giveBackApps(_ numbers: [UInt32]) {
    for app in numbers where apps[app].isPresent { markUncommitted(app: app) }
  }

  /// What is to be stored of an app.
  package func state(ofApp app: UInt32) -> AppState {
    let record = apps[app]
    return AppState(
      app: appID(app), steps: record.steps, rates: (0...HitRates.trialLane).map { record.rates[$0] },
      decayInForce: record.inForce.rawValue, limit: record.listLimit, hits: hits(ofApp: app), loss: loss(ofApp: app))
  }

  // MARK: Restoring

  /// Takes over an app as it was stored, before ``finishRestoring(arrivals:at:)``: it is without effect for one that
  /// has no action by then and is not kept.
  package mutating func restore(app state: AppState) { restoredApps[state.app] = state }

  /// Takes over what was stored of apps, and the lists that stored actions stand in. Lists of which that is not known
  /// are stale.
  ///
  /// - Complexity: O(actions + apps).
  mutating func restoreLists(at time: Int64) {
    for app in 0..<UInt32(apps.slots) where apps[app].isPresent { restoreApp(app, at: time) }
    restoredApps = [:]
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      let app = actions[number].app
      if actions[number].uses == 0 {
        (actions[counters: number].lists, actions[counters: number].place) = ([], 0)
      } else if apps[app].isRestored {
        restorePlaces(of: number)
      } else {
        // Without the app's state nobody knows how many uses ago the latest one was.
        (actions[counters: number].lists, actions[counters: number].place) = ([], 0)
        actions[counters: number].values = .zero
      }
    }
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent {
      if actions[number].uses > 0, actions[counters: number].values == .zero { startCounters(number, at: time) }
      if actions[number].uses == 0, actions[number].competesInApp, !apps[actions[number].app].isStale {
        enterAppLists(number)
      }
    }
    for app in 0..<UInt32(apps.slots) where apps[app].isPresent && !apps[app].isStale {
      markUnsettled(app)
    }
  }

  private mutating func restoreApp(_ app: UInt32, at time: Int64) {
    lists.clear(app)
    apps[app].shownCount = 0
    markChanged(app)
    guard let state = restoredApps[appID(app)], (1...RankedList.capacity).contains(Int(state.limit)) else {
      apps[app].isStale = true
      hasStaleApps = true
      return
    }
    apps[app].isStale = false
    (apps[app].isRestored, apps[app].isStored, apps[app].isTold) = (true, true, true)
    apps[app].steps = state.steps
    apps[app].bars = ListBars()
    for (lane, rate) in state.rates.prefix(HitRates.trialLane + 1).enumerated() where rate.isFinite && rate >= 0 {
      apps[app].rates[lane] = rate
    }
    // Another method, or a half-life of its own, that has come meanwhile: its lists were not judged.
    let kept = decays(ofApp: app)
    let judged = Decay.allCases.filter { apps[app].rates[Int($0.rawValue)] > 0 }
    if !judged.allSatisfy({ kept.contains(DecaySet($0)) }) { apps[app].rates.clear() }
    let decay = Decay(rawValue: state.decayInForce)
    if let decay, decay != .fixed { apps[app].inForce = decay }
    apps[app].listLimit = state.limit
    lists.widen(to: Int(state.limit))
    hasOtherLimits = hasOtherLimits || Int(state.limit) != limit(ofApp: app)
    apps[hits: app] = state.hits
    restore(state.loss, ofApp: app, at: time)
  }

  /// Puts an action where its state says; lists that it can't stand in, or where there is no room, are stale.
  private mutating func restorePlaces(of number: UInt32) {
    let app = actions[number].app
    let counters = actions[counters: number]
    let limit = apps[app].listLimit
    (actions[counters: number].lists, actions[counters: number].place) = ([], 0)
    if counters.lists.isEmpty || apps[app].isStale { return }
    var left = counters.lists
    let fits =
      actions[number].competesInApp && left.isSubset(of: decays(ofApp: app))
      && Decay.allCases.allSatisfy { !left.contains(DecaySet($0)) || lists[count: app, $0] < limit }
    if !fits { return markStale(app) }
    while let decay = left.first {
      left.remove(DecaySet(decay))
      lists[app, decay, Int(lists[count: app, decay])] = number
      lists[count: app, decay] += 1
    }
    actions[counters: number].lists = counters.lists
    restorePlace(counters.place, of: number)
  }

  private mutating func restorePlace(_ place: UInt8, of number: UInt32) {
    let app = actions[number].app
    if place == 0 || place > apps[app].listLimit { return }
    while apps[app].shownCount < place {
      lists[shown: app, Int(apps[app].shownCount)] = AppLists.nobody
      apps[app].shownCount += 1
    }
    if lists[shown: app, Int(place) - 1] != AppLists.nobody { return }
    lists[shown: app, Int(place) - 1] = number
    actions[counters: number].place = place
  }

  /// Gives an action counts that come of its score by the half-life of the ranking: what is stored by an older version,
  /// or left after forgetting, says nothing else.
  mutating func startCounters(_ number: UInt32, at time: Int64) {
    let score = actions[number].score
    let now = max(time, actions[number].lastUse.decay)
    actions[counters: number].start(
      now: Float(score.score(at: halfLife.position(of: now))),
      then: Float(score.score(at: halfLife.position(of: actions[number].lastUse.decay))),
      steps: apps[actions[number].app].steps)
    markUncommitted(number)
  }
}
