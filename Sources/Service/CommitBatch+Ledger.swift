import Ranking
import Storage

extension CommitBatch {
  /// What is known at once of everything that is not stored yet, and what goes with it.
  ///
  /// - Complexity: O(ids seen since the last commit, and open connections).
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
    sweeps = changes.registry.sweeps
    dailyHits = changes.days.map { DailyHitsRow($0.hits, app: ledger.ranking.appID($0.app)) }
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
      ] + ledger.ranking.lostWorth(at: now.decay).totals
    logPosition = contents.logPosition
    connections = contents.connections?.rows ?? []
    closedConnections = contents.connections.map(\.closed) ?? []
    nextConnection = contents.lastConnection
    arrivals = ledger.ranking.arrivals
    keepHistoryHours = policy.keepHistory / UseHour.length
    maxHistoryRows = policy.maxHistoryRows
  }

  /// Adds an app that was copied.
  mutating func add(_ app: AppState) {
    apps.append(AppRow(app))
    let today = app.hits.published.today
    if today.trials > 0 || today.changes > 0 { dailyHits.append(DailyHitsRow(today, app: app.app)) }
  }
}
