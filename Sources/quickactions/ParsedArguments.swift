/// What the command line says.
///
///     arguments  = *option subcommand *( option / operand ) [ "--" *operand ]
///     option     = name / long-name "=" value / name value / short-name value
///
/// After `--` nothing is an option; behind it `run` has its command, whose bytes need not be UTF-8.
struct ParsedArguments {
  /// nil if none is named, as for `--help` alone.
  private(set) var subcommand: Subcommand?
  private(set) var operands: [String] = []
  /// The command of a subcommand that takes one.
  private(set) var command: [[UInt8]] = []
  private var values: [Option: [String]] = [:]

  /// Reads the arguments behind the program's name.
  ///
  /// - Throws: ``CommandFailure`` of the kind usage.
  init(_ arguments: [[UInt8]], of subcommands: [Subcommand]) throws(CommandFailure) {
    var rest = arguments[...]
    while let bytes = rest.popFirst() {
      let argument = try Self.text(bytes)
      if argument == "--" {
        try takeRest(rest)
        break
      }
      if argument.hasPrefix("-"), argument != "-" {
        try takeOption(argument, &rest)
      } else if subcommand != nil {
        operands.append(argument)
      } else {
        subcommand = try Self.subcommand(argument, of: subcommands)
      }
    }
    if !has(.showHelp), !has(.showVersion) { try checkCounts() }
  }

  /// Whether an option was given.
  func has(_ option: Option) -> Bool { values[option] != nil }

  /// The value of an option; the last one if it was given several times, nil if it was not given.
  func value(_ option: Option) -> String? { values[option]?.last }

  /// All values of an option, in order.
  func values(_ option: Option) -> [String] { values[option] ?? [] }

  private static func text(_ bytes: [UInt8]) throws(CommandFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("'\(VisibleText.of(String(decoding: bytes, as: UTF8.self)))' is not UTF-8")
    }
    return text
  }

  private static func subcommand(
    _ name: String, of subcommands: [Subcommand]
  ) throws(CommandFailure) -> Subcommand {
    if let found = subcommands.first(where: { $0.name == name }) { return found }
    throw .usage(
      "'\(VisibleText.of(name))' is no subcommand",
      hint: Suggestion.words(for: name, among: subcommands.map(\.name)) ?? "see quickactions --help")
  }

  private mutating func takeRest(_ rest: ArraySlice<[UInt8]>) throws(CommandFailure) {
    if subcommand?.takesCommand == true {
      command = Array(rest)
    } else {
      for bytes in rest { operands.append(try Self.text(bytes)) }
    }
  }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<[UInt8]>
  ) throws(CommandFailure) {
    let known = Option.everywhere + (subcommand?.options ?? [])
    var (name, attached) = Self.split(argument)
    if let option = known.first(where: { $0.names.contains(name) }) {
      guard option.value != nil else {
        if attached != nil { throw .usage("\(name) takes no value", hint: helpHint) }
        values[option, default: []].append("")
        return
      }
      if attached == nil, let next = rest.popFirst() { attached = try Self.text(next) }
      guard let attached else { throw .usage("\(name) needs a value", hint: helpHint) }
      values[option, default: []].append(attached)
      return
    }
    throw .usage(
      "'\(VisibleText.of(name))' is no option" + (subcommand.map { " of \($0.name)" } ?? " here"),
      hint: Suggestion.words(for: name, among: known.flatMap(\.names)) ?? helpHint)
  }

  /// `--name=value` and `-nVALUE` in their parts.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--") {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts.count == 2 ? parts[1] : nil)
    }
    let value = argument.dropFirst(2)
    return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
  }

  private func checkCounts() throws(CommandFailure) {
    guard let subcommand else { return }
    let synopsis = "usage: quickactions \(subcommand.name) \(subcommand.synopsis)"
    if operands.count < subcommand.operands.lowerBound {
      throw .usage("\(subcommand.name) needs more than that", hint: synopsis)
    }
    if operands.count > subcommand.operands.upperBound {
      let surplus = operands[subcommand.operands.upperBound]
      throw .usage("'\(VisibleText.of(surplus))' is too much for \(subcommand.name)", hint: synopsis)
    }
    if has(.user), has(.system) { throw .usage("--user and --system can't be had together") }
  }

  private var helpHint: String {
    subcommand.map { "see quickactions \($0.name) --help" } ?? "see quickactions --help"
  }
}
