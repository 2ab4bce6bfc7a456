import Histories
import Posix
import QuickActionsClient

extension Option {
  fileprivate static let format = Option(
    "--format", value: "FORMAT", help: HistoryFormat.allCases.map(\.rawValue).joined(separator: ", "))
}

extension Subcommand {
  static let `import` = Subcommand(
    name: "import", summary: "Count the uses that a history tells of, each once",
    synopsis: "FILE [--format FORMAT] [--app APP]",
    details: """
      Histories of shells give a use of APP.COMMAND for each command, at its time; a database of zoxide uses of
      APP.cd#PATH. APP is the format's name unless --app says otherwise. A table (tsv) has action, time, count and app
      in columns; an export is what the subcommand export gives. What was imported before counts nothing, also if the
      file has grown since. What can't be read is told and skipped.
      """,
    options: [.format, .app], operands: 1...1
  ) { invocation in
    let path = invocation.operands[0]
    let file = try HistoryFile(path)
    let format = try invocation.format(of: file, path)
    if format == .export, invocation.has(.app) {
      throw CommandFailure.usage("an export says whose its actions are; --app does not go with it")
    }
    var run = try ImportRun(invocation, file, format)
    return try run.run()
  }
}

extension Invocation {
  fileprivate func format(of file: HistoryFile, _ path: String) throws(CommandFailure) -> HistoryFormat {
    let names = HistoryFormat.allCases.map(\.rawValue)
    guard let name = value(.format) else {
      let base = path.split(separator: "/").last.map(String.init) ?? path
      if let format = HistoryFormat.guess(file.bytes, name: base) { return format }
      throw .usage(
        "what format \(VisibleText.of(path)) has can't be seen",
        hint: "say --format and one of \(names.joined(separator: ", "))")
    }
    if let format = HistoryFormat(rawValue: name) { return format }
    throw .usage(
      "'\(VisibleText.of(name))' is no format",
      hint: Suggestion.words(for: name, among: names) ?? "formats are \(names.joined(separator: ", "))")
  }
}

/// A history as a whole.
struct HistoryFile {
  let bytes: [UInt8]
  /// When it was changed last, Unix nanoseconds.
  let modified: Int64

  private static let mostBytes = 1 << 30

  init(_ path: String) throws(CommandFailure) {
    let name = VisibleText.of(path)
    do throws(RegularFile.Failure) {
      bytes = try RegularFile.read(path, limit: Self.mostBytes)
    } catch {
      switch error {
      case .missing, .danglingLink: throw .failed("\(name) is not there")
      case .notRegular(let kind): throw .failed("\(name) is a \(kind.words) and not a file")
      case .tooLarge: throw .failed("\(name) has over \(AmountText.size(UInt64(Self.mostBytes)))")
      case .system(let error): throw .failed("cannot \(error.operation) \(name): \(error.reason)")
      }
    }
    do throws(SystemError) {
      modified = try Directory(opening: ".").modificationTime(of: path) ?? Clocks.wall()
    } catch {
      throw .failed(error.description)
    }
  }
}
