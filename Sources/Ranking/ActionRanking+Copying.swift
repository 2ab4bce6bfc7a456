// What a commit stores is what there was at one moment, but copying all of it in one go would take too long. So at that
// moment it is only set apart, and copied bit by bit; whatever changes before its turn has come is copied first.
// Whoever changes what is stored of an action or an app therefore marks it before.

/// What was copied for a commit.
package struct StateCopies: Sendable {
  /// Actions as they were, and their uses by the hour.
  package fileprivate(set) var changes = ActionChanges()
  /// The numbers that they had, by their places.
  package fileprivate(set) var numbers: [UInt32] = []
  package fileprivate(set) var apps: [(number: UInt32, state: AppState)] = []

  /// Nothing.
  package init() {}

  fileprivate mutating func reserve(_ count: (actions: Int, hours: Int)) {
    changes.reserve(actions: count.actions, hours: count.hours)
    numbers.reserveCapacity(count.actions + count.hours)
  }
}

extension ActionRanking {
  /// Sets apart all that has to be stored: what ``copyFrozen(atMost:)`` copies is as it is now. The commit before has
  /// ended.
  ///
  /// - Complexity: O(1), and O(actions) if a list is stale.
  package mutating func freeze() {
    // What is stored of lists that are stale would have them made anew later than here. What apps show is made to follow
    // their lists again when it is restored.
    remakeIfStale()
    forgotten = []
    history.freeze(in: actions)
    (frozenApps, uncommittedApps) = (uncommittedApps, [])
    appMark = 3 - appMark
    copies.reserve(history.frozenCount)
  }

  /// Copies some of what is frozen.
  ///
  /// - Returns: whether more is left.
  /// - Complexity: O(`count`).
  package mutating func copyFrozen(atMost count: Int) -> Bool {
    var left = count
    while left > 0 {
      // Of those that were used meanwhile, and so copied, many may follow one another.
      if let action = history.nextFrozen(in: actions, among: &left) {
        copy(action)
        continue
      }
      if history.hasFrozenActions { return true }
      left -= 1
      if let app = frozenApps.popLast() {
        thaw(app: app)
      } else if !copyNote() {
        return false
      }
    }
    return true
  }

  /// Takes the apps that were copied since they were last taken.
  package mutating func takeCopiedApps() -> [(number: UInt32, state: AppState)] {
    defer { copies.apps = [] }
    return copies.apps
  }

  /// Takes what was copied since this was last asked.
  package mutating func takeCopies() -> StateCopies {
    defer { copies = StateCopies() }
    return copies
  }

  /// Copies whatever is still frozen, and notes all uses under their hours: before changes that concern many actions.
  ///
  /// - Complexity: O(what is frozen), and O(actions that were used last in an hour that is over).
  mutating func settleUncommitted() {
    while copyFrozen(atMost: .max) {}
    history.settleEarlier(in: &actions)
  }

  /// Copies an action, which is frozen.
  mutating func copy(_ number: UInt32) {
    let values = values(number)
    let (hour, uses) = history.thaw(number, in: &actions)
    actions[number].isStored = true
    let place = unsafe copies.changes.name(app: apps.id(actions[number].app), action: actions.id(number))
    copies.numbers.append(number)
    copies.changes.set(place, values)
    if uses > 0 { copies.changes.add(uses, to: place, hour: hour) }
  }

  /// Copies an app, which is frozen.
  mutating func copy(app: UInt32) {
    copies.apps.append((app, state(ofApp: app)))
    (apps[app].mark, apps[app].isStored) = (0, true)
  }

  /// Has an app copied if it is frozen.
  mutating func thaw(app: UInt32) { if apps[app].mark == 3 - appMark { copy(app: app) } }

  /// Has all copied that a commit has still to know of an action that is about to be removed.
  mutating func thawRemoved(_ number: UInt32) {
    if history.isFrozen(actions[number].mark) { copy(number) }
    // Another may have the number by now.
    if history.hasFrozenNotes, namesOfRemoved[number] == nil { namesOfRemoved[number] = name(number) }
    history.drop(number, in: &actions)
    history.noteRemoval()
  }

  private mutating func copyNote() -> Bool {
    guard let note = history.nextFrozenNote() else {
      namesOfRemoved = [:]
      return false
    }
    let name = namesOfRemoved[note.action] ?? self.name(note.action)
    copies.changes.add(note.uses, to: copies.changes.name(app: name.app, action: name.id), hour: note.hour)
    copies.numbers.append(note.action)
    return true
  }
}
