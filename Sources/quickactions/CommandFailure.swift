import Posix
import QuickActionsClient

/// Why a subcommand did not do what it should, as it is told on standard error.
struct CommandFailure: Error, Equatable {
  var status: ExitStatus
  /// For programs; a code of the daemon or one of our own.
  var code: String
  /// What is wrong, for people.
  var message: String
  /// What to do about it, if there is something.
  var hint: String?

  /// Something did not work.
  static func failed(_ message: String, code: String = "failed", hint: String? = nil) -> CommandFailure {
    CommandFailure(status: .failed, code: code, message: message, hint: hint)
  }

  /// The command line is wrong.
  static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(status: .usage, code: "usage", message: message, hint: hint)
  }

  init(status: ExitStatus, code: String, message: String, hint: String? = nil) {
    (self.status, self.code, self.message, self.hint) = (status, code, message, hint)
  }

  /// The words for whatever a subcommand threw.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as ClientError: self.init(error)
    case let error as SystemError: self = .failed(error.description)
    default: self = .failed("\(error)")
    }
  }

  private init(_ error: ClientError) {
    switch error {
    case .refused(let refusal): self = .failed(refusal.message, code: refusal.code)
    case .noDaemon(let directories):
      self.init(
        status: .noDaemon, code: "noDaemon", message: error.description, hint: Self.startHint(directories))
    case .timedOut: self.init(status: .noDaemon, code: "timedOut", message: error.description, hint: nil)
    case .notPermitted:
      self = .failed(
        error.description, code: "notPermitted",
        hint:
          "events sockets of the machine's daemon are open to the group quickactions, its control socket to its own "
          + "user: sudo -u quickactions quickactions --system …")
    case .connectionLost: self = .failed(error.description, code: "connectionLost")
    case .badReply: self = .failed(error.description, code: "badReply")
    case .system: self = .failed(error.description, code: "system")
    }
  }

  private static func startHint(_ directories: [String]) -> String {
    let system = DaemonPlaces.system.runtimeDirectory
    if directories == [system] { return "start it with: sudo systemctl start quickactions.socket quickactions.service" }
    if directories.contains(system) || directories == [DaemonPlaces.user?.runtimeDirectory] {
      return "start it with: systemctl --user start quickactions.socket quickactions.service, or by hand: quickactionsd"
    }
    guard let directory = directories.first else { return "set XDG_RUNTIME_DIR, or say --system or --runtime-dir DIR" }
    return "start it by hand with: quickactionsd --runtime-dir \(directory)"
  }
}
