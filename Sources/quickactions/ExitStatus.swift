/// How the client ends; part of what users rely on.
enum ExitStatus: Int32, Equatable, Sendable {
  case done = 0
  /// Refused or failed, with the reason on standard error.
  case failed = 1
  /// Wrong usage.
  case usage = 64
  /// No daemon answers.
  case noDaemon = 69
  /// The command of `run` is there and cannot be started.
  case notExecutable = 126
  /// The command of `run` is not there.
  case notFound = 127
}
