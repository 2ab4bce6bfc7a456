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

  /// Makes room for rows, so that adding them moves none.
  mutating func reserve(_ count: (actions: Int, hours: Int)) { changes.reserve(count.actions + count.hours) }

  /// Adds what was copied.
  ///
  /// - Complexity: O(`copies`).
  mutating func add(_ copies: StateCopies) {
    for copy in copies.actions {
      let place = changes.name(app: copy.state.app, action: copy.state.action)
      changes.set(place, copy.state.values)
      if copy.uses > 0 { changes.add(copy.uses, to: place, hour: copy.hour) }
    }
    for note in copies.notes {
      changes.add(note.use.uses, to: changes.name(app: note.app, action: note.id), hour: note.use.hour)
    }
    for (_, state) in copies.apps {
      apps.append(AppRow(state))
      let today = state.hits.published.today
      if today.trials > 0 || today.changes > 0 { dailyHits.append(DailyHitsRow(today, app: state.app)) }
    }
  }
}
