import Posix
import Ranking

/// What became of a state that was damaged.
package struct RecoveryReport: Equatable, Sendable {
  /// Where the actions came from.
  package enum Source: Equatable, Sendable {
    /// All that was found was in the damaged file itself.
    case damagedFile
    /// All of it was in the backup.
    case backup
    /// Each action was taken from where its count was the higher one.
    case both
    /// Nothing was found: the state begins anew.
    case nothing
  }

  /// What was wrong, as it follows the file's name: "it is empty".
  package var problem: String
  /// The name, in the state's folder, that the damaged file was set aside as; nil if there was no file.
  package var setAside: String?
  package var source: Source
  /// How many actions there are now, and how many of them came from the backup.
  package var actions: Int
  package var actionsFromBackup: Int
  /// Whether it is known how far the intake log is contained in what was recovered. If not, the log is not to be
  /// counted: some of it would count twice.
  package var knowsLogPosition: Bool
}

extension StateDatabase {
  /// Makes a new state of what can be read of the damaged one and of the backup.
  static func recover(
    _ files: consuming StateFiles, problem: String, now: Int64, receiver: (any StateReceiver)?
  ) throws(StorageError) -> (StateDatabase, OpeningReport) {
    let found = try files.exists(files.database)
    let main = found ? try Salvage(database: files.database, log: files.log, in: files.directory) : nil
    let hasBackup =
      try storing { () throws(SystemError) in
        try files.directory.kind(of: files.backup)
      } == .regular
    let backup =
      hasBackup ? try Salvage(database: files.backup, log: files.backup + "-wal", in: files.directory) : nil
    let merged = MergedState(main, backup)
    var setAside: String?
    try build(files, daemon: merged.daemon) { statements throws(StorageError) in
      try merged.write(with: statements)
    } beforeReplacing: { files throws(StorageError) in
      setAside = try files.setAside(at: now)
    }
    let database = try reopen(files, receiver)
    let report = RecoveryReport(
      problem: problem, setAside: setAside, source: merged.source, actions: merged.actions.count,
      actionsFromBackup: merged.actionsFromBackup, knowsLogPosition: merged.daemon.logPosition != nil)
    return (database, .recovered(report))
  }
}

/// What two sources give together: for each action the state with the higher count.
struct MergedState {
  private(set) var daemon: DaemonRecord
  private(set) var actions: [ActionRecord] = []
  private(set) var actionsFromBackup = 0
  private var hourly: [HourlyRow] = []
  private var ids: [RememberedID] = []
  private var importedIDs: [RememberedID] = []
  private var registrations: [RegistrationRow] = []
  private var choices: [ChoiceRow] = []
  private var apps: [AppRow] = []
  private var dailyHits: [DailyHitsRow] = []
  private var totals: [(name: String, value: UInt64)] = []
  private var connections: [ConnectionRow] = []
  private var input: PendingInput?
  let source: RecoveryReport.Source

  init(_ main: Salvage?, _ backup: Salvage?) {
    var random = SystemRandomNumberGenerator()
    let known = main?.daemon ?? backup?.daemon
    daemon = known ?? DaemonRecord(idSecret: (random.next(), random.next()))
    // Above all that was there, so that whoever has the old database sees that it is another one.
    daemon.commitNumber = max(main?.daemon?.commitNumber ?? 0, backup?.daemon?.commitNumber ?? 0) &+ 1
    let mainActions = main?.actions ?? [:]
    // While a wipe is owed the backup may hold what was forgotten since.
    let uses = main?.daemon?.wipeIsOwed == true ? nil : backup
    let backupActions = Self.rescaled(uses, to: main?.daemon)
    let arrivals = daemon.arrivals
    let isOlder = mainActions.values.contains { $0.row.lastArrival > arrivals }
    if main?.daemon == nil && !mainActions.isEmpty || isOlder {
      // The backup's position, or that of an earlier commit, is older than these counts: what came in since then may be
      // in them.
      daemon.logPosition = nil
    }
    let rows = (main?.daemon == nil ? backup : main)?.input ?? [:]
    // Earlier ones than the counts are none of these's, and after one that is lost no later one follows.
    for row in rows.values.sorted(by: { $0.start.offset < $1.start.offset })
    where row.start.offset >= daemon.logPosition?.offset ?? .max {
      guard PendingInput.append(row, to: &input, from: daemon.logPosition) else { break }
    }
    if known == nil, mainActions.isEmpty, backupActions.isEmpty { daemon.logPosition = LogPosition.none }

    let ordered = mainActions.values.sorted { $0.number < $1.number }
    for action in ordered {
      let other = backupActions[Salvage.Key(app: action.row.app, action: action.row.action)]
      if let other, other.isLater(than: action) {
        actions.append(other)
        actionsFromBackup += 1
      } else {
        actions.append(action)
      }
    }
    let missing = backupActions.filter { mainActions[$0.key] == nil }.values.sorted { $0.number < $1.number }
    actions += missing
    actionsFromBackup += missing.count
    source =
      if actions.isEmpty { .nothing } else if actionsFromBackup == 0 {
        .damagedFile
      } else if actionsFromBackup
        == actions.count
      { .backup } else { .both }

    mergeHourly(main, uses)
    ids = mergedIDs([backup, main], main?.daemon, \.ids)
    importedIDs = mergedIDs([uses, main], main?.daemon, \.importedIDs)
    registrations = (backup?.registrations ?? [:]).merging(main?.registrations ?? [:]) { $1 }.map(\.value)
    choices = (backup?.choices ?? [:]).merging(main?.choices ?? [:]) { $1 }.map(\.value)
    apps = (uses?.apps ?? [:]).merging(main?.apps ?? [:]) { $0.trials > $1.trials ? $0 : $1 }.map(\.value)
    dailyHits = (uses?.dailyHits ?? [:]).merging(main?.dailyHits ?? [:]) { $0.trials > $1.trials ? $0 : $1 }
      .map(\.value)
    let names = Set((main?.totals ?? [:]).keys).union((backup?.totals ?? [:]).keys)
    totals = names.sorted().map { ($0, max(main?.totals[$0] ?? 0, backup?.totals[$0] ?? 0)) }
    connections = (main?.connections ?? [:]).values.sorted { $0.number < $1.number }
    for action in actions { daemon.arrivals = max(daemon.arrivals, action.row.lastArrival) }
    for row in connections where row.number >= daemon.nextConnection {
      daemon.nextConnection = row.number.saturatingAdding(1)
    }
    if daemon.clock == nil { daemon.clock = Self.clock(of: actions.map(\.row)) }
  }

  /// The backup's actions, with their scores as they are under the half-life of the damaged state.
  private static func rescaled(_ backup: Salvage?, to daemon: DaemonRecord?) -> [Salvage.Key: ActionRecord] {
    guard let backup else { return [:] }
    guard
      let old = backup.daemon?.halfLife, let new = daemon?.halfLife, old != new, let time = backup.daemon?.clock?.decay
    else { return backup.actions }
    let from = HalfLife(nanoseconds: old).position(of: time)
    let to = HalfLife(nanoseconds: new).position(of: time)
    return backup.actions.mapValues { record in
      var record = record
      record.row.score = record.row.score.rescaled(from: from, to: to)
      return record
    }
  }

  /// Where no clock was found: decay time goes on from the latest use, with the time since then as downtime.
  private static func clock(of actions: [ActionRow]) -> ClockMark? {
    guard let latest = actions.max(by: { $0.lastUse.decay < $1.lastUse.decay })?.lastUse else { return nil }
    return ClockMark(
      bootID: "", reading: ClockReading(boot: 0, wall: latest.wall), decay: latest.decay, unsureSince: nil)
  }

  private mutating func mergeHourly(_ main: Salvage?, _ backup: Salvage?) {
    struct Place: Hashable {
      var key: Salvage.Key
      var hour: Int64
    }
    var uses: [Place: UInt64] = [:]
    for source in [main, backup] {
      guard let source else { continue }
      // A number means an action only within one database.
      let keys = Dictionary(source.actions.map { ($0.value.number, $0.key) }) { first, _ in first }
      for (hour, count) in source.hourly {
        guard let key = keys[hour.actionNumber] else { continue }
        uses[Place(key: key, hour: hour.hour), default: 0] = max(uses[Place(key: key, hour: hour.hour)] ?? 0, count)
      }
    }
    hourly = uses.map { HourlyRow(app: $0.key.key.app, action: $0.key.key.action, hour: $0.key.hour, uses: $0.value) }
  }

  private func mergedIDs(
    _ sources: [Salvage?], _ main: DaemonRecord?, _ ids: (Salvage) -> [Int64: RememberedID]
  ) -> [RememberedID] {
    var times: [UInt128: Int64] = [:]
    for source in sources {
      // Hashes under another secret are of no use.
      guard let source, let secret = source.daemon?.idSecret ?? main?.idSecret, secret == daemon.idSecret
      else { continue }
      for id in ids(source).values { times[id.hash] = id.time }
    }
    return times.map { RememberedID(hash: $0.key, time: $0.value) }.sorted { ($0.time, $0.hash) < ($1.time, $1.hash) }
  }

  private var changes: ActionChanges {
    var changes = ActionChanges()
    for action in actions {
      changes.set(changes.name(app: action.row.app, action: action.row.action), action.row.values)
    }
    for row in hourly { changes.add(row.uses, to: changes.name(app: row.app, action: row.action), hour: row.hour) }
    return changes
  }

  /// Writes everything into a new database.
  func write(with statements: Statements) throws(StorageError) {
    var known = StateDatabase.Bookkeeping(idSecret: daemon.idSecret)
    try statements.write(changes, &known)
    try statements.rememberedIDs.write(ids, &known.ids)
    try statements.importedIDs.write(importedIDs, &known.importedIDs)
    try statements.write(registrations.map { .set($0) })
    try statements.write(choices)
    try statements.write(apps)
    try statements.write(dailyHits, &known)
    try statements.write(totals: totals)
    try statements.write(connections, closed: [])
    try statements.write(input)
  }
}
