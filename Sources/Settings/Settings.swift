/// What an administrator can set, with each value in the unit the code works in.
///
/// A setting is a stored property here and one row of ``SettingKey/all``. The row holds everything else:
/// its section, its name, its default, what it may be, and how it is read and printed.
package struct Settings: Equatable, Sendable {
  // The zeros and what is like them are never seen: `init()` fills in the defaults from the table.

  /// Nanoseconds after which a use counts half (`[Ranking] HalfLife=`).
  package var halfLife: Int64 = 0

  /// What orders an app's list (`[Ranking] Method=`).
  package var method = Method.adaptive

  /// By how many percent an action has to lead the one that it replaces in a list (`[Ranking] SwapMargin=`).
  package var swapMargin = 0

  /// Whether actions that stay in a list keep their places unless the order differs clearly (`[Ranking] KeepPlaces=`).
  package var keepPlaces = false

  /// How many actions a list offers at most (`[Ranking] Limit=`).
  package var limit: Int = 0

  /// How many actions are remembered that nobody has defined or decided anything of (`[Ranking] MaxActions=`).
  package var maxActions: Int = 0

  /// Whether only actions that are defined are offered (`[Ranking] OnlyDefined=`).
  package var onlyDefined = false

  /// Nanoseconds between two rounds of snapshots (`[Snapshot] Interval=`).
  package var snapshotInterval: Int64 = 0

  /// Permission bits of snapshot files (`[Snapshot] Mode=`).
  package var snapshotMode: UInt32 = 0

  /// The longest line taken from a client, in bytes without its line end (`[Intake] MaxLineBytes=`).
  package var maxLineBytes: Int = 0

  /// How many connections are open at once; further ones wait in the backlog (`[Intake] MaxConnections=`).
  package var maxConnections: Int = 0

  /// How many connections one user may have open at once (`[Intake] MaxConnectionsPerUser=`).
  package var maxConnectionsPerUser: Int = 0

  /// How many connections the service manager keeps for us across a crash (`[Intake] StoreConnections=`).
  package var storeConnections: Int = 0

  /// Nanoseconds between two commits to the database (`[Storage] CommitInterval=`).
  package var commitInterval: Int64 = 0

  /// Bytes of the log of what has arrived and is not committed yet; 0 for none (`[Storage] IntakeLogSize=`).
  package var intakeLogSize: Int = 0

  /// From how many changed actions on a commit may store what has come in instead (`[Storage] LargeCommit=`).
  package var largeCommit: Int = 0

  /// Nanoseconds for which an idempotency id is remembered (`[Storage] RememberIds=`).
  package var rememberIDs: Int64 = 0

  /// Nanoseconds for which hourly counts are kept (`[Storage] KeepHistory=`).
  package var keepHistory: Int64 = 0

  /// How many rows of hourly counts are kept at most (`[Storage] MaxHistoryRows=`).
  package var maxHistoryRows: Int = 0

  /// Whether uses are counted at all (`[Privacy] Record=`).
  package var record = false

  /// The languages of titles, the preferred one first and colons between them; empty for those of the environment
  /// (`[Catalogue] Language=`).
  package var language = ""

  /// What orders an app's list.
  package enum Method: String, CaseIterable, Sendable {
    /// The half-life by which the app's list has been right most often of late.
    case adaptive
    /// `HalfLife=`.
    case fixed
  }

  /// Every setting at its default.
  package init() {
    for key in SettingKey.all { key.reset(&self) }
  }
}
