/// How the state was found at start.
package enum OpeningReport: Equatable, Sendable {
  /// There was none, and no backup: a new one was made.
  case created
  case opened
  /// It was damaged or missing.
  case recovered(RecoveryReport)
}

extension StateDatabase {
  /// Opens the state in a folder, which must be there; makes it if there is none, and recovers what can be recovered
  /// if it is damaged. Does the wipe that is owed, if there is one.
  ///
  /// - Parameters:
  ///   - now: wall time, nanoseconds, to name a damaged file by.
  ///   - receiver: takes over what is stored; nil if that is known.
  /// - Throws: ``StorageError``: `isNewerSchema` and `isForbidden` do not pass by themselves. The state is then left as
  ///   it was.
  /// - Complexity: O(size of the database).
  package static func open(
    directory: String, now: Int64, receiver: (any StateReceiver)?
  ) throws(StorageError) -> (StateDatabase, OpeningReport) {
    let (database, report) = try openUnwiped(directory, now: now, receiver)
    guard database.isWipeOwed else { return (database, report) }
    // No commit has said yet what time it is.
    database.wipeIfOwed(at: .min)
    guard !database.isWipeOwed, case .recovered(var recovery) = report else { return (database, report) }
    recovery.setAside = nil
    return (database, .recovered(recovery))
  }

  private static func openUnwiped(
    _ directory: String, now: Int64, _ receiver: (any StateReceiver)?
  ) throws(StorageError) -> (StateDatabase, OpeningReport) {
    let files = try StateFiles(in: directory)
    try files.finishReplacement()
    try files.removeDatabase(files.building)
    try files.removeDatabase(files.newBackup)
    guard try files.exists(files.database) else {
      guard try files.exists(files.backup) else { return try create(files, receiver) }
      return try recover(files, problem: "it is missing", now: now, receiver: receiver)
    }
    try files.claim(files.database)
    if try files.exists(files.log) { try files.claim(files.log) }
    do throws(OpeningFailure) {
      let (session, known) = try openChecked(files, receiver)
      return (StateDatabase(files: files, session: session, known: known), .opened)
    } catch {
      switch error {
      case .error(let error): throw error
      case .damage(let problem): return try recover(files, problem: problem, now: now, receiver: receiver)
      }
    }
  }

  /// Opens a state that is there, if it is sound.
  static func openChecked(
    _ files: borrowing StateFiles, _ receiver: (any StateReceiver)?
  ) throws(OpeningFailure) -> (Session?, Bookkeeping) {
    let problem: String?
    do throws(StorageError) { problem = try DatabaseHeader.problem(of: files) } catch { throw .error(error) }
    if let problem { throw .damage(problem) }
    do throws(OpeningFailure) {
      let session = try Session(checking: files.path(of: files.database), progress: receiver)
      let known = try session.load(into: receiver) { () throws(StorageError) in
        try files.contents(of: files.log, atMost: TableReader.longestLog)
      }
      do throws(StorageError) { try session.beginWriting() } catch { throw .error(error) }
      return (session, known)
    } catch {
      // The index of the log does not fit on a full disk. The state can be read all the same; the first commit that
      // finds room opens it anew.
      guard case .error(let reason) = error, reason.isFull else { throw error }
      return (nil, try Session(checking: files.path(of: files.database), alone: true).load(into: receiver))
    }
  }

  private static func create(
    _ files: consuming StateFiles, _ receiver: (any StateReceiver)?
  ) throws(StorageError) -> (StateDatabase, OpeningReport) {
    var random = SystemRandomNumberGenerator()
    var daemon = DaemonRecord(idSecret: (random.next(), random.next()))
    daemon.logPosition = LogPosition.none
    try build(files, daemon: daemon) { _ throws(StorageError) in }
    return (try reopen(files, receiver), .created)
  }

  /// Opens what was just built, which is sound.
  static func reopen(
    _ files: consuming StateFiles, _ receiver: (any StateReceiver)?
  ) throws(StorageError) -> StateDatabase {
    do throws(OpeningFailure) {
      let (session, known) = try openChecked(files, receiver)
      return StateDatabase(files: files, session: session, known: known)
    } catch {
      switch error {
      case .error(let error): throw error
      case .damage(let problem):
        throw StorageError(
          "make a new state", kind: .damaged, message: "what was written does not read back: \(problem)")
      }
    }
  }

  /// Builds a whole new database and puts it in the place of the state.
  static func build(
    _ files: borrowing StateFiles, daemon: DaemonRecord, fill: (Statements) throws(StorageError) -> Void,
    beforeReplacing: (borrowing StateFiles) throws(StorageError) -> Void = { _ throws(StorageError) in }
  ) throws(StorageError) {
    let name = files.building
    try files.createAnew(name)
    do throws(StorageError) {
      let session = try Session(opening: files.path(of: name))
      let operation = "make a new state"
      try session.connection.execute(
        "PRAGMA page_size = \(DatabaseHeader.pageSize); PRAGMA journal_mode = WAL", operation)
      try Schema.migrate(session.connection, from: 0)
      try session.beginWriting()
      guard let statements = session.statements else { return }
      try session.connection.execute("BEGIN IMMEDIATE", operation)
      try fill(statements)
      daemon.bind(to: statements.writeDaemon)
      try statements.writeDaemon.run()
      try session.connection.execute("COMMIT", operation)
      session.statements = nil
      _ = try session.connection.checkpoint(truncates: true)
    } catch {
      try? files.removeDatabase(name)
      throw error
    }
    for suffix in ["-wal", "-shm", "-journal"] { try files.remove(name + suffix) }
    try beforeReplacing(files)
    try files.publish(name, as: files.built)
    try files.finishReplacement()
  }
}
