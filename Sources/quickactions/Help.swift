/// The words of `--help`.
enum Help {
  /// Of the whole client.
  static func text(_ subcommands: [Subcommand]) -> String {
    """
    Usage: quickactions SUBCOMMAND …
    Tells the daemon quickactionsd of uses of actions, asks it and steers it.

    \(list(subcommands.map { ($0.name, $0.summary) }))

    Everywhere:
    \(options(Option.everywhere))

    quickactions SUBCOMMAND --help says more. Without --user, --system or --runtime-dir your own daemon is asked, and the
    machine's if yours does not answer.

    Exit status: 0 done; 1 refused or failed; 64 wrong usage; 69 no daemon answers.
    """
  }

  /// Of one subcommand.
  static func text(_ subcommand: Subcommand) -> String {
    var text = "Usage: quickactions \(subcommand.name) \(subcommand.synopsis)\n\(subcommand.summary)\n"
    if !subcommand.details.isEmpty { text += "\n\(subcommand.details)\n" }
    if !subcommand.options.isEmpty { text += "\n\(options(subcommand.options))\n" }
    return text + "\nEverywhere:\n\(options(Option.everywhere))"
  }

  private static func options(_ options: [Option]) -> String { list(options.map { ($0.synopsis, $0.help) }) }

  private static func list(_ rows: [(name: String, words: String)]) -> String {
    var table = Table([("", .left), ("", .left), ("", .left)])
    for row in rows { table.add([.init(""), .init(row.name), .init(row.words)]) }
    return table.lines(colours: false).joined(separator: "\n")
  }
}
