// What an app's list shows, and at which places: those of the list of the decay in force, each at its place until
// another is ahead of it by the margin.
extension ActionRanking {
  /// The numbers of the actions that are shown, by their places.
  func shown(ofApp app: UInt32) -> [UInt32] { (0..<Int(apps[app].shownCount)).map { lists[shown: app, $0] } }

  /// Has those shown who stand in the list of the decay in force.
  mutating func showAnew(_ app: UInt32) {
    let decay = decay(ofApp: app)
    let limit = Int(apps[app].listLimit)
    for place in 0..<Int(apps[app].shownCount) {
      let number = lists[shown: app, place]
      if number == AppLists.nobody { continue }
      if place < limit, actions[number].counters.lists.contains(DecaySet(decay)) { continue }
      setPlace(0, of: number)
      lists[shown: app, place] = AppLists.nobody
      markChanged(app)
    }
    apps[app].shownCount = min(apps[app].shownCount, apps[app].listLimit)
    fillPlaces(app, from: decay)
    sortShown(app, from: 1)
  }

  /// Gives places to those of a list that have none, best first, and closes what gaps are left.
  private mutating func fillPlaces(_ app: UInt32, from decay: Decay) {
    let counter = counter(decay, ofApp: app)
    while true {
      var best: UInt32?
      for index in 0..<Int(lists[count: app, decay]) {
        let number = lists[app, decay, index]
        if actions[number].counters.place > 0 { continue }
        if let best, actions.precedes(best, number, by: counter) { continue }
        best = number
      }
      guard let best else { break }
      var place = 0
      while place < apps[app].shownCount, lists[shown: app, place] != AppLists.nobody { place += 1 }
      if place == apps[app].shownCount { apps[app].shownCount += 1 }
      lists[shown: app, place] = best
      setPlace(place + 1, of: best)
      markChanged(app)
    }
    var count = 0
    for place in 0..<Int(apps[app].shownCount) {
      let number = lists[shown: app, place]
      if number == AppLists.nobody { continue }
      if count < place {
        lists[shown: app, place] = AppLists.nobody
        lists[shown: app, count] = number
        setPlace(count + 1, of: number)
      }
      count += 1
    }
    apps[app].shownCount = UInt8(count)
  }

  /// Moves whoever is so far ahead up, from a place on, the others as they were left by the last time.
  private mutating func sortShown(_ app: UInt32, from first: Int) {
    let count = Int(apps[app].shownCount)
    if first >= count { return }
    let counter = counter(ofApp: app)
    let margin = keepsPlaces ? swapMargin : 0
    var above = actions.score(lists[shown: app, first - 1], by: counter)
    for start in first..<count {
      let number = lists[shown: app, start]
      let score = actions.score(number, by: counter)
      if !actions.leads(number, score, lists[shown: app, start - 1], above, margin: margin) {
        above = score
        continue
      }
      var place = start
      repeat {
        let other = lists[shown: app, place - 1]
        lists[shown: app, place] = other
        setPlace(place + 1, of: other)
        place -= 1
      } while place > 0 && leads(number, score, lists[shown: app, place - 1], counter, margin)
      lists[shown: app, place] = number
      setPlace(place + 1, of: number)
      markChanged(app)
    }
  }

  private func leads(
    _ number: UInt32, _ score: DecayedCount, _ other: UInt32, _ counter: ActionTable.Counter, _ margin: Double
  ) -> Bool {
    actions.leads(number, score, other, actions.score(other, by: counter), margin: margin)
  }

  private mutating func setPlace(_ place: Int, of number: UInt32) {
    markUncommitted(number)
    actions[number].counters.place = UInt8(place)
  }
}
