import QuickActionsClient

/// The client as a whole: finds the subcommand, runs it, and says how it ended.
struct Program {
  let subcommands: [Subcommand]

  /// Of the client and the daemon alike.
  static let version = "0.1.0"

  /// Does what the arguments behind the program's name ask for.
  func run(_ arguments: [[UInt8]]) -> ExitStatus {
    // An error of the arguments is to be JSON, too, if that is wanted.
    let wantsJSON = arguments.prefix { $0 != Array("--".utf8) }.contains(Array("--json".utf8))
    let output = Output(isJSON: wantsJSON)
    do {
      let status = try run(ParsedArguments(arguments, of: subcommands), output)
      try output.flush()
      return status
    } catch {
      try? output.flush()
      let failure = CommandFailure(error)
      output.report(failure)
      return failure.status
    }
  }

  private func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitStatus {
    if arguments.has(.showHelp) {
      try output.line(arguments.subcommand.map(Help.text) ?? Help.text(subcommands))
      return .done
    }
    if arguments.has(.showVersion) {
      try output.line("quickactions \(Self.version)")
      return .done
    }
    guard let subcommand = arguments.subcommand else {
      throw CommandFailure.usage("a subcommand is needed", hint: "see quickactions --help")
    }
    return try subcommand.perform(Invocation(arguments: arguments, output: output))
  }
}
