import Foundation

/// A snapshot file, as a reader sees it.
struct Snapshot: Decodable {
  struct Row: Decodable {
    let rank: Int
    let kind: String
    let app: String?
    let type: String
    let target: String?
    let localizedTitle: String?
    let score: Double
    let uses: Int
    let lastUsed: String?

    var action: String { type + (target.map { "#" + $0 } ?? "") }
  }

  let format: String
  let app: String?
  let generation: Int
  let limit: Int
  let shortcuts: [Row]
  let dynamic: [Row]?

  /// The uses of an action; nil if it is not listed.
  func uses(of action: String) -> Int? { shortcuts.first { $0.action == action }?.uses }
}

/// What is known of a file without reading it.
struct FileFacts: Equatable {
  let inode: UInt64
  let mode: UInt32
  let isLink, isFolder, isRegular: Bool

  /// nil if there is no such file; links are not followed.
  init?(_ path: String) {
    var status = stat()
    if lstat(path, &status) != 0 { return nil }
    inode = UInt64(status.st_ino)
    mode = status.st_mode & 0o7777
    let kind = status.st_mode & S_IFMT
    (isLink, isFolder, isRegular) = (kind == S_IFLNK, kind == S_IFDIR, kind == S_IFREG)
  }
}
