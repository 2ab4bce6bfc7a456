import Catalogue
import IntakeLog
import Posix
import Ranking
import Settings
import Snapshots
import Storage
import Systemd
import Wire

/// What the daemon starts from: the database, and what the intake log holds beyond it.
final class State {
  let ledger: Ledger
  let registry: Registry
  let desk: LineDesk
  let catalogue: CatalogueSource
  let database: StateDatabase
  /// The last round of snapshots that wrote something.
  let generation: UInt64
  let recovery: Recovery
  /// How old the last backup is, nanoseconds; nil if there is none.
  let backupAge: Int64?
  private let places: Places
  private let settings: Settings
  private let log: Log

  /// The name among the totals of the last round of snapshots that wrote something.
  static let generationTotal = "generation"

  /// Opens the database, loads it, and works through the intake log.
  ///
  /// - Complexity: O(stored state + intake log).
  init(places: Places, settings: Settings, manager: ServiceManager, log: Log) throws(StartFailure) {
    self.places = places
    self.settings = settings
    self.log = log
    catalogue = CatalogueSource(folders: places.catalogueFolders, settings: settings, log: log)
    let progress = StartProgress(manager: manager)
    let loading = StateLoading(progress: progress) { [catalogue] stored in
      Ledger(
        stored, RankingSettings(settings), idLifetime: settings.rememberIDs, ownHalfLives: catalogue.ownHalfLives,
        log: log)
    }
    let stored: StoredState
    do {
      let report: OpeningReport
      (database, report) = try StateDatabase.open(
        directory: places.stateDirectory, now: Clocks.wall(), receiver: loading)
      if case .recovered(let recovery) = report {
        log(.error, recovery.description + (recovery.source == .nothing ? ": counting begins anew" : ""))
      }
      (ledger, stored) = loading.finish()
    } catch {
      throw StartFailure(status: .cannotCreate, message: error.description)
    }
    ledger.ranking.trialSpan = settings.snapshotInterval
    registry = Registry(ledger: ledger)
    registry.restore(stored, languages: catalogue.languages)
    registry.apply(catalogue.current, onlyDefined: settings.onlyDefined, at: ledger.startedAt)
    // What is kept is known now.
    ledger.ranking.setMaxActions(settings.maxActions)
    let database = database
    let control = ControlDesk(
      ledger: ledger, registry: registry, languages: catalogue.languages,
      storedHours: { (hour, others) throws(StorageError) in try database.storedHours(from: hour, and: others) },
      historyPage: { (cursor, limit) throws(StorageError) in try database.hourlyUses(after: cursor, limit: limit) },
      hourlessUses: { (number, limit) throws(StorageError) in try database.hourlessUses(after: number, limit: limit) })
    desk = LineDesk(control: control, log: log)
    generation = stored.totals.first { $0.name == Self.generationTotal }?.value ?? 0
    backupAge = database.lastBackup.map { Clocks.wall().saturatingSubtracting($0) }
    let desk = desk
    recovery = try StartFailure.unlessPossible { () throws(SystemError) in
      try Recovery(
        stored, runtimeDirectory: places.runtimeDirectory, desk: desk, settings: settings, progress: progress, log: log)
    }
    applySettings()
    ledger.noteStart()
  }

  /// Settings may have changed while no daemon ran; what was logged was read by those of before.
  private func applySettings() {
    RankingSettings(settings).apply(to: &ledger.ranking, at: ledger.now().decay)
  }

  /// Stores what an earlier intake log held.
  ///
  /// - Returns: nil; or, if that can't be stored now, how far the log was worked through: it stays.
  func storeRecovered() -> LogPosition? {
    guard let position = recovery.position else { return nil }
    do {
      try store(position)
    } catch {
      log(
        .error,
        "what was recovered can't be stored: \(error.description); it stays where it is until a commit succeeds")
      return position
    }
    return nil
  }

  private func store(_ position: LogPosition) throws(StorageError) {
    let contents = Committer.Contents(
      logPosition: position, connections: ConnectionChanges(all: recovery.sessions.map { $1.state.row($0) }),
      lastConnection: recovery.lastConnection, maxLineBytes: settings.maxLineBytes, generation: generation, syncs: [])
    var draft = CommitDraft(registry, contents: contents, policy: Committer.Policy(settings))
    draft.copyAll(registry)
    do {
      try database.commit(draft.batch)
    } catch {
      draft.changes.giveBack(to: registry)
      throw error
    }
    ledger.ranking.recycleNumbers()
  }

  /// Begins an intake log: in the place of those that were worked through, if that is stored; if not, beside them.
  func beginLog(isStored: Bool) throws(SystemError) -> IntakeLog {
    if isStored {
      // The earlier ones go first: together they may be more than the runtime directory has room for.
      try recovery.oldLogs.clear(log)
      if desk.control.lastForgotten != nil { recovery.oldLogs.removeSetAside(log) }
      return try Self.makeLog(places, settings, named: IntakeLog.fileName, log)
    }
    let name = recovery.oldLogs.haveRoomForSuccessor ? IntakeLog.successorName : nil
    let made = try Self.makeLog(places, settings, named: name, log)
    if !made.keeps { log(.warning, "until a commit succeeds what arrives would not survive a crash") }
    return made
  }

  /// Makes an intake log, as large as there is room for.
  ///
  /// - Parameter name: of its file; nil for a log that keeps nothing.
  static func makeLog(
    _ places: Places, _ settings: Settings, named name: String?, _ log: Log
  ) throws(SystemError) -> IntakeLog {
    var random = SystemRandomNumberGenerator()
    var size = name == nil ? 0 : settings.intakeLogSize
    while true {
      do {
        var made = try IntakeLog.create(
          inDirectory: places.runtimeDirectory, size: size, identity: random.next(),
          named: name ?? IntakeLog.fileName)
        made.noteSettings(
          LoggedSettings(settings).bytes, at: Ledger.machineClocks())
        return made
      } catch {
        guard error.isFull, size > 0 else { throw error }
        let smaller = size / 2 >= IntakeLog.sizes.lowerBound ? size / 2 : 0
        log(
          .warning,
          "no room for an intake log of \(size) bytes in \(places.runtimeDirectory): \(error.reason); trying \(smaller)"
        )
        size = smaller
      }
    }
  }
}
