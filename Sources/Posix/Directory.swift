private import CPosix
import Glibc

/// Permission bits of a file, as `chmod` takes them.
package typealias FileMode = UInt32

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
    do { try make(path, mode: mode) } catch {
      guard error.code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
      try create(String(path[..<slash]), mode: mode)
      // Not by way of this function again: where a link to nothing stands for a parent, that would never end.
      try make(path, mode: mode)
    }
  }

  private static func make(_ path: String, mode: FileMode) throws(SystemError) {
    do { _ = try check("make the folder", path) { unsafe mkdir(path, mode) } } catch {
      if error.code == EEXIST { return }
      throw error
    }
    _ = try check("set the mode of", path) { unsafe chmod(path, mode) }
  }

  /// Whether two open folders are the same one, whatever the paths they were opened by.
  package func isSame(as other: borrowing Directory) throws(SystemError) -> Bool {
    let (mine, theirs) = (try status(), try other.status())
    return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
  }

  private func status() throws(SystemError) -> stat {
    var status = stat()
    _ = try check("look at", path) { unsafe fstat(descriptor.raw, &status) }
    return status
  }

  /// Sets the folder's own mode, if it differs. The corresponding C function is `fchmod`.
  package func setMode(_ mode: FileMode) throws(SystemError) {
    if try status().st_mode & 0o7777 == mode { return }
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

  /// What a name stands for, links not followed, or nil if there is no such file. The corresponding C function is `fstatat`.
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
    return FileKind(mode: status.st_mode)
  }

  /// When a file was last written, nanoseconds since 1970; nil if there is no such file.
  package func modificationTime(of name: String) throws(SystemError) -> Int64? {
    try status(of: name, from: descriptor.raw).map {
      Int64($0.st_mtim.tv_sec) * 1_000_000_000 + Int64($0.st_mtim.tv_nsec)
    }
  }

  /// Which file a name leads to for whoever looks from outside, by the folder's path: the folder itself may have been
  /// moved away. Nil if there is no such file. The corresponding C function is `stat`.
  package func identityByPath(of name: String) throws(SystemError) -> FileIdentity? {
    try status(of: path(of: name), from: AT_FDCWD).map {
      FileIdentity(device: UInt64($0.st_dev), inode: UInt64($0.st_ino))
    }
  }

  private func status(of name: String, from folder: Int32) throws(SystemError) -> stat? {
    var status = stat()
    do {
      _ = try check("look at", folder == AT_FDCWD ? name : path(of: name)) {
        unsafe fstatat(folder, name, &status, 0)
      }
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    return status
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
    try rawNames().map { String(decoding: $0, as: UTF8.self) }
  }

  /// As ``names()``, in bytes: a name need not be UTF-8.
  package func rawNames() throws(SystemError) -> [[UInt8]] {
    let copy = try check("open the folder", path) {
      unsafe cposix_openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY, 0)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      _ = Glibc.close(copy)
      throw SystemError("list the folder", path, code: code)
    }
    defer { unsafe _ = closedir(stream) }
    let here = UInt8(ascii: ".")
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        let code = errno
        if code != 0 { throw SystemError("list the folder", path, code: code) }
        return names
      }
      // The record is only as long as its name: nothing beyond that may be touched.
      let name = unsafe UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let length = unsafe strlen(name.assumingMemoryBound(to: CChar.self))
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
      if bytes != [here], bytes != [here, here] { names.append(bytes) }
    }
  }

  /// The path of a file in the folder.
  package func path(of name: String) -> String { path + "/" + name }
}
