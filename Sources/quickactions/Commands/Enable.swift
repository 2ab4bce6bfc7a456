extension Subcommand {
  static let enable = Subcommand(
    name: "enable", summary: "Let a disabled action stand in lists again", synopsis: "ACTION [--app APP]",
    options: [.app], operands: 1...1
  ) { invocation in
    try invocation.change("enable", done: "enabled", unchanged: "was not disabled")
  }
}
