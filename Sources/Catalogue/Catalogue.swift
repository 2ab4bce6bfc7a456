import KeyFiles
import Posix

/// The apps and actions that files define.
///
/// The files of a folder are those whose names end in `.json`, `.plist` or `.desktop` and do not start with a dot. Each
/// is about one app. A later folder's definition of an app is taken instead of an earlier one's, as a whole.
package struct Catalogue: Equatable, Sendable {
  /// The apps, in the order of their ids' bytes.
  package let apps: [AppDefinition]

  /// What each file said that was taken, also where another folder's was preferred.
  private let files: [[UInt8]: FileOutcome]

  /// No app at all.
  package init() { self.init(files: [:], outcomes: [:]) }

  private init(files: [[UInt8]: FileOutcome], outcomes: [[UInt8]: FileOutcome]) {
    self.files = files
    apps = outcomes.values.compactMap { if case .defined(let definition) = $0 { definition } else { nil } }
      .sorted { $0.app.lexicographicallyPrecedes($1.app) }
  }

  /// Reads all files of the folders.
  ///
  /// A folder that does not exist is as good as an empty one. What a file or folder said in `previous` stays where it
  /// can be read no longer. Of two files of one folder that define an app the one whose name has the lower bytes counts,
  /// and the other one is an error.
  ///
  /// - Complexity: O(*n* log *n*) in the number of files, O(*n*) in their bytes.
  package static func load(
    folders: [String], languages: Languages, previous: Catalogue? = nil
  ) -> (catalogue: Catalogue, problems: [CatalogueProblem]) {
    var files: [[UInt8]: FileOutcome] = [:]
    var outcomes: [[UInt8]: FileOutcome] = [:]
    var problems: [CatalogueProblem] = []
    for folder in folders {
      var reading = FolderReading(folder, languages: languages, previous: previous?.files ?? [:])
      reading.read()
      problems += reading.problems
      files.merge(reading.files) { $1 }
      outcomes.merge(reading.outcomes) { $1 }
    }
    return (Catalogue(files: files, outcomes: outcomes), problems)
  }

  /// Reads one file, for somebody who wants to know whether it is right.
  ///
  /// - Returns: The definition, if the file has one, and what is wrong; neither for an app that is hidden.
  package static func read(
    file: String, languages: Languages = .none
  ) -> (definition: AppDefinition?, problems: [CatalogueProblem]) {
    var reading = DefinitionFile(Array(file.utf8), languages: languages)
    let outcome = reading.read()
    if case .defined(let definition) = outcome { return (definition, reading.problems) }
    return (nil, reading.problems)
  }
}

/// Reads the files of one folder.
private struct FolderReading {
  private let folder: String
  private let languages: Languages
  private let previous: [[UInt8]: FileOutcome]

  /// What each file said.
  private(set) var files: [[UInt8]: FileOutcome] = [:]
  /// What is said of each app.
  private(set) var outcomes: [[UInt8]: FileOutcome] = [:]
  private(set) var problems: [CatalogueProblem] = []

  init(_ folder: String, languages: Languages, previous: [[UInt8]: FileOutcome]) {
    self.folder = folder
    self.languages = languages
    self.previous = previous
  }

  private static let slash = UInt8(ascii: "/")

  private func path(of name: [UInt8]) -> [UInt8] { Array(folder.utf8) + [Self.slash] + name }

  mutating func read() {
    var names: [[UInt8]]
    do throws(SystemError) {
      names = try Directory(opening: folder).rawNames().filter { FileFormat(name: $0) != nil }
    } catch {
      if error.isMissing { return }
      let words = error.isNotAFolder ? "not a folder" : SystemError("list", code: error.code).words
      problems.append(CatalogueProblem(.error, path: Array(folder.utf8), words))
      let start = path(of: [])
      return keep(previous.keys.filter { $0.starts(with: start) && !$0.dropFirst(start.count).contains(Self.slash) })
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    if names.count > DefinitionLimits.files {
      problems.append(
        CatalogueProblem(
          .error, path: Array(folder.utf8),
          "has over \(DefinitionLimits.files) files; those with the highest names are left out"))
      names.removeSubrange(DefinitionLimits.files...)
    }
    keep(names.compactMap { read(path(of: $0)) })
  }

  /// Reads one file; its path if it is bad and may have been good before.
  private mutating func read(_ path: [UInt8]) -> [UInt8]? {
    var file = DefinitionFile(path, languages: languages)
    let outcome = file.read()
    // Between the listing and now it was removed.
    if file.isMissing { return nil }
    problems += file.problems
    guard let outcome else { return path }
    if take(outcome, from: path) { return nil }
    problems.append(CatalogueProblem(.error, path: path, "its app is defined by a file before it, too"))
    return nil
  }

  /// Takes what these files said before, for apps that no good file is about.
  private mutating func keep(_ paths: [[UInt8]]) {
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let outcome = previous[path] { _ = take(outcome, from: path) }
    }
  }

  private mutating func take(_ outcome: FileOutcome, from path: [UInt8]) -> Bool {
    if outcomes[outcome.app] != nil { return false }
    outcomes[outcome.app] = outcome
    files[path] = outcome
    return true
  }
}
