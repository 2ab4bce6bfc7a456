import Posix
import QuickActionsClient

extension Subcommand {
  static let run = Subcommand(
    name: "run", summary: "Run a command, and record the use of an action if it starts",
    synopsis: "ACTION [--app APP] -- COMMAND [ARGUMENT]…",
    details: """
      The command takes this process's place. If no daemon answers it runs all the same. If it is not there the status is
      127, if it can't be started 126.
      """,
    options: [.app], operands: 1...1, takesCommand: true
  ) { invocation in
    let command = invocation.arguments.command
    guard let name = command.first else { throw CommandFailure.usage("run needs a command behind --") }
    let use = Use(ActionID(invocation.operands[0]), app: invocation.app)
    try use.check()
    // What is known to fail is not tried, so that the daemon need not hear of it.
    switch Process.executability(of: name, path: Process.environment("PATH")) {
    case .missing: throw CommandFailure.notFound(name)
    case .forbidden: throw CommandFailure.notExecutable(name, "it is no program, or not for this user")
    case .runs: break
    }
    let stream = invocation.streamForOneUse()
    do throws(ClientError) { try stream?.sendUnfinished(use) } catch { invocation.noteUncounted(error) }
    // The stream's end comes when this process becomes the command, and makes the use count; not before.
    let error = Process.replace(by: command)
    try? stream?.takeBack()
    throw CommandFailure.notExecutable(name, error.reason, status: error.isMissing ? .notFound : .notExecutable)
  }
}

extension Invocation {
  /// A stream, if a daemon answers at once: nobody should wait for their app.
  fileprivate func streamForOneUse() -> UseStream? {
    do { return try UseStream(daemon, timeout: .milliseconds(200)) } catch {
      noteUncounted(error)
      return nil
    }
  }

  fileprivate func noteUncounted(_ error: ClientError) {
    output.note("quickactions: the use is not counted: \(VisibleText.of(error.description))")
  }
}

extension CommandFailure {
  fileprivate static func notFound(_ name: [UInt8]) -> CommandFailure {
    CommandFailure(status: .notFound, code: "notFound", message: "\(text(name)): there is no such command")
  }

  fileprivate static func notExecutable(
    _ name: [UInt8], _ reason: String, status: ExitStatus = .notExecutable
  ) -> CommandFailure {
    CommandFailure(status: status, code: "notExecutable", message: "cannot run \(text(name)): \(reason)")
  }

  private static func text(_ name: [UInt8]) -> String { VisibleText.of(String(decoding: name, as: UTF8.self)) }
}
