import CSQLite

/// An open SQLite database, closed when the last statement and the last reference to it are gone.
@safe
final class Connection {
  private let handle: OpaquePointer
  private let path: String
  /// How many pages the write-ahead log held after the last commit.
  private let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  private var goesOn: () -> Bool = { true }

  /// Whether a database may be written to.
  enum Access { case readWrite, readOnly }

  /// How long to wait for a lock that another process holds, milliseconds. People look for much longer, but never
  /// hold a lock that a commit needs.
  private static let patience: Int32 = 100

  /// Opens a database that is there already; ":memory:" is one, too. The corresponding C function is
  /// `sqlite3_open_v2`.
  init(opening path: String, _ access: Access = .readWrite) throws(StorageError) {
    self.path = path
    var opened: OpaquePointer?
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    // Used by one thread at a time, so SQLite needs no locks of its own.
    let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe String(cString: sqlite3_errstr(code))
      let systemCode = unsafe opened.map { unsafe sqlite3_system_errno($0) } ?? 0
      unsafe _ = sqlite3_close_v2(opened)
      throw StorageError("open \(path)", code: code, systemCode: systemCode, message: message)
    }
    unsafe handle = opened
    unsafe logPages.initialize(to: 0)
    unsafe _ = sqlite3_busy_timeout(opened, Self.patience)
  }

  deinit {
    unsafe _ = sqlite3_close_v2(handle)
    unsafe logPages.deallocate()
  }

  /// How many pages the write-ahead log held after the last commit; counted from the first call of
  /// ``watchLog()`` on.
  var pagesInLog: Int { unsafe Int(logPages.pointee) }

  /// Begins to count the pages of the log. The corresponding C function is `sqlite3_wal_hook`, which also ends
  /// SQLite's own checkpoints.
  func watchLog() {
    unsafe _ = sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logPages)
  }

  /// So many steps of SQLite's machine lie between two signs of progress: reading a row of the widest table takes some 20,
  /// checking it three times as many.
  private static let stepsToReport: Int32 = 500_000

  /// Has `goesOn` called now and then while a statement goes on; if it says no, the statement fails. The corresponding C
  /// function is `sqlite3_progress_handler`.
  func report(_ goesOn: @escaping () -> Bool) {
    self.goesOn = goesOn
    unsafe sqlite3_progress_handler(
      handle, Self.stepsToReport,
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends what ``report(_:)`` began.
  func endReports() {
    goesOn = { true }
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
  }

  /// Runs one or more statements whose rows are of no interest. The corresponding C function is `sqlite3_exec`.
  func execute(_ sql: String, _ operation: String) throws(StorageError) {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError(operation) }
  }

  /// Frees what is kept in memory only to be faster. The corresponding C function is `sqlite3_db_release_memory`.
  func releaseMemory() { unsafe _ = sqlite3_db_release_memory(handle) }

  /// How long the database's file is, bytes; 0 if that is not to be found out.
  var fileSize: Int { unsafe Int(csqlite_file_size(handle)) }

  /// Some bytes of the database's file, not of its log; nil if there are not so many, or they can't be read. They are read
  /// by the descriptor that SQLite has open: closing another one would drop SQLite's locks.
  func fileBytes(count: Int, at offset: Int) -> ArraySlice<UInt8>? {
    var code = SQLITE_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe code = csqlite_read(handle, buffer.baseAddress, Int32(count), Int64(offset))
      initialized = code == SQLITE_OK ? count : 0
    }
    return code == SQLITE_OK ? bytes[...] : nil
  }

  /// Compiles one statement that is used many times. The corresponding C function is `sqlite3_prepare_v3`.
  func prepare(_ sql: String) throws(StorageError) -> Statement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw lastError("prepare a query") }
    return unsafe Statement(statement, of: self)
  }

  /// The first column of a query's first row; nil if there is none or it is no integer.
  func integer(_ sql: String) throws(StorageError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of all of a query's rows, as text.
  func texts(_ sql: String) throws(StorageError) -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(String(decoding: statement.text(0) ?? [], as: UTF8.self)) }
    return texts
  }

  /// What the last call on this connection failed with.
  func lastError(_ operation: String) -> StorageError {
    unsafe StorageError(
      "\(operation) in \(path)", code: sqlite3_extended_errcode(handle), systemCode: sqlite3_system_errno(handle),
      message: String(cString: sqlite3_errmsg(handle)))
  }

  /// How many rows the last statement that inserts, updates or deletes has changed.
  var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Whether closing leaves the write-ahead log as it is, rather than move it into the database.
  func keepLogOnClose(_ keeps: Bool) { unsafe _ = csqlite_no_checkpoint_on_close(handle, keeps ? 1 : 0) }

  /// How a checkpoint went.
  struct Checkpoint {
    /// Frames in the write-ahead log.
    var frames: Int
    /// Whether a reader or writer kept it from being complete.
    var wasBusy: Bool
  }

  /// Copies the write-ahead log into the database; with `truncates` also empties it, which no reader may be using.
  ///
  /// The corresponding C function is `sqlite3_wal_checkpoint_v2`.
  func checkpoint(truncates: Bool) throws(StorageError) -> Checkpoint {
    var (frames, copied): (Int32, Int32) = (0, 0)
    let mode = truncates ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &copied)
    if code == SQLITE_OK { return Checkpoint(frames: Int(max(frames, 0)), wasBusy: copied < frames) }
    if code & 0xff == SQLITE_BUSY { return Checkpoint(frames: Int(max(frames, 0)), wasBusy: true) }
    throw lastError("move the log")
  }

  /// Copies the whole database, as it is at this moment, into another one. The corresponding C functions are
  /// `sqlite3_backup_init`, `_step` and `_finish`.
  func copy(to other: Connection) throws(StorageError) {
    guard let backup = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw other.lastError("copy")
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let finished = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      let failure = code == SQLITE_DONE ? finished : code
      throw StorageError(
        "copy to \(other.path)", code: failure, systemCode: unsafe sqlite3_system_errno(other.handle),
        message: unsafe String(cString: sqlite3_errstr(failure)))
    }
  }
}
