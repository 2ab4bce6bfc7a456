import Foundation
import Glibc
import Posix
import Ranking
import Wire

@testable import Snapshots

/// Wall time of 2026-11-30T12:00:00Z.
let noon: Int64 = 1_796_040_000_000_000_000

extension RankedAction {
  init(_ id: String, app: String = "com.example.mail", score: Double = 1, uses: UInt64 = 1, lastUsed: Int64? = noon) {
    self.init(
      number: 0, app: Array(app.utf8), id: Array(id.utf8), score: score, uses: uses, lastUsed: lastUsed)
  }
}

extension Snapshot {
  init(app: String?, generation: UInt64 = 1, limit: Int = 4, _ actions: [RankedAction] = []) {
    let shortcuts = actions.map { Shortcut(action: $0, isStatic: false, definition: nil) }
    self.init(
      app: app.map { Array($0.utf8) }, generation: generation, computedAt: noon + 123_000_000, limit: limit,
      shortcuts: shortcuts, dynamic: app == nil ? [] : shortcuts, method: ListMethod(kind: "fixed", halfLife: "7d"))
  }
}

extension SnapshotFiles {
  init(_ app: String?, generation: UInt64 = 1) { self.init(Snapshot(app: app, generation: generation)) }
}

extension SnapshotName {
  init(_ app: String) { self.init(app: Array(app.utf8)) }
}

/// A state folder of its own for one test.
final class State {
  let path: String
  let folder: SnapshotFolder

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    folder = SnapshotFolder(stateDirectory: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in this folder; names of snapshots' files begin with `snapshots/`.
  func path(_ name: String) -> String { path + "/" + name }

  func prepare(mode: FileMode = 0o640, keeping apps: Set<SnapshotName> = []) throws {
    try folder.prepare(mode: mode, keeping: apps) { _ in }
  }

  func put(_ text: String, at name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
  }

  func destination(of name: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
  }

  func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

  /// The names in a folder, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  func status(of name: String) -> stat {
    var status = stat()
    _ = lstat(path(name), &status)
    return status
  }

  /// Permission bits.
  func mode(of name: String) -> FileMode { status(of: name).st_mode & 0o7777 }

  func isRegular(_ name: String) -> Bool { status(of: name).st_mode & S_IFMT == S_IFREG }
}
