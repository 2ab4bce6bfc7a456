package import Posix
package import Wire

/// The contents of one snapshot's two files, ready to be written.
package struct SnapshotFiles: Sendable {
  /// nil for the list over all apps.
  package let name: SnapshotName?
  package let json: [UInt8]
  package let tsv: [UInt8]

  package init(_ snapshot: Snapshot) {
    name = snapshot.app.map { SnapshotName(app: $0) }
    json = snapshot.json()
    tsv = snapshot.tsv()
  }
}

/// The folder that snapshots are published in; all calls may block on the disk.
package struct SnapshotFolder: Sendable {
  /// `snapshots` in the state directory.
  package let path: String

  private var appsPath: String { path + "/apps" }

  /// Up to so many files are synced one by one; more share one syncfs.
  private static let syncedOneByOne = 8

  package init(stateDirectory: String) {
    path = stateDirectory + "/snapshots"
  }

  /// The mode of folders that goes with files of mode `mode`: who may read may also enter.
  package static func folderMode(for mode: FileMode) -> FileMode { mode | (mode & 0o444) >> 2 }

  /// Makes the folders where they are missing, sets their modes, and removes left-over temporary files and the files
  /// of apps that are not in `apps`. Other files are left alone, and so is every folder.
  ///
  /// - Parameter progress: called every thousand removed files with their number so far.
  /// - Complexity: O(files in the folders).
  package func prepare(
    mode: FileMode, keeping apps: Set<SnapshotName>, progress: (Int) -> Void
  ) throws(SystemError) {
    let kept = Set(apps.flatMap { name in SnapshotName.suffixes.map { name.base + $0 } })
    var removed = 0
    for folder in [path, appsPath] {
      let directory = try open(folder, mode: mode)
      for name in try directory.names() {
        let isGone =
          folder == appsPath && SnapshotName.suffixes.contains { name.hasSuffix($0) } && !kept.contains(name)
        guard isGone || AtomicFile.isTemporary(name), try directory.kind(of: name) != .folder else { continue }
        try directory.remove(name)
        removed += 1
        if removed % 1000 == 0 { progress(removed) }
      }
    }
  }

  /// Opens one of the two folders, made if missing, with the mode that goes with files of mode `mode`.
  private func open(_ folder: String, mode: FileMode) throws(SystemError) -> Directory {
    try Directory.create(folder, mode: Self.folderMode(for: mode))
    let directory = try Directory(opening: folder)
    try directory.setMode(Self.folderMode(for: mode))
    return directory
  }

  /// Writes snapshots so that a reader sees each file's old or new contents, whole, also after a power cut.
  ///
  /// - Returns: for each snapshot, in order, nil or why it could not be written; its old files are as they were then,
  ///   but for one of the two perhaps.
  package func write(_ snapshots: [SnapshotFiles], mode: FileMode) -> [SystemError?] {
    var outcomes = [SystemError?](repeating: nil, count: snapshots.count)
    // Everything goes by folder, as both have to be open and in the end synced.
    let parts = [
      (path, snapshots.indices.filter { snapshots[$0].name == nil }),
      (appsPath, snapshots.indices.filter { snapshots[$0].name != nil }),
    ]
    for (folder, members) in parts where !members.isEmpty {
      do {
        let directory = try open(folder, mode: mode)
        try write(snapshots, members, in: directory, mode: mode, outcomes: &outcomes)
        try directory.synchronize()
      } catch {
        for index in members { outcomes[index] = error }
      }
    }
    return outcomes
  }

  private func write(
    _ snapshots: [SnapshotFiles], _ members: [Int], in directory: borrowing Directory, mode: FileMode,
    outcomes: inout [SystemError?]
  ) throws(SystemError) {
    let sharesSync = members.count * 2 > Self.syncedOneByOne
    var pending: [(snapshot: Int, file: AtomicFile)] = []
    for index in members {
      do {
        for (name, bytes) in Self.files(of: snapshots[index]) {
          let file = try AtomicFile(bytes, replacing: name, in: directory, mode: mode, synchronizes: !sharesSync)
          pending.append((index, file))
        }
      } catch {
        outcomes[index] = error
      }
    }
    if sharesSync {
      do {
        try directory.synchronizeFileSystem()
      } catch {
        for (_, file) in pending { file.abandon(in: directory) }
        throw error
      }
    }
    for (index, file) in pending {
      if outcomes[index] != nil {
        file.abandon(in: directory)
        continue
      }
      do { try file.commit(in: directory) } catch { outcomes[index] = error }
    }
  }

  private static func files(of snapshot: SnapshotFiles) -> [(String, [UInt8])] {
    let base = snapshot.name?.base ?? "top"
    return [(base + ".json", snapshot.json), (base + ".tsv", snapshot.tsv)]
  }

  /// Removes the files of apps that are gone.
  ///
  /// Throws for the first file that could not be removed, after all the others are gone.
  package func remove(_ names: [SnapshotName]) throws(SystemError) {
    let directory = try Directory(opening: appsPath)
    var failure: SystemError?
    for file in names.flatMap({ name in SnapshotName.suffixes.map { name.base + $0 } }) {
      do { try directory.remove(file) } catch { failure = failure ?? error }
    }
    try directory.synchronize()
    if let failure { throw failure }
  }
}
