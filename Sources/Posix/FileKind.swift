import Glibc

/// Which file it is, whatever its names are.
package struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// What a path leads to.
package enum FileKind: Equatable, Sendable {
  case regular, folder, link, socket, pipe, device

  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      default: .device
      }
  }

  /// As a message says it behind "a".
  package var words: String {
    switch self {
    case .regular: "regular file"
    case .folder: "folder"
    case .link: "symbolic link"
    case .socket: "socket"
    case .pipe: "pipe"
    case .device: "device"
    }
  }
}
