package import Posix
package import Wire

/// Why a line of a trace counts nothing.
package struct TraceFault: Equatable, Sendable {
  /// Of the line, from 1.
  package let line: UInt64
  /// What was wrong.
  package let reason: Reason

  /// What was wrong with a line.
  package enum Reason: Error, Equatable, Sendable {
    /// Longer than lines may be, in bytes.
    case tooLong(limit: Int)
    /// A row with another number of columns than three.
    case columns(Int)
    /// A user or an action without a byte, or with too many.
    case user, action
    /// No time, or one that is no number or out of range.
    case time
    /// A JSON line that is no use.
    case refused(LineError)
  }
}

extension TraceFault {
  /// What is wrong, for the person whose trace it is; nothing of the line is repeated.
  package var message: String {
    switch reason {
    case .tooLong(let limit): "the line is over \(limit) bytes"
    case .columns(let count):
      "\(count) column\(count == 1 ? "" : "s"); allowed are user, time and action, separated by tabs"
    case .user: "the user has no byte or over \(TraceLine.longestName); allowed are 1 to \(TraceLine.longestName)"
    case .action: "the action has no byte or over \(TraceLine.longestName); allowed are 1 to \(TraceLine.longestName)"
    case .time: "the time is missing or none; allowed are Unix seconds, with a fraction if need be, from 1824 to 2116"
    case .refused(let error): error.message
    }
  }
}

/// Why a trace was not read.
package enum TraceFailure: Error, Equatable, Sendable {
  /// The file can't be opened or read.
  case system(SystemError)
  /// It is compressed, and its bytes are wrong or end too early.
  case damaged
  /// It has more uses than are replayed.
  case tooManyUses(limit: Int)
  /// Its users have more actions, all added up, than are replayed.
  case tooManyActions(limit: Int)
}

extension TraceFailure {
  /// What is wrong, for the person whose trace it is.
  package var message: String {
    switch self {
    case .system(let error): error.description
    case .damaged: "the compressed file is damaged or cut short"
    case .tooManyUses(let limit): "it has over \(limit) uses"
    case .tooManyActions(let limit): "its users have over \(limit) actions, all added up"
    }
  }
}
