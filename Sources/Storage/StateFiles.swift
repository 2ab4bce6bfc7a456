import Posix

/// The files of the state, by their names in its folder.
///
/// A new database never grows under its final name: it is built as `state.db.recovering`, becomes
/// `state.db.recovered` when it is whole and on the disk, and from then on stands for the state, whatever lies at
/// `state.db`. So a crash between any two steps leaves the old state or the new one.
struct StateFiles: ~Copyable {
  let directory: Directory
  /// The database: `state.db`, or what a link of that name leads to.
  let database: String

  /// How many damaged files are kept at most.
  private static let mostDamaged = 5

  /// - Throws: if there is anything but a file, or if it may not be read and written.
  init(in path: String) throws(StorageError) {
    let path = path.hasPrefix("/") ? path : "./" + path
    let folder = try storing { () throws(SystemError) in try Directory(opening: path) }
    let name = "state.db"
    let resolved: String?
    do throws(SystemError) { resolved = try folder.realPath(of: name) } catch {
      throw error.isMissing
        ? StorageError(
          "use \(folder.path(of: name)) as the state", kind: .notAFile, message: "it is a link that leads nowhere")
        : StorageError(error)
    }
    let isLink = try storing { () throws(SystemError) in try folder.kind(of: name) } == .link
    if isLink, let resolved, let slash = resolved.lastIndex(of: "/") {
      let parent = slash == resolved.startIndex ? "/" : String(resolved[..<slash])
      directory = try storing { () throws(SystemError) in try Directory(opening: parent) }
      database = String(resolved[resolved.index(after: slash)...])
    } else {
      directory = folder
      database = name
    }
  }

  var log: String { database + "-wal" }
  var index: String { database + "-shm" }
  var backup: String { database + ".backup" }
  var newBackup: String { database + ".backup.new" }
  var building: String { database + ".recovering" }
  var built: String { database + ".recovered" }

  func path(of name: String) -> String { directory.path(of: name) }

  func exists(_ name: String) throws(StorageError) -> Bool {
    try storing { () throws(SystemError) in try directory.kind(of: name) } != nil
  }

  func remove(_ name: String) throws(StorageError) {
    try storing { () throws(SystemError) in try directory.remove(name) }
  }

  /// Removes a database with all that SQLite puts beside one.
  func removeDatabase(_ name: String) throws(StorageError) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try remove(name + suffix) }
  }

  /// Makes an empty private file in the place of whatever has this name.
  func createAnew(_ name: String) throws(StorageError) {
    try removeDatabase(name)
    try storing { () throws(SystemError) in try directory.createPrivateFile(name) }
  }

  /// Waits until a file is on the disk, and renames it.
  func publish(_ name: String, as newName: String) throws(StorageError) {
    try storing { () throws(SystemError) in
      try directory.openToRead(name).synchronize()
      try directory.rename(name, to: newName)
      try directory.synchronize()
    }
  }

  /// Makes sure that a file is one that can be read and written, and by nobody else.
  func claim(_ name: String) throws(StorageError) {
    let file = try storing { () throws(SystemError) in try directory.openToUpdate(name) }
    guard try storing({ () throws(SystemError) in try file.regularSize() }) != nil else {
      throw StorageError(
        "use \(path(of: name)) as the state", kind: .notAFile, message: "it is not a regular file")
    }
    // Another owner's file cannot be changed in its mode, but works.
    try? file.setMode(0o600)
  }

  /// All of a file's bytes; empty if it is not there.
  func contents(of name: String) throws(StorageError) -> [UInt8] { try contents(of: name, atMost: .max) ?? [] }

  /// The same of a file that has no more bytes than this; nil if it has.
  func contents(of name: String, atMost limit: Int) throws(StorageError) -> [UInt8]? {
    guard try exists(name) else { return [] }
    return try storing { () throws(SystemError) in
      let file = try directory.openToRead(name)
      guard let size = try file.regularSize() else { return [] }
      return size <= limit ? try file.contents(count: size) : nil
    }
  }

  /// Puts a database that was built whole in the place of the old one, if there is such a one.
  func finishReplacement() throws(StorageError) {
    guard try exists(built) else { return }
    // The old log must be gone before the new database has its name: SQLite would apply it.
    try remove(log)
    try remove(index)
    try remove(database + "-journal")
    try storing { () throws(SystemError) in
      try directory.rename(built, to: database)
      try directory.synchronize()
    }
  }

  /// Keeps the damaged database and its log under other names as well, for a person to look at.
  ///
  /// - Parameter time: wall time, nanoseconds.
  /// - Returns: the name that the database was kept as; nil if there is none.
  func setAside(at time: Int64) throws(StorageError) -> String? {
    guard try exists(database) else { return nil }
    var name = "\(damagedPrefix)\(time / 1_000_000_000)"
    var attempt = 1
    while try exists(name) {
      attempt += 1
      name = "\(damagedPrefix)\(time / 1_000_000_000)-\(attempt)"
    }
    try keep(database, as: name)
    if try exists(log) { try keep(log, as: name + "-wal") }
    try storing { () throws(SystemError) in try directory.synchronize() }
    try removeOldDamaged()
    return name
  }

  private func keep(_ name: String, as newName: String) throws(StorageError) {
    do throws(SystemError) {
      try directory.link(name, to: newName)
    } catch {
      // A file system without hard links.
      try storing { () throws(SystemError) in try directory.rename(name, to: newName) }
    }
  }

  /// Removes every file beside the state that may hold what is not in it any more, but for the backup; on the disk when
  /// this returns.
  func removeRemains() throws(StorageError) {
    try removeDatabase(building)
    try removeDatabase(newBackup)
    for suffix in ["-wal", "-shm", "-journal"] { try remove(backup + suffix) }
    try remove(database + "-journal")
    for name in try storing({ () throws(SystemError) in try directory.names() }) where name.hasPrefix(damagedPrefix) {
      try remove(name)
    }
    try storing { () throws(SystemError) in try directory.synchronize() }
  }

  private var damagedPrefix: String { database + ".damaged-" }

  private func removeOldDamaged() throws(StorageError) {
    let prefix = damagedPrefix
    let names = try storing { () throws(SystemError) in try directory.names() }
    let damaged = names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    // The time leads, so the longer number is the later one; an attempt follows after a dash.
    let oldestFirst = damaged.sorted { Self.order($0.dropFirst(prefix.count)) < Self.order($1.dropFirst(prefix.count)) }
    for name in oldestFirst.dropLast(Self.mostDamaged) { try removeDatabase(name) }
  }

  private static func order(_ suffix: Substring) -> (Int64, Int64) {
    let parts = suffix.split(separator: "-")
    return (parts.first.flatMap { Int64($0) } ?? 0, parts.dropFirst().first.flatMap { Int64($0) } ?? 0)
  }
}
