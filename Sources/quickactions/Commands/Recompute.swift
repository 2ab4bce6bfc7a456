import QuickActionsClient
import Wire

extension Subcommand {
  static let recompute = Subcommand(
    name: "recompute", summary: "Publish now what has changed since the last round", synopsis: ""
  ) { invocation in
    let generation = try invocation.connect().recompute()
    if invocation.output.isJSON {
      try invocation.output.json { $0.member("generation", generation) }
    } else {
      try invocation.output.line("published up to generation \(generation)")
    }
    return .done
  }
}
