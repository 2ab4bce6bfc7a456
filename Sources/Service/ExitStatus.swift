import Posix

/// How the daemon ends; part of what users rely on.
package enum ExitStatus: Int32, Sendable {
  case clean = 0
  case usage = 64
  case anotherInstanceRuns = 69
  /// A socket or state path that can't be created or opened, or isn't what it should be. At start only.
  case cannotCreate = 73
  case badSettings = 78
}

/// Why the daemon does not start.
package struct StartFailure: Error, Equatable, Sendable {
  package let status: ExitStatus
  /// For people: what is wrong, where, and what is allowed.
  package let message: String
}

extension StartFailure {
  /// Runs what needs a path at start; the kernel's refusal keeps the daemon from starting.
  static func unlessPossible<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
  ) throws(StartFailure) -> Result {
    do { return try body() } catch { throw StartFailure(status: .cannotCreate, message: error.description) }
  }
}
