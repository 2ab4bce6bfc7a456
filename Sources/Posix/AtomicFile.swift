import Glibc

/// A file written beside the one that it will replace, so that a reader never sees a part of it.
///
/// The bytes go to a temporary file in the same folder; once they are durable ``commit(in:)`` renames it, and then the
/// folder is to be synced. A target that is a symbolic link is written through: the file that it points to is
/// replaced, in that file's own folder.
package struct AtomicFile: Sendable {
  private let name: String
  /// The folder that a link led to; nil where the target is no link.
  private let linkedFolder: String?

  private static let mostLinks = 40

  /// The temporary name for a file: hidden, and the same every time, so that a left-over one is replaced.
  package static func temporaryName(for name: String) -> String { ".\(name).tmp" }

  /// Whether a name is one that ``temporaryName(for:)`` makes.
  package static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }

  /// Writes `bytes` to a temporary file that is to replace `name` in `directory`. Leaves nothing behind if it throws.
  ///
  /// - Parameters:
  ///   - mode: of the file, whatever the umask.
  ///   - synchronizes: whether to wait until the bytes are on the disk; if not, the caller does so for many files at
  ///     once by `syncfs` on `directory`. What a link leads elsewhere is always waited for.
  package init(
    _ bytes: [UInt8], replacing name: String, in directory: borrowing Directory, mode: FileMode, synchronizes: Bool
  ) throws(SystemError) {
    let target = try Self.followLinks(name, in: directory)
    if let path = target.folder {
      try Self.write(bytes, to: target.name, in: Directory(opening: path), mode: mode, synchronizes: true)
    } else {
      try Self.write(bytes, to: target.name, in: directory, mode: mode, synchronizes: synchronizes)
    }
    self.name = target.name
    linkedFolder = target.folder
  }

  private static func write(
    _ bytes: [UInt8], to name: String, in folder: borrowing Directory, mode: FileMode, synchronizes: Bool
  ) throws(SystemError) {
    let temporary = temporaryName(for: name)
    try folder.remove(temporary)
    // Exclusive: whatever appears under this name in between is not ours to write to.
    let file = try folder.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    do {
      try file.writeAll(bytes)
      try file.setMode(mode)
      // If this fails the file is dropped and written anew another time: a second fsync would not tell the truth.
      if synchronizes { try file.synchronize() }
    } catch {
      try? folder.remove(temporary)
      throw SystemError(error.operation, folder.path(of: name), code: error.code)
    }
  }

  /// Puts the file in its place, or leaves nothing behind if that fails. `directory` is that of the initialiser.
  ///
  /// A folder that a link led to is synced here; `directory` itself is for the caller to sync, once for many files.
  package func commit(in directory: borrowing Directory) throws(SystemError) {
    guard let linkedFolder else { return try Self.rename(name, in: directory) }
    let folder = try Directory(opening: linkedFolder)
    try Self.rename(name, in: folder)
    try folder.synchronize()
  }

  private static func rename(_ name: String, in folder: borrowing Directory) throws(SystemError) {
    do {
      try folder.rename(temporaryName(for: name), to: name)
    } catch {
      try? folder.remove(temporaryName(for: name))
      throw error
    }
  }

  /// Removes the temporary file and leaves the old one as it was.
  package func abandon(in directory: borrowing Directory) {
    let temporary = Self.temporaryName(for: name)
    if let linkedFolder {
      try? Directory(opening: linkedFolder).remove(temporary)
    } else {
      try? directory.remove(temporary)
    }
  }

  /// Where a name leads in the end: the folder's path (nil: the one given) and the name there.
  private static func followLinks(
    _ name: String, in directory: borrowing Directory
  ) throws(SystemError) -> (folder: String?, name: String) {
    guard try directory.kind(of: name) == .link else { return (nil, name) }
    var (folderPath, name) = (directory.path, name)
    for _ in 0..<mostLinks {
      let folder = try Directory(opening: folderPath)
      guard try folder.kind(of: name) == .link else { return (folderPath, name) }
      let destination = try folder.destination(of: name)
      let path = destination.hasPrefix("/") ? destination : folderPath + "/" + destination
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      folderPath = slash == path.startIndex ? "/" : String(path[..<slash])
      name = String(path[path.index(after: slash)...])
    }
    throw SystemError("follow the link", directory.path(of: name), code: ELOOP)
  }
}
