import Posix
import QuickActionsClient

/// One call of a subcommand: what was asked for, and where the answer goes.
struct Invocation {
  let arguments: ParsedArguments
  let output: Output

  var operands: [String] { arguments.operands }

  func has(_ option: Option) -> Bool { arguments.has(option) }

  func value(_ option: Option) -> String? { arguments.value(option) }

  /// The value of an option that is a whole number.
  func number(_ option: Option, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(option.names[0]) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(VisibleText.of(text))'"
      )
    }
    return number
  }

  /// The app that ``Option/app`` names.
  var app: AppID? { value(.app).map { AppID($0) } }

  /// The daemon that the options name.
  var daemon: DaemonChoice {
    if let directory = value(.runtimeDirectory) {
      return .at(DaemonPlaces(runtimeDirectory: directory, stateDirectory: value(.stateDirectory)))
    }
    return has(.system) ? .system : has(.user) ? .user : .automatic
  }

  /// The state directories in which snapshots may be, the likeliest first.
  var stateDirectories: [String] {
    value(.stateDirectory).map { [$0] } ?? daemon.candidates.compactMap(\.stateDirectory)
  }

  /// A connection to the daemon's control socket.
  func connect() throws(ClientError) -> ControlConnection { try ControlConnection(daemon) }

  /// A stream of uses to the daemon.
  func stream(over socket: UseStream.Socket = .events) throws(ClientError) -> UseStream {
    try UseStream(daemon, over: socket)
  }
}
