private import CPosix
import Glibc

/// Reads small files that somebody else may have put there, without ever waiting for a writer.
package enum RegularFile {
  /// Why a file was not read.
  package enum Failure: Error, Equatable, Sendable {
    /// There is nothing at the path.
    case missing
    /// A link to nothing.
    case danglingLink
    /// Something other than a regular file.
    case notRegular(FileKind)
    /// More bytes than were allowed.
    case tooLarge(limit: Int)
    /// A call failed: "open", "examine" or "read".
    case system(SystemError)
  }

  /// The bytes of a regular file, links followed; `/dev/null` counts as an empty one.
  ///
  /// - Parameters:
  ///   - path: its bytes, without the NUL at its end; they need not be UTF-8.
  ///   - limit: how many bytes it may have.
  /// - Complexity: O(`limit`) at most, also for a file that grows meanwhile.
  package static func read(_ path: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    let file = try open(path)
    let status = try examine(file)
    if status.isNullDevice { return [] }
    guard status.kind == .regular else { throw .notRegular(status.kind) }
    return try readAll(file, limit: limit)
  }

  /// As ``read(_:limit:)``, by a path in text.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    try read(Array(path.utf8), limit: limit)
  }

  private static func open(_ path: [CChar]) throws(Failure) -> FileDescriptor {
    do {
      // O_NONBLOCK: without it the open of a pipe waits for its writer.
      return FileDescriptor(
        owning: try check("open") { unsafe cposix_openat(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0) })
    } catch {
      throw reason(path, error)
    }
  }

  /// Tells apart what makes an open fail.
  private static func reason(_ path: [CChar], _ error: SystemError) -> Failure {
    var status = stat()
    switch error.code {
    case ENOENT: return unsafe lstat(path, &status) == 0 ? .danglingLink : .missing
    case ENXIO, ENODEV:  // What a socket, or a device without a driver, answers.
      if unsafe stat(path, &status) == 0, status.kind != .regular { return .notRegular(status.kind) }
      return .system(error)
    default: return .system(error)
    }
  }

  private static func examine(_ file: borrowing FileDescriptor) throws(Failure) -> stat {
    var status = stat()
    do { _ = try check("examine") { unsafe fstat(file.raw, &status) } } catch { throw .system(error) }
    return status
  }

  private static func readAll(_ file: borrowing FileDescriptor, limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
    while true {
      let count: Int
      do {
        count = try check("read") { unsafe Glibc.read(file.raw, &part, part.count) }
      } catch {
        throw .system(error)
      }
      if count == 0 { return bytes }
      bytes += part.prefix(count)
      if bytes.count > limit { throw .tooLarge(limit: limit) }
    }
  }
}

extension stat {
  fileprivate var kind: FileKind { FileKind(mode: st_mode) }
  fileprivate var isNullDevice: Bool { kind == .device && st_rdev == 1 << 8 | 3 }
}
