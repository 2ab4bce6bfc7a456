import Glibc

/// What a store that keeps several files in one folder asks of it.
extension Directory {
  /// Opens a file for reading; one that would make a reader wait (a FIFO) is opened without waiting.
  package func openToRead(_ name: String) throws(SystemError) -> FileDescriptor {
    try open(name, flags: O_RDONLY | O_NONBLOCK)
  }

  /// Opens a file that is there for reading and writing, without waiting.
  package func openToUpdate(_ name: String) throws(SystemError) -> FileDescriptor {
    try open(name, flags: O_RDWR | O_NONBLOCK)
  }

  /// Makes an empty file, mode 0600 whatever the umask; fails if there is anything under that name.
  package func createPrivateFile(_ name: String) throws(SystemError) {
    let file = try open(name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try file.setMode(0o600)
  }

  /// Gives a file a second name. The corresponding C function is `link`.
  package func link(_ name: String, to newName: String) throws(SystemError) {
    let (old, new) = (path(of: name), path(of: newName))
    _ = try check("link to", new) { unsafe Glibc.link(old, new) }
  }

  /// The path that a name leads to in the end, links followed; nil if there is nothing.
  ///
  /// The corresponding C function is `realpath`.
  package func realPath(of name: String) throws(SystemError) -> String? {
    let path = path(of: name)
    guard let resolved = unsafe realpath(path, nil) else {
      let code = errno
      if code == ENOENT, try kind(of: name) == nil { return nil }
      throw SystemError("follow the path", path, code: code)
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

extension FileDescriptor {
  /// The length of a regular file in bytes; nil if it is anything but a regular file.
  package func regularSize() throws(SystemError) -> Int? {
    var status = stat()
    _ = try check("look at a file") { unsafe fstat(raw, &status) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// All bytes of a regular file; nil if it is anything else, has another mode or more bytes.
  package func contents(withMode mode: FileMode, atMost limit: Int) throws(SystemError) -> [UInt8]? {
    var status = stat()
    _ = try check("look at a file") { unsafe fstat(raw, &status) }
    guard status.st_mode == S_IFREG | mode, status.st_size <= limit else { return nil }
    return try contents(count: Int(status.st_size))
  }

  /// Reads `count` bytes from an offset on, or as many as there are. The corresponding C function is `pread`.
  package func contents(count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = try check("read") {
        unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe pread(raw, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
        }
      }
      if read == 0 { break }
      done += read
    }
    bytes.removeLast(count - done)
    return bytes
  }
}

extension SystemError {
  /// Whether there is no room, on the disk or in a quota.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }
}
