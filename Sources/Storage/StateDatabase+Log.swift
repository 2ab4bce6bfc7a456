extension StateDatabase {
  /// Keeps the write-ahead log in its bounds. What fails here costs room and time, but nothing that was committed.
  func boundLog() {
    guard let session, session.connection.pagesInLog >= limits.checkpoint else { return }
    do throws(StorageError) {
      let pages = session.connection.pagesInLog
      let checkpoint = try session.connection.checkpoint(truncates: pages >= limits.truncate)
      if checkpoint.wasBusy, pages >= limits.replace { try moveToNewFile() }
      logError = nil
    } catch {
      logError = error
    }
  }

  /// Goes on with a copy in a new file, and leaves the old one with its log to the readers that hold it.
  ///
  /// A reader that does not end its transaction (a person who typed BEGIN and went home) keeps the log from ever being
  /// used anew; nothing else bounds it.
  ///
  /// - Complexity: O(size of the database).
  private func moveToNewFile() throws(StorageError) {
    guard let session else { return }
    try copy(session.connection, to: files.building)
    try files.publish(files.building, as: files.built)
    dropSession()
    try files.finishReplacement()
  }

  /// Writes a database to a new file of its own, under a name that nobody opens.
  private func copy(_ connection: Connection, to name: String) throws(StorageError) {
    try files.createAnew(name)
    try connection.copy(to: Connection(opening: files.path(of: name)))
  }

  /// Writes `state.db.backup`: a whole database in one file. The one before it stays until the new one is known to be
  /// sound and is on the disk.
  ///
  /// - Complexity: O(size of the database).
  package func backUp() throws(StorageError) { try backUp(afterWipe: false) }

  /// - Parameter afterWipe: whether the backup owes no wipe, although the state itself still does.
  func backUp(afterWipe: Bool) throws(StorageError) {
    let session = try openedSession()
    let name = files.newBackup
    do throws(StorageError) {
      try copy(session.connection, to: name)
      // One file without a log, so that it can be moved about and read in a folder that is read-only.
      let copied = try Connection(opening: files.path(of: name))
      try copied.execute("PRAGMA journal_mode = DELETE", "finish the backup")
      if afterWipe { try copied.endWipe() }
      do throws(OpeningFailure) {
        _ = try Session(checking: files.path(of: name)).load(into: nil)
      } catch {
        switch error {
        case .error(let error): throw error
        case .damage(let problem):
          throw StorageError(
            "back up the state", kind: .damaged, message: "the copy is damaged, and so the state may be: \(problem)")
        }
      }
      try files.publish(name, as: files.backup)
    } catch {
      try? files.removeDatabase(name)
      throw error
    }
  }
}
