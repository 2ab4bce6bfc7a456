import Catalogue
import Ranking
import Storage
import Wire

/// What is known of actions beside their uses: what the catalogue declares, what programs have registered, and what the
/// person has chosen.
///
/// It decides what competes where, and tells ``ActionRanking``, which counts and orders.
final class Registry {
  let ledger: Ledger
  private(set) var entries: [UInt32: Entry] = [:]
  private(set) var apps: [UInt32: AppEntry] = [:]
  /// Whether only actions that are defined stand in lists.
  private(set) var onlyDefined = false
  /// Apps whose lists may look different now.
  private(set) var changedApps: Set<UInt32> = []
  private(set) var topHasChanged = false
  /// What is not stored yet.
  var uncommitted = Uncommitted()
  private(set) var registeredCount = 0
  /// The last place in the order of registering and pinning.
  var lastPosition: Int64 = 0

  /// What is known of one action.
  struct Entry {
    let app: UInt32
    /// What the catalogue says.
    var declared: ActionDefinition?
    /// What a program has registered.
    var registered: Registration?
    var choice = Choice()

    /// The static declaration wins, then what was registered last, then the catalogue's.
    var definition: ActionDefinition? { isStatic ? declared : registered?.definition ?? declared }
    var isStatic: Bool { declared?.kind == .static }
    var isEnabled: Bool {
      choice.disabledAt == nil && (choice.enabledAt != nil || definition?.isEnabled != false)
    }
    var isEmpty: Bool { declared == nil && registered == nil && choice.isEmpty }
  }

  /// A registered action.
  struct Registration {
    var definition: ActionDefinition
    var position: Int64
    /// The definition as it came, with all its languages: an object in JSON.
    var text: [UInt8]
  }

  /// What is known of one app.
  struct AppEntry {
    var localizedName: String?
    /// Whether the catalogue has it.
    var isDeclared = false
    /// How many shortcuts it shows, if it says so itself.
    var limit: Int?
    /// In declared order.
    var statics: [UInt32] = []
    /// In the order of pinning.
    var pinned: [UInt32] = []
    /// In the order of registering.
    var registered: [UInt32] = []
    var choice = Choice()

    var isEmpty: Bool {
      !isDeclared && statics.isEmpty && pinned.isEmpty && registered.isEmpty && choice.isEmpty
    }
  }

  init(ledger: Ledger) { self.ledger = ledger }

  /// Something stored has to be changed before anything else is stored.
  func edit(_ edit: StateEdit) {
    noteGone()
    uncommitted.edit(edit)
  }

  /// Has dropped what has gone so far: what it was called then is what it is called in files, before any further edit.
  private func noteGone() {
    uncommitted.drop(ledger.ranking.takeGoneNames(), most: max(ledger.ranking.maxActions, 10_000))
  }

  /// Whether anything is not stored yet.
  var hasUncommitted: Bool {
    noteGone()
    return !uncommitted.isEmpty
  }

  /// Whether anything is not stored yet that counting again what has come in would not come to.
  var hasUncommittedChoices: Bool {
    noteGone()
    return !uncommitted.followsFromInput
  }

  /// Takes what is not stored yet.
  func takeUncommitted() -> Uncommitted {
    noteGone()
    defer { uncommitted = Uncommitted() }
    return uncommitted
  }

  /// Gives back what could not be stored: it comes before what has changed since.
  func giveBack(_ earlier: Uncommitted) { uncommitted = earlier.followed(by: uncommitted) }

  /// Has everything stored again, because what was stored is not to be trusted.
  func markAllUncommitted() {
    for (number, entry) in entries {
      let name = ledger.ranking.name(number)
      if let registration = entry.registered { note(registration, number) }
      if !entry.choice.isEmpty {
        let isAppNamed = ledger.ranking.isAppNamed(number)
        uncommitted.set(entry.choice.row(app: name.app, action: name.id, isAppNamed: isAppNamed))
      }
    }
    for (app, entry) in apps where !entry.choice.isEmpty {
      uncommitted.set(entry.choice.row(app: ledger.ranking.appID(app), action: []))
    }
  }

  /// Takes the apps whose lists may look different since this was last asked, and whether that over all apps may.
  func takeChanges() -> (apps: Set<UInt32>, top: Bool) {
    defer { (changedApps, topHasChanged) = ([], false) }
    return (changedApps, topHasChanged)
  }

  // MARK: Entries

  /// Changes what is known of an action, and what follows from it.
  func change(_ number: UInt32, _ body: (inout Entry) -> Void) {
    var entry = entries[number] ?? Entry(app: ledger.ranking.app(of: number))
    let wasRegistered = entry.registered != nil
    body(&entry)
    registeredCount += (entry.registered == nil ? 0 : 1) - (wasRegistered ? 1 : 0)
    entries[number] = entry.isEmpty ? nil : entry
    updateApp(entry.app) { app in
      Self.list(number, in: &app.pinned, if: entry.choice.pinnedAt != nil)
      Self.list(number, in: &app.registered, if: entry.registered != nil)
    }
    ledger.ranking.setStanding(standing(of: entry), of: number)
  }

  private static func list(_ number: UInt32, in list: inout [UInt32], if isListed: Bool) {
    if isListed == list.contains(number) { return }
    if isListed { list.append(number) } else { list.removeAll { $0 == number } }
  }

  /// Changes what is known of an app. Its list counts as changed.
  func updateApp(_ app: UInt32, _ body: (inout AppEntry) -> Void) {
    var entry = apps[app] ?? AppEntry()
    body(&entry)
    apps[app] = entry.isEmpty ? nil : entry
    ledger.ranking.setKept(entry.isDeclared || !entry.choice.isEmpty, app: app)
    changedApps.insert(app)
    topHasChanged = true
  }

  /// What an action competes in, by what is known of it.
  private func standing(of entry: Entry) -> Standing {
    if entry.isEmpty { return defaultStanding }
    if entry.choice.blockedAt != nil { return [.kept, .blocked] }
    guard entry.isEnabled, entry.definition != nil || !onlyDefined else { return .kept }
    return entry.isStatic ? [.kept, .inTop] : [.kept, .inApp, .inTop]
  }

  private var defaultStanding: Standing { onlyDefined ? [] : [.inApp, .inTop] }

  /// Notes what has to be stored of a registration.
  func note(_ registration: Registration, _ number: UInt32) {
    let name = ledger.ranking.name(number)
    uncommitted.set(
      RegistrationRow(
        app: name.app, action: name.id, position: registration.position, definition: registration.text,
        isAppNamed: ledger.ranking.isAppNamed(number)))
  }
}

// MARK: The catalogue

extension Registry {
  /// Goes over to what the catalogue says now. What it does not have any more leaves the lists.
  ///
  /// - Complexity: O(actions), as owners may change.
  func apply(_ catalogue: Catalogue, onlyDefined: Bool, at now: Moment) {
    self.onlyDefined = onlyDefined
    ledger.ranking.defaultStanding = defaultStanding
    let (oldEntries, oldApps) = (entries, apps)
    let names = Dictionary(uniqueKeysWithValues: oldEntries.keys.map { ($0, ledger.ranking.name($0)) })
    let moved = ledger.ranking.setOwningApps(catalogue.apps.map(\.app), at: now.decay)
    noteMoves(moved)

    entries = [:]
    keep(oldEntries, names, moved)
    registeredCount = entries.values.count { $0.registered != nil }
    var declaredApps: [UInt32: AppDefinition] = [:]
    for app in catalogue.apps { declaredApps[declare(app)] = app }
    rebuildApps(declaredApps, oldApps, at: now)
    let (entries, otherStanding) = (entries, defaultStanding)
    ledger.ranking.setStandings { entries[$0].map(standing(of:)) ?? otherStanding }
  }

  /// Has what moved to another owner stored there.
  private func noteMoves(_ moved: [MovedAction]) {
    for move in moved {
      edit(.moveAction(action: move.action, from: move.from, to: move.to))
    }
  }

  /// Takes over what was registered and chosen, by the names that its actions have now.
  private func keep(
    _ old: [UInt32: Entry], _ names: [UInt32: (app: [UInt8], id: [UInt8])], _ moved: [MovedAction]
  ) {
    let homes = Dictionary(moved.map { (Name(app: $0.from, id: $0.action), $0.to) }) { _, last in last }
    // In an order of their own, as two of them may become one.
    for (number, entry) in old.sorted(by: { $0.key < $1.key }) {
      guard entry.registered != nil || !entry.choice.isEmpty, let name = names[number] else { continue }
      let app = homes[Name(app: name.app, id: name.id)] ?? name.app
      let current = ledger.ranking.insert(name.id, app: app)
      var kept = entries[current] ?? Entry(app: ledger.ranking.app(of: current))
      kept.registered = kept.registered ?? entry.registered
      if kept.choice.isEmpty { kept.choice = entry.choice }
      entries[current] = kept
      if app != name.app { storeAnew(name, kept, current) }
    }
  }

  private func storeAnew(_ name: (app: [UInt8], id: [UInt8]), _ entry: Entry, _ number: UInt32) {
    if let registration = entry.registered {
      uncommitted.removeRegistration(app: name.app, action: name.id)
      note(registration, number)
    }
    if !entry.choice.isEmpty {
      uncommitted.set(Choice().row(app: name.app, action: name.id))
      uncommitted.set(entry.choice.row(app: ledger.ranking.name(number).app, action: name.id))
    }
  }

  private func declare(_ app: AppDefinition) -> UInt32 {
    for definition in app.actions {
      let number = ledger.ranking.insert(definition.id, app: app.app)
      var entry = entries[number] ?? Entry(app: ledger.ranking.app(of: number))
      entry.declared = definition
      entries[number] = entry
    }
    return ledger.ranking.insertApp(app.app)
  }

  private func rebuildApps(_ declared: [UInt32: AppDefinition], _ old: [UInt32: AppEntry], at now: Moment) {
    var new: [UInt32: AppEntry] = [:]
    for (app, entry) in old where !entry.choice.isEmpty { new[app, default: AppEntry()].choice = entry.choice }
    for (app, definition) in declared {
      new[app, default: AppEntry()].isDeclared = true
      new[app]?.localizedName = definition.localizedName
      new[app]?.limit = definition.limit
      new[app]?.statics = definition.actions.filter { $0.kind == .static }.compactMap {
        ledger.ranking.find($0.id, app: definition.app)
      }
    }
    for (number, entry) in inOrder({ $0.registered?.position }) {
      new[entry.app, default: AppEntry()].registered.append(number)
    }
    for (number, entry) in inOrder({ $0.choice.pinnedAt == nil ? nil : $0.choice.pinPosition }) {
      new[entry.app, default: AppEntry()].pinned.append(number)
    }
    apps = new
    for app in Set(old.keys).union(new.keys) where ledger.ranking.isPresent(app: app) {
      let entry = new[app] ?? AppEntry()
      ledger.ranking.setHalfLife(declared[app]?.halfLife.map { HalfLife(nanoseconds: $0) }, ofApp: app, at: now.decay)
      ledger.ranking.setLimit(entry.limit, ofApp: app)
      ledger.ranking.setBlocked(entry.choice.blockedAt != nil, app: app)
      updateApp(app) { $0 = entry }
    }
    // An app whose actions have all left stands in no list of changes of its own.
    topHasChanged = true
  }

  /// The entries that have a position, in its order.
  private func inOrder(_ position: (Entry) -> Int64?) -> [(number: UInt32, entry: Entry)] {
    entries.compactMap { number, entry in position(entry).map { (number, entry, $0) } }
      .sorted { ($0.2, $0.0) < ($1.2, $1.0) }
      .map { ($0.0, $0.1) }
  }

  private struct Name: Hashable {
    let app: [UInt8]
    let id: [UInt8]
  }
}
