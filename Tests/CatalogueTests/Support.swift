import Foundation

@testable import Catalogue

/// A folder of its own for one test.
final class Folder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "catalogue-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let folder = (path + "/" + name).split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
    // What Foundation has for this waits for the disk each time.
    guard let file = unsafe fopen(path + "/" + name, "w") else { throw CocoaError(.fileWriteUnknown) }
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
  }

  /// What one file says, and what is wrong with it, with `DIR` for this folder.
  func read(_ name: String, _ languages: Languages = .none) -> (definition: AppDefinition?, problems: [String]) {
    let (definition, problems) = Catalogue.read(file: path + "/" + name, languages: languages)
    return (definition, shortened(problems))
  }

  /// Problems in words, with `DIR` for this folder.
  func shortened(_ problems: [CatalogueProblem]) -> [String] {
    problems.map {
      "\($0.severity == .error ? "" : "warning: ")\($0)".replacingOccurrences(of: path, with: "DIR")
    }
  }

  func load(_ previous: Catalogue? = nil, _ languages: Languages = .none) -> (catalogue: Catalogue, problems: [String])
  {
    let (catalogue, problems) = Catalogue.load(folders: [path], languages: languages, previous: previous)
    return (catalogue, shortened(problems))
  }
}

/// A file of the repository.
func repositoryPath(_ path: String, from here: String = #filePath) -> String {
  URL(filePath: here).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: path).path
}

func dataPath(_ name: String) -> String { repositoryPath("Tests/CatalogueTests/Data/" + name) }

func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

extension Catalogue {
  var ids: [String] { apps.map { String(decoding: $0.app, as: UTF8.self) } }
}

extension AppDefinition {
  var ids: [String] { actions.map { String(decoding: $0.id, as: UTF8.self) } }
}

/// A catalogue's file about an app with a name.
func definition(_ app: String, name: String = "x") -> String { #"{"app": "\#(app)", "localizedName": "\#(name)"}"# }
