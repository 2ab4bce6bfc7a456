import Posix
import Ranking

/// The state on the disk: one SQLite database with one connection that writes.
///
/// Everything here may block, and is to be used from one thread. Every change is one transaction, on the disk when
/// ``commit(_:)`` returns. Other processes may read at the same time.
package final class StateDatabase {
  let files: StateFiles
  /// Nil after a failure that left it in doubt; the next commit opens it anew.
  var session: Session?
  /// What the database holds as far as was acknowledged.
  var known: Bookkeeping
  /// Commits on this connection that were not acknowledged: the last of them may be in the database all the same.
  var attempts: [Attempt] = []
  /// The number of the last one; each has its own.
  var lastAttempt: Int64 = 0
  /// Changes whose uses are in the database although their batch will be given again; nil if there are none.
  var uncounted: ActionChanges?
  /// Edits that are done in the database although their batch will be given again.
  var doneEdits: [StateEdit] = []
  /// How many commits have failed in a row.
  var failures = 0
  /// Why the write-ahead log could not be moved into the database the last time; nil if it could. No commit is
  /// less safe by that, but the log grows.
  package internal(set) var logError: StorageError?
  /// Why what was forgotten may still be in a file; nil unless ``isWipeOwed``.
  package internal(set) var wipeError: StorageError?
  /// Whether the wipe that is owed has only files left to do: the database itself holds nothing that was forgotten.
  var isVacuumed = false
  /// How the wipe that is owed has gone so far.
  var wipeAttempts = WipeAttempts()
  /// When the write-ahead log is moved into the database, and when more is done about it.
  var limits: LogLimits

  /// What has to be known of the tables to write to them.
  struct Bookkeeping {
    var commitNumber: Int64 = 0
    var nextActionNumber: Int64 = 0
    var hourlyRows = 0
    var dailyRows = 0
    /// The arrivals in `remembered_ids`: without gaps, the end exclusive.
    var ids: Range<Int64> = 0..<0
    /// The same for `imported_ids`.
    var importedIDs: Range<Int64> = 0..<0
    var idSecret: (UInt64, UInt64)
    var wipeIsOwed = false
    /// Up to where the intake log is in the database, as what it has changed or as what has come in; nil if nobody knows.
    var inputEnd: LogPosition?
  }

  /// A commit that is not acknowledged yet.
  struct Attempt {
    /// What is known if it is in the database.
    var known: Bookkeeping
    /// What it adds.
    var changes: ActionChanges
    var edits: [StateEdit]
  }

  /// Bounds of the write-ahead log, in pages of 4 KiB.
  struct LogLimits {
    /// From here on it is copied into the database after each commit.
    var checkpoint = 1_000
    /// From here on it is cut to nothing as soon as no reader is in the way.
    var truncate = 4_000
    /// From here on the database is copied to a new file: a reader that has not ended for long keeps the old one.
    var replace = 65_536
  }

  init(files: consuming StateFiles, session: Session?, known: Bookkeeping, limits: LogLimits = LogLimits()) {
    self.files = files
    self.session = session
    self.known = known
    self.limits = limits
  }

  /// When the backup was made, nanoseconds of wall time; nil if there is none.
  package var lastBackup: Int64? {
    do { return try files.directory.modificationTime(of: files.backup) } catch { return nil }
  }

  /// Frees what is kept in memory only to be faster, up to 4 MiB.
  package func giveMemoryBack() { session?.connection.releaseMemory() }

  /// Moves everything into `state.db` and closes it: no other file of SQLite's stays, unless a reader is there.
  package func close() throws(StorageError) {
    guard let session else { return }
    self.session = nil
    session.statements = nil
    _ = try session.connection.checkpoint(truncates: true)
  }
}

/// An open connection with its compiled statements.
final class Session {
  let connection: Connection
  var statements: Statements?
  /// What looks through the database while it is read; nil where that was done before.
  var inspection: Inspection?
  /// What is known of what is not read.
  var findings = Inspection.Findings()
  /// Which file it writes to; nil until the first commit.
  var file: FileIdentity?

  /// Opens a database that is there and prepares it for this program. Closing leaves the log alone until
  /// ``beginWriting()``.
  ///
  /// - Parameter alone: whether no other process may look at the same time; then it needs no room on the disk.
  init(opening path: String, alone: Bool = false) throws(StorageError) {
    connection = try Connection(opening: path)
    connection.keepLogOnClose(true)
    if alone { try connection.execute("PRAGMA locking_mode = EXCLUSIVE", "prepare the state") }
    try connection.execute(
      """
      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
      PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -4096;
      PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216
      """, "prepare the state")
  }

  deinit { statements = nil }

  /// Compiles what commits need.
  func beginWriting() throws(StorageError) {
    // A backup that a person has put in the place of the state is not in this mode yet.
    try connection.execute("PRAGMA journal_mode = WAL", "prepare the state")
    connection.watchLog()
    connection.keepLogOnClose(false)
    statements = try Statements(connection)
  }
}
