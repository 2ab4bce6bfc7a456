extension Subcommand {
  static let unpin = Subcommand(
    name: "unpin", summary: "Give a pinned action its own place again", synopsis: "ACTION [--app APP]",
    options: [.app], operands: 1...1
  ) { invocation in
    try invocation.change("unpin", done: "unpinned", unchanged: "was not pinned")
  }
}
