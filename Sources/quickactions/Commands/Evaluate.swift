import Evaluation
import QuickActionsClient
import Wire

extension Subcommand {
  static let evaluate = Subcommand(
    name: "evaluate", summary: "Try ways to rank on traces of uses",
    synopsis: "TRACE… [--half-life VALUE]… [--peers NAMES] [--all] [--what-if]",
    details: """
      Replays who used what and when, and tells for each way to rank how many uses were of an action that it had among
      its first four just before. A trace has rows of user, Unix seconds and action with tabs between them, or is a file
      of the subcommand export; either may be compressed with gzip. No daemon is asked.
      Peers are \(EvaluationOptions.peerNames.joined(separator: ", ")).
      """,
    options: EvaluationOptions.options, operands: 1...Int.max
  ) { invocation in
    let options = try EvaluationOptions(invocation)
    var results: [EvaluatedTrace] = []
    for path in invocation.operands {
      let result = try EvaluatedTrace(path, options, invocation)
      if invocation.output.isJSON {
        results.append(result)
        continue
      }
      if path != invocation.operands.first { try invocation.output.line("") }
      for line in result.lines(colours: invocation.output.colours) { try invocation.output.line(line) }
    }
    if invocation.output.isJSON {
      try invocation.output.json { json in
        json.member("traces", array: { json in for result in results { json.object(result.write) } })
      }
    }
    return .done
  }
}

/// A trace, and what came of trying rankers on it.
private struct EvaluatedTrace {
  private let path: String
  private let report: Report
  private let options: EvaluationOptions

  init(_ path: String, _ options: EvaluationOptions, _ invocation: Invocation) throws(CommandFailure) {
    (self.path, self.options) = (path, options)
    let trace = try Self.read(path, invocation)
    var progress = ProgressBar(total: trace.useCount * options.rankers.count, isShown: !invocation.output.isJSON)
    var shown = 0
    report = Evaluation.run(trace: trace, rankers: options.rankers) { reached in
      // A terminal is slower than many a user's uses are replayed.
      if (reached.done - shown) * 100 < reached.total { return }
      shown = reached.done
      progress.show(reached.done, trace.users.count)
    }
    progress.clear()
  }

  private static func read(_ path: String, _ invocation: Invocation) throws(CommandFailure) -> Trace {
    let name = VisibleText.of(path)
    let problems = ImportProblems(
      invocation.output, unit: invocation.operands.count > 1 ? "\(name), line" : "line")
    let trace: Trace
    do throws(TraceFailure) {
      trace = try Trace.read(path) { fault in
        problems.add(Int(clamping: fault.line), code: fault.code, message: fault.message)
      }
    } catch {
      throw .failed("\(name): \(error.message)")
    }
    problems.tellRest()
    if trace.useCount == 0 { throw .failed("\(name): there is no use in it", code: "invalidFormat") }
    return trace
  }

  func lines(colours: Bool) -> [String] {
    let text = EvaluationText(report, options)
    return [VisibleText.of(path)] + text.lines(colours: colours)
  }

  func write(to json: inout JSONWriter) {
    json.member("trace", path)
    report.write(to: &json) { options.isShown($0.name) }
    guard options.asksWhatIf else { return }
    json.member(
      "whatIf",
      array: { json in
        for other in WhatIf.all(report, options) { json.object(other.write) }
      })
  }
}

extension TraceFault {
  /// For programs.
  fileprivate var code: String {
    if case .refused(let error) = reason { error.code.rawValue } else { "invalidEntry" }
  }
}
