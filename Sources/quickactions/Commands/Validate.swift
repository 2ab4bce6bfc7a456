import Catalogue
import Posix
import Wire

extension Subcommand {
  static let validate = Subcommand(
    name: "validate", summary: "Check catalogue files as the daemon would read them", synopsis: "FILE…",
    details: "Fails if a file would be refused. Texts of your languages are looked up as the daemon does it.",
    operands: 1...Int.max
  ) { invocation in
    let languages = Languages(environment: Process.environment)
    let files = invocation.operands.map { CheckedFile($0, languages: languages) }
    if invocation.output.isJSON {
      try invocation.output.json { writer in
        writer.member("files", array: { writer in for file in files { writer.object(file.write) } })
      }
    } else {
      for file in files {
        for line in file.lines { try invocation.output.line(VisibleText.of(line)) }
      }
    }
    return files.contains(where: \.isRefused) ? .failed : .done
  }
}

/// A catalogue file, and what was found in it.
private struct CheckedFile {
  private let path: String
  private let definition: AppDefinition?
  private let problems: [CatalogueProblem]

  init(_ path: String, languages: Languages) {
    self.path = path
    (definition, problems) = Catalogue.read(file: path, languages: languages)
  }

  var isRefused: Bool { problems.contains { $0.severity == .error } }

  /// For people: each problem, or what the file defines.
  var lines: [String] {
    let told = problems.map { $0.severity == .warning ? "\($0.description) (warning)" : $0.description }
    if isRefused { return told }
    guard let definition else { return told + ["\(path): an app that is not there"] }
    let app = String(decoding: definition.app, as: UTF8.self)
    return told + ["\(path): \(AmountText.count(definition.actions.count, "action")) of \(app)"]
  }

  func write(to writer: inout JSONWriter) {
    writer.member("file", path)
    writer.member("app", definition.map { String(decoding: $0.app, as: UTF8.self) })
    writer.key("actions")
    if let definition { writer.integer(definition.actions.count) } else { writer.null() }
    writer.member(
      "problems",
      array: { writer in
        for problem in problems { writer.object { Self.write(problem, to: &$0) } }
      })
  }

  private static func write(_ problem: CatalogueProblem, to writer: inout JSONWriter) {
    writer.member("severity", problem.severity == .error ? "error" : "warning")
    if let line = problem.line { writer.member("line", line) }
    if let column = problem.column { writer.member("column", column) }
    writer.member("message", problem.message)
  }
}
