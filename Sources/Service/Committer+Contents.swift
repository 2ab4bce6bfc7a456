import Settings
import Storage

extension Committer {
  /// What the rest of the daemon gives to a commit.
  struct Contents {
    var logPosition: LogPosition
    /// Nil where only what has come in is stored, which says it.
    var connections: ConnectionChanges?
    /// The number of the connection that was accepted last.
    var lastConnection: UInt64
    /// The line limit in force.
    var maxLineBytes: Int
    var generation: UInt64
    var syncs: [(connection: UInt64, sync: PendingSync)]
  }

  /// What came in that may not be kept anywhere once a commit contains what may.
  enum Traces {
    case none
    /// Uses that are not recorded.
    case unrecorded
    /// What was forgotten, wherever it was.
    case forgotten
  }

  /// What stores, and for how long.
  struct Policy {
    var interval: Int64
    var idLifetime: Int64
    var keepHistory: Int64
    var maxHistoryRows: Int
    var largeCommit: Int
    var intakeLogSize: Int

    init(_ settings: Settings) {
      interval = settings.commitInterval
      idLifetime = settings.rememberIDs
      keepHistory = settings.keepHistory
      maxHistoryRows = settings.maxHistoryRows
      largeCommit = settings.largeCommit
      intakeLogSize = settings.intakeLogSize
    }
  }
}
