import Posix

/// The first 100 bytes of a database file, looked at before SQLite is.
///
/// SQLite takes some damage here for a wish: another page size, a read-only format, an empty database. (The numbers are
/// those of https://www.sqlite.org/fileformat2.html, section 1.3.)
enum DatabaseHeader {
  /// Bytes in a page: every database of ours has this size.
  static let pageSize = 4096

  private static let magic = Array("SQLite format 3\0".utf8)

  /// What is wrong with the database's header or its log; nil if nothing is seen.
  static func problem(of files: borrowing StateFiles) throws(StorageError) -> String? {
    let header = try storing { () throws(SystemError) in
      try files.directory.openToRead(files.database).contents(count: pageSize)
    }
    if let problem = problem(in: header) { return problem }
    return WriteAheadLog(try files.contents(of: files.log)).problem
  }

  /// What is wrong with a header; nil if it is one of ours.
  static func problem(in header: [UInt8]) -> String? {
    if header.isEmpty { return "it is empty" }
    if header.allSatisfy({ $0 == 0 }) { return "it holds nothing but zeros" }
    guard header.count >= pageSize, header.starts(with: magic) else { return "it is not a database" }
    // Page size, reserved bytes, payload fractions; schema format, auto-vacuum, encoding, incremental vacuum.
    let fixed: [(offset: Int, bytes: [UInt8])] = [
      (16, [0x10, 0x00]), (20, [0, 64, 32, 32]), (44, [0, 0, 0, 4]), (52, [0, 0, 0, 0]), (56, [0, 0, 0, 1]),
      (64, [0, 0, 0, 0]),
    ]
    for (offset, bytes) in fixed where !header[offset...].starts(with: bytes) { return "its header is damaged" }
    // 2 with a write-ahead log, 1 without: a backup.
    guard header[18] == header[19], [1, 2].contains(header[18]) else { return "its header is damaged" }
    if bigEndian(header, 68) != UInt32(bitPattern: Schema.applicationID) {
      return "it is not a database of this daemon"
    }
    return nil
  }

  static func bigEndian(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
