import Posix
import Settings

/// What the program's main file calls.
package enum Launcher {
  /// Runs the daemon, or what else the arguments ask for.
  ///
  /// - Parameter arguments: those behind the program's name.
  /// - Returns: the exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    let log = Log(isUnderSystemd: Process.standardErrorIsJournal)
    do {
      let options = try Options(arguments)
      switch options.action {
      case .showHelp: print(Options.help)
      case .showVersion: print("quickactionsd \(Options.version)\n")
      case .checkSettings: try checkSettings(options, log)
      case .serve: try serve(options, log)
      }
      return ExitStatus.clean.rawValue
    } catch {
      log(.error, error.message)
      return error.status.rawValue
    }
  }

  private static func print(_ text: String) {
    _ = Process.writeToStandardOutput(text)
  }

  private static func checkSettings(_ options: Options, _ log: Log) throws(StartFailure) {
    let source = Places.settings(options, environment: Process.environment)
    let loaded = try load(source, log)
    let files = loaded.files.isEmpty ? "no file: defaults" : loaded.files.joined(separator: " ")
    print("# Effective settings, from \(files)\n" + loaded.settings.rendered())
  }

  private static func serve(_ options: Options, _ log: Log) throws(StartFailure) {
    Process.keepLittleMemory()
    let source = Places.settings(options, environment: Process.environment)
    let loaded = try load(source, log)
    let places = try Places(options, environment: Process.environment)
    try Daemon(places: places, settings: loaded.settings, settingsSource: source, log: log).serve()
  }

  private static func load(
    _ source: (path: String, mustExist: Bool), _ log: Log
  ) throws(StartFailure) -> LoadedSettings {
    do {
      let loaded = try SettingsFiles.load(path: source.path, mustExist: source.mustExist)
      for warning in loaded.warnings { log(.warning, warning.message) }
      return loaded
    } catch {
      for problem in error.problems.dropLast() { log(.error, problem.message) }
      throw StartFailure(status: .badSettings, message: error.problems.last?.message ?? "the settings can't be read")
    }
  }
}
