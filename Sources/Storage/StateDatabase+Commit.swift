import Posix
import Ranking

extension StateDatabase {
  /// How many rows one commit drops at most of what is too old or too many, beside as many as it adds.
  static let pruningStep = 20_000
  /// How many commits may fail before the database is opened anew, whatever the reason.
  private static let mostAttempts = 16

  /// Stores a batch: all of it, on the disk when this returns; or, if it throws, nothing.
  ///
  /// After a failure the batch is to be given again, alone or with what has come since; it is then written anew. A
  /// sync that failed is never tried a second time for the same bytes.
  ///
  /// What a batch forgets is gone from every file as well, unless ``isWipeOwed`` says that this is still to be done.
  ///
  /// - Complexity: O(changes · log(rows)), and O(size of the database) with edits or while a wipe is owed.
  package func commit(_ batch: CommitBatch) throws(StorageError) {
    try acknowledging { () throws(StorageError) in try attempt(batch) }
    if batch.asksForWipe { (isVacuumed, wipeAttempts) = (false, WipeAttempts()) }
    wipeIfOwed(at: batch.clock.reading.boot)
    boundLog()
  }

  /// Makes an attempt to store something, and takes note of what came of it.
  func acknowledging(_ attempt: () throws(StorageError) -> Bookkeeping) throws(StorageError) {
    do throws(StorageError) {
      known = try attempt()
    } catch {
      failures += 1
      if session?.connection.isInTransaction == true { try? session?.connection.execute("ROLLBACK", "roll back") }
      // One failure is no reason to close: SQLite has kept out of its index what was not synced, and the next commit
      // writes over it in the log, which no new connection would know to do.
      // What was tried is remembered until the database is opened anew, and there must not be ever more of it.
      let isTooMuch = attempts.count >= Self.mostAttempts
      if error.isDamaged || failures > 1 && !error.isFull || isTooMuch { dropSession() }
      throw error
    }
    attempts = []
    uncounted = nil
    doneEdits = []
    failures = 0
  }

  /// Stores a batch, and returns what is known then.
  func attempt(_ batch: CommitBatch) throws(StorageError) -> Bookkeeping {
    let session = try openedSession()
    var next = try beginAttempt(on: session, changes: batch.changes, edits: batch.edits)
    try write(batch, to: session, &next)
    return next
  }

  /// Takes note of an attempt before it is made, as it may be in the database whatever comes of it.
  ///
  /// - Returns: what is known if it is, as far as that can be told yet.
  func beginAttempt(
    on session: Session, changes: ActionChanges, edits: [StateEdit]
  ) throws(StorageError) -> Bookkeeping {
    try checkPlace(of: session)
    var next = known
    lastAttempt = max(lastAttempt, known.commitNumber) + 1
    next.commitNumber = lastAttempt
    attempts.append(Attempt(known: next, changes: changes, edits: edits))
    return next
  }

  /// Throws if the file that is written to is not the one that has the state's name any more: whatever went there would
  /// be safe from nobody.
  private func checkPlace(of session: Session) throws(StorageError) {
    let there = try storing { () throws(SystemError) in try files.directory.identityByPath(of: files.database) }
    if session.file == nil { session.file = there }
    if let there, there == session.file { return }
    throw StorageError(
      "commit", kind: .damaged, message: "\(files.path(of: files.database)) was removed or replaced by another file")
  }

  func dropSession() {
    session?.connection.keepLogOnClose(true)
    session?.statements = nil
    session = nil
  }

  private func write(_ batch: CommitBatch, to session: Session, _ next: inout Bookkeeping) throws(StorageError) {
    guard let statements = session.statements else { return }
    try session.connection.execute("BEGIN IMMEDIATE", "begin a commit")
    if let uncounted { try statements.subtract(uncounted, &next) }
    if !batch.edits.isEmpty {
      let known = batch.edits.starts(with: doneEdits) ? doneEdits.count : 0
      var editor = try StateEditor(statements, session.connection)
      try editor.apply(batch.edits.dropFirst(known), &next)
    }
    if !batch.sweeps {
      try statements.write(batch.changes, &next)
    } else {
      var written: Set<Int64> = []
      try statements.write(batch.changes, &next) { written.insert($0) }
      var editor = try StateEditor(statements, session.connection)
      try editor.keepOnly(written, &next)
    }
    try statements.write(batch.apps, removing: batch.removedApps)
    try statements.write(batch.dailyHits, &next)
    try statements.pruneHistory(batch, &next)
    try statements.write(ids: batch, &next)
    try statements.write(batch.registrations)
    try statements.write(batch.choices)
    try statements.write(totals: batch.totals)
    try statements.write(batch.connections, closed: batch.closedConnections)
    try statements.deletePendingInput.run()

    if let secret = batch.idSecret { next.idSecret = secret }
    if batch.asksForWipe { next.wipeIsOwed = true }
    next.inputEnd = batch.logPosition
    attempts[attempts.count - 1].known = next
    var daemon = DaemonRecord(idSecret: next.idSecret)
    daemon.commitNumber = next.commitNumber
    daemon.halfLife = max(batch.halfLife, 1)
    daemon.clock = batch.clock
    daemon.logPosition = batch.logPosition
    daemon.nextConnection = batch.nextConnection
    daemon.arrivals = batch.arrivals
    daemon.wipeIsOwed = next.wipeIsOwed
    daemon.bind(to: statements.writeDaemon)
    try statements.writeDaemon.run()
    try session.connection.execute("COMMIT", "commit")
  }

  /// The connection, opened anew if it was dropped.
  func openedSession() throws(StorageError) -> Session {
    if let session { return session }
    try files.finishReplacement()
    try files.claim(files.database)
    let session = try Session(opening: files.path(of: files.database))
    let stored = try session.connection.integer("SELECT commit_number FROM daemon")
    if let attempt = attempts.first(where: { $0.known.commitNumber == stored }) {
      // What was not acknowledged is there. Its pages may never have reached the disk, whatever a sync says now:
      // moved into the database they are written anew.
      guard try !session.connection.checkpoint(truncates: true).wasBusy else {
        throw StorageError("open the state anew", message: "another process is reading it")
      }
      known = attempt.known
      (uncounted, doneEdits) = (attempt.changes, attempt.edits)
      isVacuumed = false
    } else if stored != known.commitNumber {
      throw StorageError(
        "open the state anew", kind: .damaged,
        message: "\(files.path(of: files.database)) is not what this process has written")
    }
    attempts = []
    try session.beginWriting()
    self.session = session
    return session
  }
}

extension Statements {
  /// The number of an action; nil if it is not stored.
  func number(app: [UInt8], action: [UInt8]) throws(StorageError) -> Int64? {
    findAction.bind(0, text: app)
    findAction.bind(1, text: action)
    return try findNumber()
  }

  /// The same with the ids where they lie.
  @inline(__always)
  func number(app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) throws(StorageError) -> Int64? {
    unsafe findAction.bind(0, lasting: app)
    unsafe findAction.bind(1, lasting: action)
    return try findNumber()
  }

  private func findNumber() throws(StorageError) -> Int64? {
    defer { findAction.reset() }
    return try findAction.step() ? findAction.integer(0) : nil
  }

  /// Adds uses of one action in one hour, or takes them away.
  func add(
    _ added: UInt64, to number: Int64, hour: Int64, subtracts: Bool, _ next: inout StateDatabase.Bookkeeping
  ) throws(StorageError) {
    findHour.bind(0, hour)
    findHour.bind(1, number)
    let isThere = try findHour.step()
    // What does not fit its checksum is no count.
    let before = isThere ? HourlyRecord(findHour)?.uses ?? 0 : 0
    findHour.reset()
    let uses: UInt64
    if subtracts {
      uses = before - min(before, added)
    } else {
      let (sum, overflow) = before.addingReportingOverflow(added)
      uses = overflow ? .max : sum
    }
    let statement = isThere ? updateHour : insertHour
    HourlyRecord(hour: hour, actionNumber: number, uses: uses).bind(to: statement)
    try statement.run()
    if !isThere { next.hourlyRows += 1 }
  }

  /// Drops the hourly rows and days that are too old or too many.
  func pruneHistory(_ batch: CommitBatch, _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    let step = StateDatabase.pruningStep
    try hours.prune(
      before: batch.oldestHour, to: batch.maxHistoryRows, most: step + batch.changes.uses.count,
      &next.hourlyRows)
    try days.prune(
      before: batch.oldestDay, to: batch.maxDailyRows, most: step + batch.dailyHits.count, &next.dailyRows)
  }

  /// Writes the ids of a batch, and drops those that are too many or too old.
  func write(ids batch: CommitBatch, _ next: inout StateDatabase.Bookkeeping) throws(StorageError) {
    let step = StateDatabase.pruningStep
    try rememberedIDs.write(batch.newIDs, &next.ids)
    try rememberedIDs.prune(
      before: batch.forgetIDsBefore, to: batch.maxIDs, most: step + batch.newIDs.count, &next.ids)
    try importedIDs.write(batch.newImportedIDs, &next.importedIDs)
    try importedIDs.prune(
      before: .min, to: batch.maxImportedIDs, most: step + batch.newImportedIDs.count, &next.importedIDs)
  }

  func write(_ changes: [RegistrationChange]) throws(StorageError) {
    for change in changes {
      switch change {
      case .set(let row):
        RegistrationRecord(row).bind(to: writeRegistration)
        try writeRegistration.run()
      case .remove(let app, let action):
        deleteRegistration.bind(0, text: app)
        deleteRegistration.bind(1, text: action)
        try deleteRegistration.run()
      }
    }
  }

  func write(_ choices: [ChoiceRow]) throws(StorageError) {
    for choice in choices {
      let statement = choice.isEmpty ? deleteChoice : writeChoice
      if choice.isEmpty {
        statement.bind(0, text: choice.app)
        statement.bind(1, text: choice.action)
      } else {
        ChoiceRecord(choice).bind(to: statement)
      }
      try statement.run()
    }
  }

  func write(totals: [(name: String, value: UInt64)]) throws(StorageError) {
    for total in totals {
      TotalRecord(name: total.name, value: total.value).bind(to: writeTotal)
      try writeTotal.run()
    }
  }

  /// Writes connections, and drops those that are gone; with nil all but those that are written.
  func write(_ connections: [ConnectionRow], closed: [UInt64]?) throws(StorageError) {
    for number in closed ?? [] {
      deleteConnection.bind(0, Int64(clamping: number))
      try deleteConnection.run()
    }
    if closed == nil { try deleteConnections.run() }
    for row in connections {
      ConnectionRecord(row).bind(to: writeConnection)
      try writeConnection.run()
    }
  }
}
