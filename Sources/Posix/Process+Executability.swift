import Glibc

extension Process {
  /// Whether a command can be run, as far as can be told beforehand.
  package enum Executability: Equatable, Sendable {
    case runs
    /// There is no such file.
    case missing
    /// There is one, and it is no program, or not for this user.
    case forbidden
  }

  /// Looks for a command as `execvp` does: in PATH, unless its name holds a slash.
  ///
  /// - Parameters:
  ///   - name: its bytes, without NULs.
  ///   - path: what PATH holds; nil for the system's own.
  package static func executability(of name: [UInt8], path: String?) -> Executability {
    if name.isEmpty { return .missing }
    if name.contains(UInt8(ascii: "/")) { return executability(at: name) }
    var result = Executability.missing
    for folder in (path ?? "/bin:/usr/bin").utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      // An empty part of PATH is the current folder.
      let found = executability(at: folder.isEmpty ? name : Array(folder) + [UInt8(ascii: "/")] + name)
      if found == .runs { return .runs }
      if found == .forbidden { result = .forbidden }
    }
    return result
  }

  private static func executability(at path: [UInt8]) -> Executability {
    let path = (path + [0]).map(CChar.init(bitPattern:))
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno) ? .missing : .forbidden
    }
    let isAllowed = unsafe access(path, X_OK) == 0
    return FileKind(mode: status.st_mode) == .regular && isAllowed ? .runs : .forbidden
  }
}
