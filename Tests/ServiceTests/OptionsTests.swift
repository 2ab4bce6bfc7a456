import Service
import Testing

struct OptionsTests {
  private static func options(
    _ action: Options.Action = .serve, runtime: String? = nil, state: String? = nil, settings: String? = nil
  ) -> Options {
    guard var options = try? Options([]) else { preconditionFailure("no arguments are fine") }
    options.action = action
    options.runtimeDirectory = runtime
    options.stateDirectory = state
    options.settingsFile = settings
    return options
  }

  @Test(
    "arguments that are understood",
    arguments: [
      ([], options()),
      (["--help"], options(.showHelp)),
      (["--version"], options(.showVersion)),
      (["--check-settings"], options(.checkSettings)),
      (
        ["--runtime-dir", "/r", "--state-dir", "/s", "--config", "/c"],
        options(runtime: "/r", state: "/s", settings: "/c")
      ),
      (["--runtime-dir=/r", "--state-dir=/s", "--config=/c"], options(runtime: "/r", state: "/s", settings: "/c")),
      (["--config=/a=b", "--check-settings"], options(.checkSettings, settings: "/a=b")),
      (["--state-dir", "/a", "--state-dir=/b"], options(state: "/b")),
    ] as [([String], Options)])
  func understood(arguments: [String], options: Options) throws { #expect(try Options(arguments) == options) }

  @Test(
    "arguments that are refused as wrong usage, by name",
    arguments: [
      (["--runtime-dir"], "--runtime-dir needs a value"), (["--state-dir"], "--state-dir needs a value"),
      (["--config"], "--config needs a value"), (["--config="], "--config needs a value"),
      (["--config", ""], "--config needs a value"),
      (["--help=yes"], "unknown argument '--help=yes'"),
      (["--check-settings=1"], "unknown argument '--check-settings=1'"),
      (["--Help"], "unknown argument '--Help'"), (["-h"], "unknown argument '-h'"),
      (["start"], "unknown argument 'start'"),
      ([""], "unknown argument ''"), (["--config", "/c", "--more"], "unknown argument '--more'"),
    ] as [([String], String)])
  func refused(arguments: [String], message: String) {
    let failure = #expect(throws: StartFailure.self) { try Options(arguments) }
    #expect(failure?.status == .usage)
    #expect(failure?.status.rawValue == 64)
    #expect(failure?.message == message + "; see quickactionsd --help")
  }

  @Test("the help names every option")
  func help() {
    for name in ["--runtime-dir", "--state-dir", "--config", "--check-settings", "--version", "--help"] {
      #expect(Options.help.contains("  \(name) "))
    }
  }
}
