/// Where an action stands among those that compete in its app.
package struct Place: Equatable, Sendable {
  /// From 1 on.
  package let place: Int
  /// How many compete.
  package let count: Int
  /// The number of the one right ahead; nil at the first place.
  package let ahead: UInt32?
}

/// All that is known of one action.
package struct ActionReport: Equatable, Sendable {
  /// The number of its app.
  package let app: UInt32
  /// What its uses are worth at the moment asked for under the half-life of its app's list.
  package let score: Double
  /// What they are worth under the half-life that is the same for every app.
  package let commonScore: Double
  /// How many uses were counted.
  package let uses: UInt64
  /// Wall time of the earliest use, Unix nanoseconds; nil if it was never used.
  package let firstUsed: Int64?
  /// The latest use; nil if it was never used.
  package let lastUse: Moment?
  /// The arrival number of the event of the latest use; 0 if it was never used.
  package let lastArrival: UInt64
  /// Whether some event named the app.
  package let isAppNamed: Bool
}

/// What one app's actions come to.
package struct AppSummary: Equatable, Sendable {
  /// The app's number.
  package let number: UInt32
  /// How many actions were used.
  package fileprivate(set) var usedActions = 0
  /// How many uses were counted, saturated.
  package fileprivate(set) var uses: UInt64 = 0
  /// Wall time of the latest use, Unix nanoseconds; nil if there was none.
  package fileprivate(set) var lastUsed: Int64?
}

extension ActionRanking {
  /// The best actions of one app, or over all apps, best first, at a decay time: as many as asked for, whatever the
  /// lists hold.
  ///
  /// - Complexity: O(actions × log `count`).
  package func best(_ count: Int, ofApp app: UInt32?, at time: Int64) -> [RankedAction] {
    let counter = counter(ofApp: app)
    var best: [UInt32] = []
    func cut() {
      best.sort { actions.precedes($0, $1, by: counter) }
      best.removeLast(max(0, best.count - count))
    }
    for number in 0..<UInt32(actions.slots) where competes(number, inApp: app) {
      best.append(number)
      if best.count / 2 > count { cut() }
    }
    cut()
    return rows(best, ofApp: app, at: time)
  }

  /// An action as the list of its app would show it.
  package func row(_ number: UInt32, at time: Int64) -> RankedAction {
    rows([number], ofApp: actions[number].app, at: time)[0]
  }

  /// Whether an action may stand in the list of an app, or in the one over all apps.
  func competes(_ number: UInt32, inApp app: UInt32?) -> Bool {
    let record = actions[number]
    guard record.isPresent else { return false }
    guard let app else { return record.competesInTop }
    return record.app == app && record.competesInApp
  }

  /// Where an action stands in its app, at whatever time; nil if it does not compete there.
  ///
  /// - Complexity: O(actions).
  package func place(of number: UInt32) -> Place? {
    let app = actions[number].app
    guard competes(number, inApp: app) else { return nil }
    let counter = counter(ofApp: app)
    var (before, count, ahead): (Int, Int, UInt32?) = (0, 0, nil)
    for other in 0..<UInt32(actions.slots) where competes(other, inApp: app) {
      count += 1
      if !actions.precedes(other, number, by: counter) { continue }
      before += 1
      if ahead.map({ actions.precedes($0, other, by: counter) }) ?? true { ahead = other }
    }
    return Place(place: before + 1, count: count, ahead: ahead)
  }

  /// What decides which of two actions is ahead in the list of an app, or in the one over all apps.
  package func rule(between first: UInt32, and second: UInt32, ofApp app: UInt32?) -> OrderRule {
    actions.order(first, second, by: counter(ofApp: app)).rule
  }

  /// All that is known of an action, its scores at a decay time.
  package func report(_ number: UInt32, at time: Int64) -> ActionReport {
    let record = actions[number]
    let score = actions.score(number, by: counter(ofApp: record.app))
    return ActionReport(
      app: record.app, score: score.score(at: position(of: time, ofApp: record.app)),
      commonScore: record.score.score(at: halfLife.position(of: time)), uses: record.uses,
      firstUsed: record.uses > 0 ? record.firstUsed : nil,
      lastUse: record.uses > 0 ? record.lastUse : nil, lastArrival: record.lastArrival,
      isAppNamed: record.isAppNamed)
  }

  /// The app of an action, by their numbers.
  package func app(of number: UInt32) -> UInt32 { actions[number].app }

  /// The numbers of all of an app's actions, ascending.
  ///
  /// - Complexity: O(actions).
  package func members(ofApp app: UInt32) -> [UInt32] {
    (0..<UInt32(actions.slots)).filter { actions[$0].isPresent && actions[$0].app == app }
  }

  /// What each app's actions come to, by the apps' numbers, ascending.
  ///
  /// - Complexity: O(actions + apps).
  package func appSummary() -> [AppSummary] {
    var summaries = (0..<UInt32(apps.slots)).map { AppSummary(number: $0) }
    for number in 0..<UInt32(actions.slots) where actions[number].isPresent && actions[number].uses > 0 {
      let (app, record) = (Int(actions[number].app), actions[number])
      summaries[app].usedActions += 1
      summaries[app].uses.saturate(adding: record.uses)
      summaries[app].lastUsed = max(summaries[app].lastUsed ?? .min, record.lastUse.wall)
    }
    return summaries.filter { apps[$0.number].isPresent }
  }
}
