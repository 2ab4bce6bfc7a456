import Ranking

// What is deleted from a database stays elsewhere: in the log, in pages that were moved about, in the backup and in
// damaged files that were set aside. That a wipe is owed is stored with the very commit that forgets, so that neither a
// crash nor a failure can make it be forgotten itself.

extension StateDatabase {
  /// Whether something that was forgotten may still be in a file: each start, and each commit (after some
  /// failures one a minute), tries to wipe it.
  package var isWipeOwed: Bool { known.wipeIsOwed }

  /// Leaves nothing of what was forgotten in any file. What fails here is tried again after a later commit.
  ///
  /// - Parameter time: CLOCK_BOOTTIME, nanoseconds.
  /// - Complexity: O(size of the database), if there is anything to be done.
  func wipeIfOwed(at time: Int64) {
    guard isWipeOwed, wipeAttempts.isDue(at: time) else { return }
    do throws(StorageError) {
      try wipe()
      wipeError = nil
      wipeAttempts = WipeAttempts()
    } catch {
      wipeAttempts.failed(at: time)
      if session?.connection.isInTransaction == true { try? session?.connection.execute("ROLLBACK", "roll back") }
      wipeError = error
    }
  }

  private func wipe() throws(StorageError) {
    let connection = try openedSession().connection
    if !isVacuumed {
      try connection.execute("VACUUM", "wipe what was forgotten")
      isVacuumed = true
    }
    // Cuts the database to its new size, too: the pages behind it hold what was forgotten.
    try cutLog(connection)
    if try files.exists(files.backup) {
      do throws(StorageError) {
        try backUp(afterWipe: true)
      } catch {
        try files.removeDatabase(files.backup)
      }
    }
    try files.removeRemains()
    // With this in the log its cut is on the disk as well.
    try connection.endWipe()
    known.wipeIsOwed = false
    try? cutLog(connection)
  }

  private func cutLog(_ connection: Connection) throws(StorageError) {
    if try connection.checkpoint(truncates: true).wasBusy {
      throw StorageError("wipe what was forgotten", message: "another process is reading the state")
    }
  }
}

/// When a wipe that fails is tried again: it costs as much as the database is large.
struct WipeAttempts {
  /// How many may follow one another at once.
  private static let most = 3
  /// Nanoseconds between any more.
  private static let pause: Int64 = 60_000_000_000

  private var failures = 0
  private var latest: Int64 = 0

  func isDue(at time: Int64) -> Bool {
    failures < Self.most || time < latest || time >= latest.saturatingAdding(Self.pause)
  }

  mutating func failed(at time: Int64) {
    failures += 1
    latest = time
  }
}

extension Connection {
  /// The one row of `daemon`, which has to be sound.
  func daemonRecord(_ operation: String) throws(StorageError) -> DaemonRecord {
    let query = try prepare("SELECT * FROM daemon")
    guard try query.step(), let daemon = DaemonRecord(query) else {
      throw StorageError(operation, kind: .damaged, message: "the daemon's own row is damaged")
    }
    return daemon
  }

  /// Stores that no wipe is owed any more.
  func endWipe() throws(StorageError) {
    var daemon = try daemonRecord("finish the wipe")
    daemon.wipeIsOwed = false
    let write = try DaemonRecord.statement(in: self)
    daemon.bind(to: write)
    try write.run()
  }
}
