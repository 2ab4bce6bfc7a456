import Catalogue
import Posix
import Ranking
import Settings

/// Where the catalogue is read from, and what was read last.
final class CatalogueSource {
  private let folders: [String]
  private let log: Log
  private(set) var current: Catalogue
  /// What titles are chosen by.
  private(set) var languages: Languages
  /// Files that were refused at the last reading.
  private(set) var errors = 0

  /// Reads it for the first time. Files that are wrong are logged, and the others count.
  init(folders: [String], settings: Settings, log: Log) {
    self.folders = folders
    self.log = log
    languages = Self.languages(settings)
    current = Catalogue()
    read(settings)
  }

  private static func languages(_ settings: Settings) -> Languages {
    settings.language.isEmpty ? Languages(environment: Process.environment) : Languages(list: settings.language)
  }

  /// Reads it again. A file that is wrong now keeps the definition that it had.
  func read(_ settings: Settings) {
    languages = Self.languages(settings)
    let loaded = Catalogue.load(folders: folders, languages: languages, previous: current)
    current = loaded.catalogue
    errors = loaded.problems.count { $0.severity == .error }
    for problem in loaded.problems {
      log(problem.severity == .error ? .error : .warning, "catalogue: \(problem.description)")
    }
  }

  /// The apps that have a half-life of their own.
  var ownHalfLives: [(app: [UInt8], halfLife: HalfLife)] {
    current.apps.compactMap { app in app.halfLife.map { (app.app, HalfLife(nanoseconds: $0)) } }
  }
}
