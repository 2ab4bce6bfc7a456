import Ranking
import Storage

extension CommitBatch {
  /// Everything that is not stored yet, and what goes with it.
  ///
  /// - Complexity: O(actions used since the last commit, and open connections).
  init(
    _ ledger: Ledger, _ changes: UncommittedChanges, contents: Committer.Contents, policy: Committer.Policy
  ) {
    let now = ledger.now()
    ledger.historyHour.advance(to: now)
    self.init(
      clock: ledger.clockMark(), halfLife: ledger.ranking.halfLife.nanoseconds, nowHour: ledger.historyHour.number)
    edits = changes.registry.edits
    registrations = changes.registry.registrations
    choices = changes.registry.choices
    self.changes = ActionChanges(changes.uses, ledger)
    apps = changes.apps.map { AppRow(ledger.ranking.state(ofApp: $0)) }
    dailyHits =
      changes.days.map { DailyHitsRow($0.hits, app: ledger.ranking.appID($0.app)) }
      + changes.apps.map { DailyHitsRow(ledger.ranking.hits(ofApp: $0).published.today, app: ledger.ranking.appID($0)) }
      .filter { $0.trials > 0 || $0.changes > 0 }
    newIDs = changes.ids
    newImportedIDs = changes.importedIDs
    maxImportedIDs = Ledger.importedCapacity
    idSecret = ledger.idSecret
    forgetIDsBefore = now.decay.saturatingSubtracting(policy.idLifetime)
    maxIDs = Ledger.idCapacity
    totals =
      ledger.counters.totals + [
        (State.generationTotal, contents.generation), (Recovery.maxLineBytesTotal, UInt64(contents.maxLineBytes)),
        (Recording.total, ledger.recording.stored), (Recovery.recordsTotal, ledger.recording.isAllowed ? 1 : 0),
        (HistoryHour.total, UInt64(max(0, ledger.historyHour.wall))),
      ]
    logPosition = contents.logPosition
    connections = contents.connections.rows
    closedConnections = contents.connections.closed
    nextConnection = contents.lastConnection
    arrivals = ledger.ranking.arrivals
    keepHistoryHours = policy.keepHistory / UseHour.length
    maxHistoryRows = policy.maxHistoryRows
  }
}

extension ActionChanges {
  /// - Complexity: O(`uses`).
  fileprivate init(_ uses: UncommittedUses, _ ledger: Ledger) {
    self.init()
    reserve(uses.actions.count)
    for number in uses.actions { set(name(number, ledger), ledger.ranking.values(number)) }
    // Most hours are of the same actions in the same order; any other action is named once more.
    var next = 0
    for hour in uses.hours {
      let ahead = uses.actions[next..<min(next + Self.lookAhead, uses.actions.count)]
      let known = ahead.firstIndex(of: hour.action)
      next = known.map { $0 + 1 } ?? next
      add(hour.uses, to: known ?? name(hour.action, ledger), hour: hour.hour)
    }
  }

  /// Actions without uses in the hour lie between the others: those that were only moved in lists.
  private static let lookAhead = 32

  private mutating func name(_ number: UInt32, _ ledger: Ledger) -> Int {
    let name = unsafe ledger.ranking.unsafeName(number)
    return unsafe self.name(app: name.app, action: name.id)
  }
}
