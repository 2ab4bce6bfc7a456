import Testing

@testable import quickactions

struct ParsedArgumentsTests {
  private static let subcommands = [
    Subcommand(
      name: "pin", summary: "", synopsis: "ACTION [--app APP]", options: [.app, count], operands: 1...2,
      perform: { _ in .done }),
    Subcommand(
      name: "run", summary: "", synopsis: "ACTION -- COMMAND…", operands: 1...1, takesCommand: true,
      perform: { _ in .done }),
  ]
  private static let count = Option("-n", "--count", value: "N", help: "")

  private func read(_ words: String...) throws(CommandFailure) -> ParsedArguments {
    try ParsedArguments(words.map { Array($0.utf8) }, of: Self.subcommands)
  }

  private func failure(_ words: String...) -> CommandFailure? {
    do {
      _ = try ParsedArguments(words.map { Array($0.utf8) }, of: Self.subcommands)
      return nil
    } catch { return error }
  }

  @Test("options may stand before and behind the subcommand, and have their value attached or behind them")
  func forms() throws {
    for words in [
      ["--json", "pin", "a", "--app", "b", "-n", "3"], ["pin", "--app=b", "--json", "-n3", "a"],
      ["pin", "--count=3", "a", "--app=b", "--json"],
    ] {
      let arguments = try ParsedArguments(words.map { Array($0.utf8) }, of: Self.subcommands)
      #expect(arguments.subcommand?.name == "pin")
      #expect(arguments.operands == ["a"])
      #expect(arguments.has(.json))
      #expect(arguments.value(.app) == "b")
      #expect(arguments.value(Self.count) == "3")
    }
  }

  @Test("behind -- nothing is an option, and a minus alone is an operand")
  func end() throws {
    #expect(try read("pin", "-", "--", "--app").operands == ["-", "--app"])
  }

  @Test("of an option that was given twice the last one holds, and all can be had")
  func twice() throws {
    let arguments = try read("pin", "a", "--app=b", "--app", "c")
    #expect(arguments.value(.app) == "c")
    #expect(arguments.values(.app) == ["b", "c"])
  }

  @Test("a value may look like an option, and may be empty")
  func oddValues() throws {
    #expect(try read("pin", "a", "--app", "--json").value(.app) == "--json")
    #expect(try read("pin", "a", "--app=").value(.app)?.isEmpty == true)
  }

  @Test("the command of run keeps its bytes, whatever they are")
  func command() throws {
    let odd: [UInt8] = [0x61, 0xff]
    let arguments = try ParsedArguments(
      ["run", "a", "--"].map { Array($0.utf8) } + [odd, Array("--json".utf8)], of: Self.subcommands)
    #expect(arguments.command == [odd, Array("--json".utf8)])
    #expect(!arguments.has(.json))
  }

  @Test("elsewhere bytes that are not UTF-8 are refused, as repairing them would make one id of two")
  func notUTF8() {
    #expect(throws: CommandFailure.self) {
      try ParsedArguments([Array("pin".utf8), [0x61, 0xff]], of: Self.subcommands)
    }
  }

  @Test(
    "a slip is told with what was probably meant",
    arguments: [
      (["pni", "a"], "did you mean 'pin'?"), (["pin", "a", "--ap", "b"], "did you mean '--app'?"),
      (["pin", "a", "--jsno"], "did you mean '--json'?"), (["xyzzy"], "see quickactions --help"),
      (["pin", "a", "--zzzzzzz"], "see quickactions pin --help"),
    ])
  func slips(words: [String], hint: String) {
    do {
      _ = try ParsedArguments(words.map { Array($0.utf8) }, of: Self.subcommands)
      Issue.record("\(words) was taken")
    } catch {
      #expect(error.status == .usage)
      #expect(error.hint == hint)
    }
  }

  @Test("what is missing or too much is told with the usage")
  func counts() {
    #expect(failure("pin")?.hint == "usage: quickactions pin ACTION [--app APP]")
    #expect(failure("pin", "a", "b", "c")?.message == "'c' is too much for pin")
    #expect(failure("pin", "a", "--app")?.message == "--app needs a value")
    #expect(failure("pin", "a", "--json=x")?.message == "--json takes no value")
    #expect(failure("pin", "a", "--user", "--system")?.status == .usage)
  }

  @Test("who asks for help gets it, whatever else is wrong with the counts")
  func help() throws {
    #expect(try read("pin", "--help").has(.showHelp))
    #expect(try read("--version").subcommand == nil)
  }

  @Test("what a terminal would obey in a wrong word does not reach it")
  func escapes() {
    #expect(failure("\u{1b}[2J")?.message.contains("\u{1b}") == false)
  }
}
