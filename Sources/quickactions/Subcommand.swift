/// One of the things that the client does. Each has a file of its own in `Commands`.
struct Subcommand: Sendable {
  let name: String
  /// One line for the list of subcommands.
  let summary: String
  /// What follows the name: `ACTION [--app APP]`.
  let synopsis: String
  /// What else there is to say, in whole lines; empty if nothing is.
  var details = ""
  /// Its own options.
  var options: [Option] = []
  /// How many operands it takes.
  var operands: ClosedRange<Int> = 0...0
  /// Whether what follows `--` is a command to run and no operands.
  var takesCommand = false
  /// Does it. Whatever is thrown is told by ``CommandFailure``.
  let perform: @Sendable (Invocation) throws -> ExitStatus
}
