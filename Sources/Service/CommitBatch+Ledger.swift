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
    actions = changes.uses.actions.map { ledger.ranking.state($0) }
    adaptive = actions.map(\.adaptive)
    apps = changes.apps.map { AppRow(ledger.ranking.state(ofApp: $0)) }
    dailyHits =
      changes.days.map { DailyHitsRow($0.hits, app: ledger.ranking.appID($0.app)) }
      + changes.apps.map { DailyHitsRow(ledger.ranking.hits(ofApp: $0).published.today, app: ledger.ranking.appID($0)) }
      .filter { $0.trials > 0 || $0.changes > 0 }
    hourly = changes.uses.hours.map { hour in
      let action = ledger.ranking.name(hour.action)
      return HourlyRow(app: action.app, action: action.id, hour: hour.hour, uses: hour.uses)
    }
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
