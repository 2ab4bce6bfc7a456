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
  /// - Parameter now: wall time, nanoseconds, to name a damaged file by.
  /// - Throws: ``StorageError``: `isNewerSchema` and `isForbidden` do not pass by themselves. The state is then left as
  ///   it was.
  /// - Complexity: O(size of the database).
  package static func open(
    directory: String, now: Int64
  ) throws(StorageError) -> (StateDatabase, StoredState, OpeningReport) {
    let (database, state, report) = try openUnwiped(directory, now: now)
    guard database.isWipeOwed else { return (database, state, report) }
    // No commit has said yet what time it is.
    database.wipeIfOwed(at: .min)
    guard !database.isWipeOwed, case .recovered(var recovery) = report else { return (database, state, report) }
    recovery.setAside = nil
    return (database, state, .recovered(recovery))
  }

  private static func openUnwiped(
    _ directory: String, now: Int64
  ) throws(StorageError) -> (StateDatabase, StoredState, OpeningReport) {
    let files = try StateFiles(in: directory)
    try files.finishReplacement()
    try files.removeDatabase(files.building)
    try files.removeDatabase(files.newBackup)
    guard try files.exists(files.database) else {
      guard try files.exists(files.backup) else { return try create(files) }
      return try recover(files, problem: "it is missing", now: now)
    }
    try files.claim(files.database)
    if try files.exists(files.log) { try files.claim(files.log) }
    do throws(OpeningFailure) {
      let (session, loaded) = try openChecked(files)
      return (StateDatabase(files: files, session: session, known: loaded.known), loaded.state, .opened)
    } catch {
      switch error {
      case .error(let error): throw error
      case .damage(let problem): return try recover(files, problem: problem, now: now)
      }
    }
  }

  /// Opens a state that is there, if it is sound.
  static func openChecked(_ files: borrowing StateFiles) throws(OpeningFailure) -> (Session?, Loaded) {
    let problem: String?
    do throws(StorageError) { problem = try DatabaseHeader.problem(of: files) } catch { throw .error(error) }
    if let problem { throw .damage(problem) }
    do throws(OpeningFailure) {
      let session = try Session(checking: files.path(of: files.database))
      let loaded = try session.load()
      do throws(StorageError) { try session.beginWriting() } catch { throw .error(error) }
      return (session, loaded)
    } catch {
      // The index of the log does not fit on a full disk. The state can be read all the same; the first commit that
      // finds room opens it anew.
      guard case .error(let reason) = error, reason.isFull else { throw error }
      return (nil, try Session(checking: files.path(of: files.database), alone: true).load())
    }
  }

  private static func create(
    _ files: consuming StateFiles
  ) throws(StorageError) -> (StateDatabase, StoredState, OpeningReport) {
    var random = SystemRandomNumberGenerator()
    var daemon = DaemonRecord(idSecret: (random.next(), random.next()))
    daemon.logPosition = LogPosition.none
    try build(files, daemon: daemon) { _ throws(StorageError) in }
    let (database, state) = try reopen(files)
    return (database, state, .created)
  }

  /// Opens what was just built, which is sound.
  static func reopen(_ files: consuming StateFiles) throws(StorageError) -> (StateDatabase, StoredState) {
    do throws(OpeningFailure) {
      let (session, loaded) = try openChecked(files)
      return (StateDatabase(files: files, session: session, known: loaded.known), loaded.state)
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
