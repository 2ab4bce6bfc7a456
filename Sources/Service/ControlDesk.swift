import Catalogue
import KeyFiles
import Posix
import Ranking
import Snapshots
import Storage
import Wire

/// Does what is asked for on `control.sock`.
///
/// What changes something is a function of the request, the state and the time, as it is done again when the intake log
/// is worked through after a crash.
final class ControlDesk {
  let ledger: Ledger
  let registry: Registry
  var languages: Languages
  /// Reads from the database all hours of the actions that are stored as used since an hour, and of those named.
  var storedHours: StoredHoursReader
  typealias StoredHoursReader = (Int64, [(app: [UInt8], action: [UInt8])]) throws(StorageError) -> [HourlyHistory]
  /// Reads a page of the hourly history.
  var historyPage: (HourlyCursor?, Int) throws(StorageError) -> HourlyPage
  /// Reads how often the lists of an app, nil: of all together, were right on each day since one.
  var dailyHits: ([UInt8]?, Int64) throws(StorageError) -> [DailyHitsRow] = { (_, _) throws(StorageError) in [] }
  /// Reads uses that the hourly history does not have, of actions behind the one of a number.
  var hourlessUses: (Int64?, Int) throws(StorageError) -> [HourlessUses]
  /// Makes the answer to `status`.
  var writeStatus: (inout JSONWriter) -> Void = { _ in }
  /// Publishes what has changed; returns the number of the round.
  var publish: () -> UInt64 = { 0 }
  /// The last round of snapshots that wrote something.
  var generation: () -> UInt64 = { 0 }
  /// When something was forgotten last, decay time.
  private(set) var lastForgotten: Int64?
  /// Called when something was forgotten, which has to leave the files soon.
  var onForgotten: () -> Void = {}

  init(
    ledger: Ledger, registry: Registry, languages: Languages,
    storedHours: @escaping StoredHoursReader,
    historyPage: @escaping (HourlyCursor?, Int) throws(StorageError) -> HourlyPage,
    hourlessUses: @escaping (Int64?, Int) throws(StorageError) -> [HourlessUses]
  ) {
    self.ledger = ledger
    self.registry = registry
    self.languages = languages
    self.storedHours = storedHours
    self.historyPage = historyPage
    self.hourlessUses = hourlessUses
  }

  /// Does one request.
  ///
  /// - Returns: what the reply's member says. A `subscribe` is the connection's own matter: here it only checks.
  func perform(_ request: ControlRequest, at now: Moment) throws(LineError) -> (inout JSONWriter) -> Void {
    switch request.op {
    case .define(let node, let app):
      let definition = try RegisteredDefinition(node, languages: languages)
      let owner = try registry.define(definition, app: app)
      return Self.definedReply(owner, defined: 1, removed: 0)
    case .defineAll(let nodes, let app):
      var definitions: [RegisteredDefinition] = []
      for node in nodes { definitions.append(try RegisteredDefinition(node, languages: languages)) }
      let removed = try registry.defineAll(definitions, app: app)
      return Self.definedReply(app, defined: definitions.count, removed: removed)
    case .undefine(let scope):
      let (app, removed) = registry.undefine(scope)
      return { json in
        json.member("app", utf8: app)
        json.member("removed", removed)
      }
    case .setEnabled(let isEnabled, let name):
      if !isEnabled { try registry.checkRoomForChoice(.action(name)) }
      return changedReply(name, changed: registry.setEnabled(isEnabled, name, at: now))
    case .setPinned(let isPinned, let name):
      if isPinned { try registry.checkRoomForChoice(.action(name)) }
      return changedReply(name, changed: try registry.setPinned(isPinned, name, at: now))
    case .setBlocked(let isBlocked, let scope):
      if isBlocked { try registry.checkRoomForChoice(scope) }
      return setBlocked(isBlocked, scope, at: now)
    case .forget(let what): return try forget(what, at: now)
    case .pause(let duration): return try pause(duration, at: now)
    case .resume: return try resume(at: now)
    case .top(let app, let limit): return top(app, limit, at: now)
    case .apps(let after): return appList(after: after)
    case .explain(let name):
      let explanation = Explanation(try registry.known(name), registry, at: now)
      return { explanation.write(to: &$0) }
    case .stats(let app, let days): return try stats(ofApp: app, days: days, at: now)
    case .subscribe(let app):
      return { json in Self.write(app, to: &json) }
    case .recompute:
      let generation = publish()
      return { json in json.member("generation", generation) }
    case .export(let after): return try exportPage(after: after, at: now)
    case .status: return writeStatus
    }
  }

  private static func write(_ app: [UInt8]?, to json: inout JSONWriter) {
    if let app { json.member("app", utf8: app) } else { json.memberNull("app") }
  }

  private static func definedReply(_ app: [UInt8], defined: Int, removed: Int) -> (inout JSONWriter) -> Void {
    { json in
      json.member("app", utf8: app)
      json.member("defined", defined)
      json.member("removed", removed)
    }
  }

  private func changedReply(_ name: ControlRequest.ActionName, changed: Bool) -> (inout JSONWriter) -> Void {
    let owner = registry.owner(of: name)
    return { json in
      json.member("app", utf8: owner)
      json.member("action", utf8: name.id)
      json.member("changed", changed)
    }
  }

  // MARK: Forgetting

  private func noteForgotten(at now: Moment) {
    lastForgotten = now.decay
    onForgotten()
  }

  private func setBlocked(
    _ isBlocked: Bool, _ scope: ControlRequest.Scope, at now: Moment
  ) -> (inout JSONWriter) -> Void {
    let outcome: (changed: Bool, uses: UInt64)
    if isBlocked {
      outcome = registry.block(scope, at: now)
      noteForgotten(at: now)
    } else {
      outcome = (registry.unblock(scope), 0)
    }
    let owner: [UInt8]
    var action: [UInt8]?
    switch scope {
    case .action(let name): (owner, action) = (registry.owner(of: name), name.id)
    case .app(let app): owner = app
    }
    return { json in
      json.member("app", utf8: owner)
      if let action { json.member("action", utf8: action) }
      json.member("changed", outcome.changed)
      if isBlocked { json.member("uses", outcome.uses) }
    }
  }

  private func forget(
    _ what: ControlRequest.Forgotten, at now: Moment
  ) throws(LineError) -> (inout JSONWriter) -> Void {
    let forgotten: (actions: Int, uses: UInt64)
    switch what {
    case .scope(let scope): forgotten = registry.forget(scope)
    case .everything: forgotten = registry.forgetEverything()
    case .since(let time):
      let hour = UseHour.number(of: time)
      let others = ledger.ranking.uncommittedActions(hoursFrom: hour).flatMap { number in
        let name = ledger.ranking.name(number)
        return registry.uncommitted.storedOwners(of: name.id, nowOf: name.app).map { (app: $0, action: name.id) }
      }
      let stored: [HourlyHistory]
      do throws(StorageError) { stored = try storedHours(hour, others) } catch {
        throw Self.unreadable(error)
      }
      forgotten = registry.forget(hoursFrom: hour, stored: stored, at: now)
    }
    noteForgotten(at: now)
    return { json in
      json.member("actions", forgotten.actions)
      json.member("uses", forgotten.uses)
    }
  }

  // MARK: Recording

  private static let longestPause: Int64 = 366 * 86_400 * 1_000_000_000

  private func pause(_ duration: String?, at now: Moment) throws(LineError) -> (inout JSONWriter) -> Void {
    var length: Int64?
    if let duration {
      guard let parsed = try? DurationText.parse(duration), (1...Self.longestPause).contains(parsed) else {
        throw LineError(code: .invalidArgument, reason: .argument(.for, .outOfRange))
      }
      length = parsed
    }
    ledger.recording.pausedUntil = length.map { now.decay.saturatingAdding($0) } ?? .max
    return { json in
      json.member(
        "until", length.map { RFC3339.string(nanoseconds: now.wall.saturatingAdding($0), fractionDigits: 0) })
    }
  }

  private func resume(at now: Moment) throws(LineError) -> (inout JSONWriter) -> Void {
    if !ledger.recording.isAllowed { throw .refusedOp("Record=no in the settings stops recording; change it there") }
    let changed = !ledger.recording.isOn(at: now.decay)
    ledger.recording.pausedUntil = nil
    return { json in json.member("changed", changed) }
  }

  // MARK: Looking

  private func top(_ id: [UInt8]?, _ limit: Int?, at now: Moment) -> (inout JSONWriter) -> Void {
    let snapshot = registry.snapshot(ofApp: id, count: limit, generation: generation(), at: now)
    return { json in snapshot.writeMembers(to: &json) }
  }

  /// What all lists show at this moment.
  func allSnapshots() -> [Snapshot] {
    ledger.ranking.refreshLists()
    let now = ledger.now()
    return [registry.topSnapshot(generation: generation(), at: now)]
      + ledger.ranking.appNumbers.map { registry.snapshot(ofApp: $0, generation: generation(), at: now) }
  }

  /// Apps in one reply.
  private static let appPage = 200

  private func appList(after: [UInt8]?) -> (inout JSONWriter) -> Void {
    let summaries = ledger.ranking.appSummary().map { (id: ledger.ranking.appID($0.number), summary: $0) }
      .sorted { $0.id.lexicographicallyPrecedes($1.id) }
    let rest = summaries.drop { app in after.map { !$0.lexicographicallyPrecedes(app.id) } ?? false }
    let page = rest.prefix(Self.appPage)
    let registry = registry
    return { json in
      json.member(
        "apps",
        array: { json in
          for (id, summary) in page { json.object { registry.write(summary, id, to: &$0) } }
        })
      if page.count < rest.count, let last = page.last {
        json.member("next", utf8: last.id)
      } else {
        json.memberNull("next")
      }
    }
  }
}
