import Catalogue
import Ranking
import Storage
import Wire

// What the ops of the control socket change.
extension Registry {
  /// Registered actions that one app, and all apps together, may have.
  static let mostRegisteredOfApp = 256
  static let mostRegistered = 10_000
  /// Actions that may be pinned in one app.
  static let mostPinnedOfApp = 20
  /// Actions and apps that may be pinned, blocked, disabled or enabled.
  static let mostChosen = 10_000
  /// The longest definition, bytes of its JSON.
  static let longestDefinition = 8192

  // MARK: Registering

  /// Registers an action, or changes what was registered.
  ///
  /// - Returns: the app that owns it.
  func define(_ definition: RegisteredDefinition, app: [UInt8]?) throws(LineError) -> [UInt8] {
    let known = ledger.ranking.find(definition.action.id, app: app)
    let isNew = known.map { entries[$0]?.registered == nil } ?? true
    let owner = app ?? ledger.ranking.defaultOwner(of: definition.action.id)
    if isNew { try checkRoom(for: 1, replacing: 0, inApp: owner) }
    try checkIsNotStatic(known)
    register(definition, ledger.ranking.insert(definition.action.id, app: app))
    return owner
  }

  /// Registers an app's whole list in place of the one before.
  ///
  /// - Returns: how many actions of the list before are not in this one.
  func defineAll(_ definitions: [RegisteredDefinition], app: [UInt8]) throws(LineError) -> Int {
    let before = ledger.ranking.findApp(app).flatMap { apps[$0]?.registered } ?? []
    var ids: Set<[UInt8]> = []
    for definition in definitions {
      guard ids.insert(definition.action.id).inserted else { throw .refusedOp("an action comes twice in the list") }
      try checkIsNotStatic(ledger.ranking.find(definition.action.id, app: app))
    }
    try checkRoom(for: definitions.count, replacing: before.count, inApp: nil)
    let gone = before.filter { !ids.contains(ledger.ranking.name($0).id) }
    for number in gone { unregister(number) }
    for definition in definitions { register(definition, ledger.ranking.insert(definition.action.id, app: app)) }
    return gone.count
  }

  private func checkIsNotStatic(_ number: UInt32?) throws(LineError) {
    guard let number, entries[number]?.isStatic == true else { return }
    throw .refusedOp("the catalogue declares this action as static; only its file can change it")
  }

  private func checkRoom(for new: Int, replacing old: Int, inApp app: [UInt8]?) throws(LineError) {
    let ofApp = app.flatMap { ledger.ranking.findApp($0) }.flatMap { apps[$0]?.registered.count } ?? 0
    if ofApp + new > Self.mostRegisteredOfApp {
      throw .refusedOp("an app may have \(Self.mostRegisteredOfApp) registered actions")
    }
    if registeredCount + new - old > Self.mostRegistered {
      throw .refusedOp("all apps together may have \(Self.mostRegistered) registered actions")
    }
  }

  private func register(_ definition: RegisteredDefinition, _ number: UInt32) {
    lastPosition += 1
    let position = entries[number]?.registered?.position ?? lastPosition
    let registration = Registration(definition: definition.action, position: position, text: definition.text)
    note(registration, number)
    change(number) { $0.registered = registration }
  }

  /// Takes back what was registered: one action, or all of an app.
  ///
  /// - Returns: the app, and how many actions that were.
  func undefine(_ scope: ControlRequest.Scope) -> (app: [UInt8], removed: Int) {
    switch scope {
    case .action(let name):
      let owner = owner(of: name)
      guard let number = ledger.ranking.find(name.id, app: name.app), entries[number]?.registered != nil else {
        return (owner, 0)
      }
      let app = ledger.ranking.name(number).app
      unregister(number)
      return (app, 1)
    case .app(let app):
      let numbers = ledger.ranking.findApp(app).flatMap { apps[$0]?.registered } ?? []
      for number in numbers { unregister(number) }
      return (app, numbers.count)
    }
  }

  private func unregister(_ number: UInt32) {
    let name = ledger.ranking.name(number)
    uncommitted.removeRegistration(app: name.app, action: name.id)
    change(number) { $0.registered = nil }
  }

  /// The app that owns an action, which need not be known.
  func owner(of name: ControlRequest.ActionName) -> [UInt8] {
    name.app ?? ledger.ranking.defaultOwner(of: name.id)
  }

  // MARK: Choosing

  /// An action that has uses, a definition or a choice.
  func known(_ name: ControlRequest.ActionName) throws(LineError) -> UInt32 {
    if let number = ledger.ranking.find(name.id, app: name.app) { return number }
    let owner = owner(of: name)
    if ledger.ranking.findApp(owner).flatMap({ apps[$0]?.choice.blockedAt }) != nil {
      throw LineError(code: .unknownAction, reason: .words("nothing is kept of this action: its app is blocked"))
    }
    throw .unknownAction
  }

  /// Throws unless something may be chosen of an action or an app: something is already, or of few others.
  ///
  /// - Complexity: O(definitions and choices).
  func checkRoomForChoice(_ scope: ControlRequest.Scope) throws(LineError) {
    let known: Choice? =
      switch scope {
      case .action(let name): ledger.ranking.find(name.id, app: name.app).flatMap { entries[$0]?.choice }
      case .app(let app): ledger.ranking.findApp(app).flatMap { apps[$0]?.choice }
      }
    if known?.isEmpty == false { return }
    let chosen = entries.values.count { !$0.choice.isEmpty } + apps.values.count { !$0.choice.isEmpty }
    if chosen >= Self.mostChosen {
      throw .refusedOp("\(Self.mostChosen) actions and apps may be pinned, blocked, disabled or enabled")
    }
  }

  /// Changes a choice about an action, and has it stored.
  ///
  /// - Returns: whether it has changed.
  private func choose(_ number: UInt32, _ body: (inout Choice) -> Void) -> Bool {
    var choice = entries[number]?.choice ?? Choice()
    let before = choice
    body(&choice)
    if choice == before { return false }
    let name = ledger.ranking.name(number)
    uncommitted.set(
      choice.row(app: name.app, action: name.id, isAppNamed: ledger.ranking.isAppNamed(number)))
    change(number) { $0.choice = choice }
    return true
  }

  /// Keeps an action, which need not have been used, in the lists or out of them.
  ///
  /// - Returns: whether that is new.
  func setEnabled(_ isEnabled: Bool, _ name: ControlRequest.ActionName, at now: Moment) -> Bool {
    guard
      let number = isEnabled
        ? ledger.ranking.find(name.id, app: name.app) : ledger.ranking.insert(name.id, app: name.app)
    else { return false }
    return choose(number) { choice in
      if isEnabled {
        choice.disabledAt = nil
        // Only where the definition says otherwise there is anything to remember.
        if entries[number]?.definition?.isEnabled == false, choice.enabledAt == nil { choice.enabledAt = now.wall }
      } else {
        choice.enabledAt = nil
        if choice.disabledAt == nil, entries[number]?.definition?.isEnabled != false { choice.disabledAt = now.wall }
      }
    }
  }

  /// Pins an action, which need not have been used, or unpins it.
  ///
  /// - Returns: whether that is new.
  func setPinned(
    _ isPinned: Bool, _ name: ControlRequest.ActionName, at now: Moment
  ) throws(LineError) -> Bool {
    guard isPinned else {
      guard let number = ledger.ranking.find(name.id, app: name.app) else { return false }
      return choose(number) { $0.pinnedAt = nil }
    }
    let owner = owner(of: name)
    let known = ledger.ranking.find(name.id, app: name.app)
    if let known, entries[known]?.choice.pinnedAt != nil { return false }
    let pinned = ledger.ranking.findApp(owner).flatMap { apps[$0]?.pinned.count } ?? 0
    if pinned >= Self.mostPinnedOfApp { throw .refusedOp("an app may have \(Self.mostPinnedOfApp) pinned actions") }
    let number = ledger.ranking.insert(name.id, app: name.app)
    lastPosition += 1
    return choose(number) {
      $0.pinnedAt = now.wall
      $0.pinPosition = lastPosition
    }
  }

  /// Blocks an action or an app, whose uses so far are forgotten.
  ///
  /// - Returns: whether that is new, and how many uses were forgotten.
  func block(_ scope: ControlRequest.Scope, at now: Moment) -> (changed: Bool, uses: UInt64) {
    let forgotten = forget(scope)
    switch scope {
    case .action(let name):
      let number = ledger.ranking.insert(name.id, app: name.app)
      return (choose(number) { $0.blockedAt = $0.blockedAt ?? now.wall }, forgotten.uses)
    case .app(let id):
      let app = ledger.ranking.insertApp(id)
      let isNew = apps[app]?.choice.blockedAt == nil
      ledger.ranking.setBlocked(true, app: app)
      if isNew { chooseForApp(app) { $0.blockedAt = now.wall } }
      return (isNew, forgotten.uses)
    }
  }

  /// Lets uses count again.
  func unblock(_ scope: ControlRequest.Scope) -> Bool {
    switch scope {
    case .action(let name):
      guard let number = ledger.ranking.find(name.id, app: name.app) else { return false }
      return choose(number) { $0.blockedAt = nil }
    case .app(let id):
      guard let app = ledger.ranking.findApp(id), apps[app]?.choice.blockedAt != nil else { return false }
      ledger.ranking.setBlocked(false, app: app)
      chooseForApp(app) { $0.blockedAt = nil }
      return true
    }
  }

  private func chooseForApp(_ app: UInt32, _ body: (inout Choice) -> Void) {
    var choice = apps[app]?.choice ?? Choice()
    body(&choice)
    uncommitted.set(choice.row(app: ledger.ranking.appID(app), action: []))
    updateApp(app) { $0.choice = choice }
  }

  // MARK: Forgetting

  /// Forgets the uses of an action or of an app; definitions and choices stay.
  ///
  /// - Returns: how many actions had uses, and how many.
  /// - Complexity: O(actions) for an app.
  func forget(_ scope: ControlRequest.Scope) -> (actions: Int, uses: UInt64) {
    switch scope {
    // What is not known may be in files of damaged states and logs, and is in the request itself.
    case .action(let name):
      guard let number = ledger.ranking.find(name.id, app: name.app) else {
        let owner = owner(of: name)
        edit(.forgetAction(app: owner, action: name.id))
        return (0, 0)
      }
      let id = ledger.ranking.name(number)
      edit(.forgetAction(app: id.app, action: id.id))
      let forgotten = ledger.ranking.forget([number])
      forgetIfGone(id.app)
      return forgotten
    case .app(let id):
      edit(.forgetApp(id))
      guard let app = ledger.ranking.findApp(id) else { return (0, 0) }
      let forgotten = ledger.ranking.forget(ledger.ranking.members(ofApp: app))
      // A definition or a choice may keep it.
      if ledger.ranking.isPresent(app: app) { ledger.ranking.forgetHits(ofApps: [app]) }
      return forgotten
    }
  }

  /// An app that is gone with its last action leaves nothing behind, not even how often its list was right.
  private func forgetIfGone(_ app: [UInt8]) {
    if ledger.ranking.findApp(app) == nil { edit(.forgetApp(app)) }
  }

  /// Forgets all uses of everything, and which lines were imported.
  func forgetEverything() -> (actions: Int, uses: UInt64) {
    edit(.forgetEverything)
    ledger.importedIDs.removeAll()
    let forgotten = ledger.ranking.forget(
      ledger.ranking.actionNumbers)
    ledger.ranking.forgetHits(
      ofApps: ledger.ranking.appNumbers)
    ledger.ranking.forgetLosses()
    return forgotten
  }

  /// Forgets all uses since the beginning of an hour.
  ///
  /// - Parameter stored: what the database has of the actions that were used since.
  /// - Complexity: O(actions + their hours).
  func forget(hoursFrom hour: Int64, stored: [HourlyHistory], at now: Moment) -> (actions: Int, uses: UInt64) {
    let stored = uncommitted.applied(to: stored)
    edit(.forgetHours(from: hour))
    let rows = stored.compactMap { history in
      ledger.ranking.find(history.action, app: history.app).map { number in
        StoredHours(number: number, hours: history.hours.map { StoredHour(hour: $0.hour, uses: $0.uses) })
      }
    }
    let forgotten = ledger.ranking.forget(hoursFrom: hour, stored: rows, at: now)
    // Those that have nothing left have no row that would replace theirs.
    for history in stored {
      let number = ledger.ranking.find(history.action, app: history.app)
      if let number, ledger.ranking.report(number, at: now.decay).uses > 0 { continue }
      edit(.forgetAction(app: history.app, action: history.action))
      forgetIfGone(history.app)
    }
    return forgotten
  }
}
