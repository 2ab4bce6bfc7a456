extension Subcommand {
  static let pin = Subcommand(
    name: "pin", summary: "Put an action right behind the static ones, whatever its score",
    synopsis: "ACTION [--app APP]", options: [.app], operands: 1...1
  ) { invocation in
    try invocation.change("pin", done: "pinned", unchanged: "is pinned already")
  }
}
