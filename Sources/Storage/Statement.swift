import CSQLite

/// A compiled statement: bound, stepped, and reset for the next time. Columns and parameters count from 0.
@safe
final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe _ = sqlite3_finalize(handle) }

  /// Steps to the next row; false at the end, where the statement resets itself.
  func step() throws(StorageError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      reset()
      return false
    default:
      let error = connection.lastError("read or write")
      reset()
      throw error
    }
  }

  /// Runs a statement that gives no rows.
  func run() throws(StorageError) { while try step() {} }

  /// Ends a run before its last row.
  func reset() { unsafe _ = sqlite3_reset(handle) }

  // Binding can fail by a wrong index or for want of memory only; a parameter that is then null breaks a NOT NULL
  // constraint and so the transaction.

  func bind(_ parameter: Int, _ value: Int64) { unsafe _ = sqlite3_bind_int64(handle, Int32(parameter) + 1, value) }

  func bind(_ parameter: Int, _ value: Int64?) {
    if let value { bind(parameter, value) } else { unsafe _ = sqlite3_bind_null(handle, Int32(parameter) + 1) }
  }

  func bind(_ parameter: Int, _ value: Double) { unsafe _ = sqlite3_bind_double(handle, Int32(parameter) + 1, value) }

  func bind(_ parameter: Int, _ value: Double?) {
    if let value { bind(parameter, value) } else { unsafe _ = sqlite3_bind_null(handle, Int32(parameter) + 1) }
  }

  func bind(_ parameter: Int, text: [UInt8]) {
    unsafe text.withUnsafeBytes {
      unsafe _ = csqlite_bind_text(handle, Int32(parameter) + 1, $0.baseAddress ?? Self.nothing, Int32($0.count))
    }
  }

  /// The same without a copy: the bytes stay where they are until the statement has run.
  func bind(_ parameter: Int, lasting text: UnsafeRawBufferPointer) {
    unsafe _ = csqlite_bind_lasting_text(
      handle, Int32(parameter) + 1, text.baseAddress ?? Self.nothing, Int32(text.count))
  }

  /// A blob, likewise.
  func bind(_ parameter: Int, lastingBlob blob: UnsafeRawBufferPointer) {
    unsafe _ = csqlite_bind_lasting_blob(
      handle, Int32(parameter) + 1, blob.baseAddress ?? Self.nothing, Int32(blob.count))
  }

  func bind(_ parameter: Int, blob: [UInt8]) {
    unsafe blob.withUnsafeBytes { unsafe bind(parameter, blob: $0) }
  }

  private func bind(_ parameter: Int, blob: UnsafeRawBufferPointer) {
    unsafe _ = csqlite_bind_blob(handle, Int32(parameter) + 1, blob.baseAddress ?? Self.nothing, Int32(blob.count))
  }

  /// Binds a blob of 32 bytes: four words, the least byte of each first.
  func bind(_ parameter: Int, words: SIMD4<UInt64>) {
    var words = words
    for place in 0..<4 { words[place] = words[place].littleEndian }
    unsafe withUnsafeBytes(of: words) { unsafe bind(parameter, blob: $0) }
  }

  /// An address for no bytes at all: a null pointer would bind NULL.
  nonisolated(unsafe) private static let nothing = unsafe UnsafeRawPointer(bitPattern: 1)
}

extension Statement: RowSource {
  /// The value of a column if it is of this type, valid until the next step. What it is and what it holds are read from it,
  /// as each look at a column is a call with locks and errors of its own; one thread uses the connection.
  @inline(__always)
  private func value(_ column: Int, _ type: Int32) -> OpaquePointer? {
    let value = unsafe sqlite3_column_value(handle, Int32(column))
    return unsafe sqlite3_value_type(value) == type ? value : nil
  }

  private func has(_ type: Int32, _ column: Int) -> Bool { unsafe value(column, type) != nil }

  @inline(__always)
  func isNull(_ column: Int) -> Bool { has(SQLITE_NULL, column) }

  @inline(__always)
  func integer(_ column: Int) -> Int64? { unsafe value(column, SQLITE_INTEGER).map { unsafe sqlite3_value_int64($0) } }

  @inline(__always)
  func real(_ column: Int) -> Double? { unsafe value(column, SQLITE_FLOAT).map { unsafe sqlite3_value_double($0) } }

  @inline(__always)
  func text(_ column: Int) -> [UInt8]? { unsafe value(column, SQLITE_TEXT).map { unsafe Array(rawBytes(of: $0)) } }

  @inline(__always)
  func blob(_ column: Int) -> [UInt8]? { unsafe value(column, SQLITE_BLOB).map { unsafe Array(rawBytes(of: $0)) } }

  /// What a text or blob holds, valid until the next step.
  @inline(__always)
  private func rawBytes(of value: OpaquePointer) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_value_blob(value)
    let count = unsafe Int(sqlite3_value_bytes(value))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// An id where it lies, valid until the next step.
  @inline(__always)
  func rawID(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let value = unsafe value(column, SQLITE_TEXT) else { return nil }
    let bytes = unsafe rawBytes(of: value)
    return unsafe isID(bytes) ? bytes : nil
  }

  @inline(__always)
  func words(_ column: Int) -> SIMD4<UInt64>? {
    guard let value = unsafe value(column, SQLITE_BLOB) else { return nil }
    let bytes = unsafe rawBytes(of: value)
    return unsafe SIMD4(littleEndian: bytes)
  }
}
