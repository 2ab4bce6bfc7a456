// The whole of Glibc: `stat` is the name of a function and of a struct, and an import by name takes neither.
private import Glibc

/// Reads small files and lists folders without ever waiting for a writer.
enum FileContents {
  /// The largest settings file, in bytes.
  static let limit = 1 << 20

  /// The bytes of a regular file; `/dev/null` counts as an empty one, as it does for systemd's drop-ins.
  ///
  /// - Parameter path: The path, without the NUL at its end.
  /// - Returns: At most `limit` bytes.
  /// - Throws: ``SettingsFault``; `missing` if there is nothing at the path.
  static func read(_ path: [UInt8]) throws(SettingsFault) -> [UInt8] {
    // O_NONBLOCK: without it the open of a pipe waits for its writer.
    let path = path.map { CChar(bitPattern: $0) } + [0]
    let file = retrying { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard file.result >= 0 else { throw reason(path, openFailedWith: file.errno) }
    defer { _ = close(file.result) }

    var status = stat()
    let examined = retrying { unsafe fstat(file.result, &status) }
    guard examined.result == 0 else { throw .system(.examine, errno: examined.errno) }
    if status.isNullDevice { return [] }
    if let kind = status.kindUnlessRegular { throw .notAFile(kind) }
    return try readAll(file.result)
  }

  /// The names in a folder, as bytes and in no order; nothing if there is no such folder.
  ///
  /// - Throws: ``SettingsFault``.
  static func names(in path: [UInt8]) throws(SettingsFault) -> [[UInt8]] {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    guard let folder = unsafe opendir(path) else {
      let error = errno
      switch error {
      case ENOENT: return []
      case ENOTDIR: throw .notAFolder
      default: throw .system(.list, errno: error)
      }
    }
    defer { unsafe closedir(folder) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else {
        let error = errno
        if error != 0 { throw .system(.list, errno: error) }
        return names
      }
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        let start = unsafe UnsafeRawPointer(name)
        let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
        unsafe names.append(Array(UnsafeRawBufferPointer(start: start, count: Int(length))))
      }
    }
  }

  private static func readAll(_ file: CInt) throws(SettingsFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let part = retrying { unsafe Glibc.read(file, &buffer, buffer.count) }
      guard part.result >= 0 else { throw .system(.read, errno: part.errno) }
      if part.result == 0 { return bytes }
      bytes += buffer.prefix(part.result)
      if bytes.count > limit { throw .tooLarge(limit: limit) }
    }
  }

  private static func reason(_ path: [CChar], openFailedWith error: CInt) -> SettingsFault {
    var status = stat()
    switch error {
    case ENOENT: return unsafe lstat(path, &status) == 0 ? .danglingLink : .missing
    case ENXIO, ENODEV:  // What a socket, or a device without a driver, answers.
      if unsafe stat(path, &status) == 0, let kind = status.kindUnlessRegular { return .notAFile(kind) }
      fallthrough
    default: return .system(.open, errno: error)
    }
  }

  /// Calls again what a signal interrupted, and takes errno with the result.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> (result: Result, errno: CInt) {
    while true {
      let result = call()
      let error = errno
      if result != -1 || error != EINTR { return (result, error) }
    }
  }
}

extension stat {
  fileprivate var isNullDevice: Bool { kindUnlessRegular == .device && st_rdev == 1 << 8 | 3 }

  fileprivate var kindUnlessRegular: FileKind? {
    switch st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: .folder
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    default: .device
    }
  }
}
