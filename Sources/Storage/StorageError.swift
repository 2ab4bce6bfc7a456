import CSQLite
import Posix

/// Why the state could not be read or written.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is, where more is known than the codes say.
  package enum Kind: Equatable, Sendable {
    /// A call of SQLite or of the system failed.
    case call
    /// The file was written by a later version of this program.
    case newerSchema
    /// Something else than a file has the state's name.
    case notAFile
    /// The file is not what this process left: nothing can be written to it until it is opened anew.
    case damaged
  }

  package let kind: Kind
  /// What was being done, as it follows "cannot".
  package let operation: String
  /// SQLite's extended result code, 0 if it was not SQLite that failed.
  package let code: Int32
  /// The system's error number, 0 if there was none.
  package let systemCode: Int32
  /// The reason in words.
  package let message: String

  init(_ operation: String, kind: Kind = .call, code: Int32 = 0, systemCode: Int32 = 0, message: String) {
    self.operation = operation
    self.kind = kind
    self.code = code
    self.systemCode = systemCode
    self.message = message
  }

  /// Nothing can be read at this moment, and nothing is wrong with the state for that.
  package static func notReadable(because reason: String) -> StorageError {
    StorageError("read the state", message: reason)
  }

  init(_ error: SystemError) {
    self.init(
      error.subject.isEmpty ? error.operation : "\(error.operation) \(error.subject)", systemCode: error.code,
      message: error.reason)
  }

  package var description: String {
    // "disk I/O error" is all that SQLite says of a call that failed.
    let hasWords = primaryCode == SQLITE_IOERR || primaryCode == SQLITE_CANTOPEN
    let reason = hasWords ? system.map { " (\($0.reason))" } ?? "" : ""
    return "cannot \(operation): \(message)\(reason)"
  }

  private var primaryCode: Int32 { code & 0xff }
  private var system: SystemError? { systemCode == 0 ? nil : SystemError(operation, code: systemCode) }

  /// Whether a later version of this program wrote the file.
  package var isNewerSchema: Bool { kind == .newerSchema }
  /// Whether the file system does not let this process in, or has something else than a file there.
  package var isForbidden: Bool {
    if kind == .notAFile || system?.isForbidden == true { return true }
    return [SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH].contains(primaryCode)
      || primaryCode == SQLITE_CANTOPEN && systemCode == 0
  }
  /// Whether there is no room on the disk.
  package var isFull: Bool { primaryCode == SQLITE_FULL || system?.isFull == true }
  /// Whether the file was damaged while it was open: open the database anew, which recovers what can be, and give
  /// every action in the next batch.
  package var isDamaged: Bool {
    kind == .damaged || primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
  }
}

/// Runs what may throw an error of the system, and throws it as one of the storage.
func storing<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(StorageError) -> Result {
  do { return try body() } catch { throw StorageError(error) }
}
