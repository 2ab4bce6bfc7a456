package import Wire

/// Why an entry of a history counts nothing.
package enum HistoryFault: Error, Equatable, Sendable {
  /// A part of it is not what a use may have.
  case refused(LineError)
  /// A row without a time, or with more columns than there are.
  case columns(Int)
  /// A command line without a command: assignments, a comment.
  case noCommand
  /// A time beyond what 64 bits hold.
  case time
  /// A line of a fish history that belongs to no entry.
  case stray
  /// A rank that is no number from 0 to 1,000,000.
  case rank
  /// A version of the database other than 3.
  case version(UInt32)
  /// The database ends within an entry, or before it has as many as it says.
  case cutShort
  /// The database has bytes behind its last entry.
  case trailingBytes(Int)
  /// An op that no export has.
  case op
}

extension HistoryFault {
  /// What is wrong, for the person whose history it is; nothing of the entry is repeated.
  package var message: String {
    switch self {
    case .refused(let error): error.message
    case .columns(let count):
      "\(count) column\(count == 1 ? "" : "s"); allowed are action, time, count and app, separated by tabs"
    case .noCommand: "no command in it"
    case .time: "the time is out of range"
    case .stray: "the line belongs to no entry, which begins with '- cmd: '"
    case .rank: "the rank is not a number from 0 to 1000000"
    case .version(let version): "a database of version \(version); version 3 can be read"
    case .cutShort: "the database is cut short"
    case .trailingBytes(let count): "\(count) byte\(count == 1 ? "" : "s") behind the last entry"
    case .op: "an op that no export has; allowed are define, enable, disable, pin and block"
    }
  }
}
