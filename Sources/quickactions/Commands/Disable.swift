extension Subcommand {
  static let disable = Subcommand(
    name: "disable", summary: "Keep an action out of every list, and go on counting", synopsis: "ACTION [--app APP]",
    options: [.app], operands: 1...1
  ) { invocation in
    try invocation.change("disable", done: "disabled", unchanged: "is disabled already")
  }
}
