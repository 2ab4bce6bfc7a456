/// The command line of the daemon.
package struct Options: Equatable, Sendable {
  package enum Action: Equatable, Sendable { case serve, checkSettings, showHelp, showVersion }

  package var action = Action.serve
  package var runtimeDirectory: String?
  package var stateDirectory: String?
  package var settingsFile: String?
  /// Later ones win; empty for the usual ones.
  package var catalogueDirectories: [String] = []

  package static let version = "0.1.0"

  package static let help = """
    Usage: quickactionsd [OPTION]...
    Counts uses of actions sent over Unix sockets and publishes the best of each app as files.

      --runtime-dir DIR   where the sockets are made
      --state-dir DIR     where snapshots are published
      --config FILE       the settings; FILE.d/*.conf are read after it
      --catalogue-dir DIR where actions are declared; may be given several times, later ones win
      --check-settings    print the effective settings, or what is wrong with them, and exit
      --version           print the version and exit
      --help              print this and exit

    Without these, $RUNTIME_DIRECTORY, $STATE_DIRECTORY and $CONFIGURATION_DIRECTORY hold, and then the folder
    quickactions in $XDG_RUNTIME_DIR, $XDG_STATE_HOME and $XDG_CONFIG_HOME. The catalogue is read from catalogue.d in
    /usr/share/quickactions and /etc/quickactions, and then beside the settings.

    Exit status: 0 done; 64 wrong usage; 69 another instance runs; 73 a path can't be used; 78 wrong settings.

    """

  /// Reads the arguments behind the program's name.
  package init(_ arguments: [String]) throws(StartFailure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch parts[0] {
      case "--runtime-dir": runtimeDirectory = try Self.value(parts, &rest)
      case "--state-dir": stateDirectory = try Self.value(parts, &rest)
      case "--config": settingsFile = try Self.value(parts, &rest)
      case "--catalogue-dir": catalogueDirectories.append(try Self.value(parts, &rest))
      case "--check-settings" where parts.count == 1: action = .checkSettings
      case "--help" where parts.count == 1: action = .showHelp
      case "--version" where parts.count == 1: action = .showVersion
      default: throw StartFailure(status: .usage, message: "unknown argument '\(argument)'; see quickactionsd --help")
      }
    }
  }

  private static func value(_ parts: [String], _ rest: inout ArraySlice<String>) throws(StartFailure) -> String {
    let value = parts.count == 2 ? parts[1] : rest.popFirst()
    guard let value, !value.isEmpty else {
      throw StartFailure(status: .usage, message: "\(parts[0]) needs a value; see quickactionsd --help")
    }
    return value
  }
}
