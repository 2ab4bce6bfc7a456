import Foundation

@testable import Settings

/// A small generator that repeats for a seed (SplitMix64, Steele et al. 2014).
struct SeededRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: 0 ... .max)) {
    self.seed = seed
    self.state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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
