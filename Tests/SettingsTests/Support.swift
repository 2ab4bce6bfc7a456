import Foundation

@testable import Settings

/// A folder of its own for one test, with a place for a main file and its drop-ins.
final class Folder {
  let path: String

  /// The main file, which is not there yet.
  var main: String { path + "/quickactions.conf" }

  /// A drop-in, by its name.
  func dropIn(_ name: String) -> String { main + ".d/" + name }

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path + "/quickactions.conf.d", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  func load(mustExist: Bool = false) throws(SettingsErrors) -> LoadedSettings {
    try SettingsFiles.load(path: main, mustExist: mustExist)
  }

  /// What the files cannot be used for, with `DIR` for this folder; nothing if they can be used.
  func errors(mustExist: Bool = false) -> [String] {
    do throws(SettingsErrors) {
      _ = try load(mustExist: mustExist)
      return []
    } catch {
      return error.problems.map { shortened($0) }
    }
  }

  /// The warnings of files that can be used, with `DIR` for this folder.
  func warnings() throws -> [String] { try load().warnings.map { shortened($0) } }

  private func shortened(_ problem: SettingsProblem) -> String {
    problem.message.replacingOccurrences(of: path, with: "DIR")
  }
}

/// A file of the repository.
func repositoryFile(_ path: String, from here: String = #filePath) throws -> String {
  let root = URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}
