/// An option of the command line.
struct Option: Hashable, Sendable {
  /// As it is written: `--at`, or a short and a long form.
  let names: [String]
  /// What the help calls its value; nil for one that takes none.
  let value: String?
  /// What it does, in a few words.
  let help: String

  init(_ names: String..., value: String? = nil, help: String) {
    (self.names, self.value, self.help) = (names, value, help)
  }

  /// As the help shows it.
  var synopsis: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }
}

// Those that every subcommand takes.
extension Option {
  static let json = Option("--json", help: "write JSON, errors too")
  static let user = Option("--user", help: "ask your own daemon")
  static let system = Option("--system", help: "ask the machine's daemon")
  static let runtimeDirectory = Option("--runtime-dir", value: "DIR", help: "where the daemon's sockets are")
  static let stateDirectory = Option("--state-dir", value: "DIR", help: "where the daemon's snapshots are")
  static let showHelp = Option("--help", "-h", help: "print this and exit")
  static let showVersion = Option("--version", help: "print the version and exit")

  static let everywhere = [json, user, system, runtimeDirectory, stateDirectory, showHelp, showVersion]
}

// Those of several subcommands.
extension Option {
  static let app = Option("--app", value: "APP", help: "whose action it is, if not the default owner's")
  static let yes = Option("--yes", help: "do not ask")
}
