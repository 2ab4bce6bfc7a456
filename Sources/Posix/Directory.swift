private import CPosix
import Glibc

/// Permission bits of a file, as `chmod` takes them.
package typealias FileMode = UInt32

/// What a path leads to, links not followed.
package enum FileKind: Sendable {
  case regular, directory, link, socket, other
}

/// An open folder, and what can be done to the files in it by name.
package struct Directory: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  /// The path that it was opened by, for messages.
  package let path: String

  /// Opens a folder. The corresponding C function is `open` with O_DIRECTORY.
  package init(opening path: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try check("open the folder", path) {
        unsafe path.withCString { unsafe cposix_openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY, 0) }
      })
    self.path = path
  }

  /// Opens a folder inside this one.
  package func directory(_ name: String) throws(SystemError) -> Directory {
    try Directory(opening: path + "/" + name)
  }

  /// Makes a folder and those above it where they are missing, with `mode` whatever the umask.
  ///
  /// A folder that is there already keeps its mode.
  package static func create(_ path: String, mode: FileMode) throws(SystemError) {
    do {
      _ = try check("make the folder", path) { unsafe mkdir(path, mode) }
      _ = try check("set the mode of", path) { unsafe chmod(path, mode) }
    } catch {
      switch error.code {
      case EEXIST: return
      case ENOENT:
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
        try create(String(path[..<slash]), mode: mode)
        try create(path, mode: mode)
      default: throw error
      }
    }
  }

  /// Sets the folder's own mode, if it differs. The corresponding C function is `fchmod`.
  package func setMode(_ mode: FileMode) throws(SystemError) {
    var status = stat()
    _ = try check("look at", path) { unsafe fstat(descriptor.raw, &status) }
    if status.st_mode & 0o7777 == mode { return }
    _ = try check("set the mode of", path) { fchmod(descriptor.raw, mode) }
  }

  /// Opens a file. The corresponding C function is `openat`; the descriptor is close-on-exec.
  package func open(_ name: String, flags: Int32, mode: FileMode = 0) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try check("open", path(of: name)) { unsafe cposix_openat(descriptor.raw, name, flags, mode) })
  }

  /// Opens a file to hold a lock, and makes it if it is missing; only its owner may open it.
  package func openLockFile(_ name: String) throws(SystemError) -> FileDescriptor {
    try open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
  }

  /// What a name stands for, or nil if there is no such file. The corresponding C function is `fstatat`.
  package func kind(of name: String) throws(SystemError) -> FileKind? {
    var status = stat()
    do {
      _ = try check("look at", path(of: name)) {
        unsafe fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .directory
    case S_IFLNK: return .link
    case S_IFSOCK: return .socket
    default: return .other
    }
  }

  /// Where a link points. The corresponding C function is `readlinkat`.
  package func destination(of name: String) throws(SystemError) -> String {
    var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = try check("read the link", path(of: name)) {
      unsafe readlinkat(descriptor.raw, name, &characters, characters.count)
    }
    return String(decoding: characters[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Renames a file, replacing what had the new name. The corresponding C function is `renameat`.
  package func rename(_ name: String, to newName: String) throws(SystemError) {
    _ = try check("rename to", path(of: newName)) {
      unsafe renameat(descriptor.raw, name, descriptor.raw, newName)
    }
  }

  /// Removes a file; one that is not there is fine. The corresponding C function is `unlinkat`.
  package func remove(_ name: String) throws(SystemError) {
    do {
      _ = try check("remove", path(of: name)) { unsafe unlinkat(descriptor.raw, name, 0) }
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  /// Waits until the folder's entries are on the disk. The corresponding C function is `fsync`.
  package func synchronize() throws(SystemError) {
    _ = try check("sync the folder", path) { fsync(descriptor.raw) }
  }

  /// Waits until all of the file system is on the disk. The corresponding C function is `syncfs`.
  package func synchronizeFileSystem() throws(SystemError) {
    _ = try check("sync the file system of", path) { cposix_syncfs(descriptor.raw) }
  }

  /// The names in the folder, without `.` and `..`, in no order.
  ///
  /// - Complexity: O(entries).
  package func names() throws(SystemError) -> [String] {
    let copy = try check("open the folder", path) {
      unsafe cposix_openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY, 0)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      _ = Glibc.close(copy)
      throw SystemError("list the folder", path, code: code)
    }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemError("list the folder", path, code: errno) }
    return names
  }

  /// The path of a file in the folder.
  package func path(of name: String) -> String { path + "/" + name }
}
