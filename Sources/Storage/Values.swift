package import Ranking

/// Everything stored of one action. Uses are stored up to 2^63 − 1.
package typealias ActionRow = ActionState

/// Uses of one action in one hour.
package struct HourlyRow: Equatable, Sendable {
  package var app: [UInt8]
  package var action: [UInt8]
  /// Whole hours since 1970, UTC.
  package var hour: Int64
  package var uses: UInt64

  package init(app: [UInt8], action: [UInt8], hour: Int64, uses: UInt64) {
    self.app = app
    self.action = action
    self.hour = hour
    self.uses = uses
  }
}

/// What a connection had come to at a commit.
package struct ConnectionRow: Equatable, Sendable {
  package var number: UInt64
  package var isControl: Bool
  package var lineNumber: UInt64
  package var accepted: UInt64
  package var duplicates: UInt64
  package var refused: UInt64
  /// Uses of what is blocked.
  package var blocked: UInt64
  /// Uses that came while nothing was recorded.
  package var notRecorded: UInt64
  /// The bytes of a line that has no end yet.
  package var unfinished: [UInt8]
  /// Whether the rest of a line that was too long is being skipped.
  package var isSkipping: Bool
  /// Whether that line's beginning is not known, so that it is no refusal.
  package var isRestUnknown: Bool
  /// The `seq` of each sync that is not answered yet; nil for one without.
  package var pendingSyncs: [Int64?]

  package init(
    number: UInt64, isControl: Bool, lineNumber: UInt64, accepted: UInt64, duplicates: UInt64, refused: UInt64,
    blocked: UInt64 = 0, notRecorded: UInt64 = 0, unfinished: [UInt8], isSkipping: Bool, isRestUnknown: Bool = false,
    pendingSyncs: [Int64?]
  ) {
    self.number = number
    self.isControl = isControl
    self.lineNumber = lineNumber
    self.accepted = accepted
    self.duplicates = duplicates
    self.refused = refused
    self.blocked = blocked
    self.notRecorded = notRecorded
    self.unfinished = unfinished
    self.isSkipping = isSkipping
    self.isRestUnknown = isRestUnknown
    self.pendingSyncs = pendingSyncs
  }
}

/// How far an intake log is contained in the state.
package struct LogPosition: Equatable, Sendable {
  /// The identity of the log's file.
  package var log: UInt64
  /// Up to here, exclusively.
  package var offset: UInt64

  /// That of a state that contains nothing of any log.
  package static let none = LogPosition(log: 0, offset: 0)

  package init(log: UInt64, offset: UInt64) {
    self.log = log
    self.offset = offset
  }
}

/// What one commit stores, all of it or nothing.
package struct CommitBatch: Sendable {
  /// What is done before anything else of the batch, in this order. Those of a batch that failed come first in the
  /// next one, in the same order: of a commit that is in the database although it failed they are not done again.
  package var edits: [StateEdit] = []
  /// Whether nothing that is not in the database any more may stay in any file; edits that forget ask for that anyway.
  package var wipes = false
  /// Whether actions that are not in this batch, which has all of them, are dropped as by ``StateEdit/drop(_:)``.
  package var sweeps = false
  /// The actions that changed, each once, and their uses to add.
  package var changes = ActionChanges()
  /// Ids seen since the last commit, oldest first.
  package var newIDs: [RememberedID] = []
  /// Ids that arrived before this decay time are forgotten.
  package var forgetIDsBefore: Int64 = .min
  /// No more ids than this are remembered; the oldest leave first.
  package var maxIDs = 1_000_000
  /// Ids of imported uses since the last commit, oldest first; these are not forgotten by age.
  package var newImportedIDs: [RememberedID] = []
  /// No more imported ids than this are kept; the oldest leave first.
  package var maxImportedIDs = 1_000_000
  /// What changes in the actions that apps have registered, in this order.
  package var registrations: [RegistrationChange] = []
  /// The user's choices that changed, each with all of its values; one without any is dropped.
  package var choices: [ChoiceRow] = []
  /// Apps of which nothing is kept any more in `apps`; done before any of those are written.
  package var removedApps: [[UInt8]] = []
  /// The apps that changed, each with all of its values.
  package var apps: [AppRow] = []
  /// The days of apps that changed, each with all of its values.
  package var dailyHits: [DailyHitsRow] = []
  /// No more days of apps than this are kept; the oldest leave first.
  package var maxDailyRows = 100_000
  /// What ids are hashed with; nil for what the database has.
  package var idSecret: (UInt64, UInt64)?
  /// Where the clocks stand.
  package var clock: ClockMark
  /// The half-life that the scores are kept with, nanoseconds.
  package var halfLife: Int64
  /// Counters by name, with all of their value (up to 2^63 − 1); names that are not given keep theirs.
  package var totals: [(name: String, value: UInt64)] = []
  package var logPosition: LogPosition?
  /// Connections that have changed, or all of them: see ``closedConnections``.
  package var connections: [ConnectionRow] = []
  /// The numbers of connections that are gone; nil if ``connections`` replace all that were stored.
  package var closedConnections: [UInt64]?
  package var nextConnection: UInt64 = 0
  package var arrivals: UInt64 = 0
  /// Hourly uses older than this are dropped, and days all of which is older.
  package var keepHistoryHours: Int64 = 400 * 24
  /// No more hourly rows than this are kept; the oldest leave first.
  package var maxHistoryRows = 1_000_000
  /// The hour that it is now, whole hours since 1970, UTC.
  package var nowHour: Int64

  package init(clock: ClockMark, halfLife: Int64, nowHour: Int64) {
    self.clock = clock
    self.halfLife = halfLife
    self.nowHour = nowHour
  }
}

/// All that a database holds but for the actions, the hourly uses and the daily hits of earlier days.
package struct StoredState: Sendable {
  /// Oldest first.
  package var ids: [RememberedID] = []
  /// Oldest first.
  package var importedIDs: [RememberedID] = []
  /// By app, position and action.
  package var registrations: [RegistrationRow] = []
  /// By app and action.
  package var choices: [ChoiceRow] = []
  /// By app.
  package var apps: [AppRow] = []
  /// The latest day that is stored of each app, by app.
  package var latestDailyHits: [DailyHitsRow] = []
  /// Nil until the first commit.
  package var clock: ClockMark?
  package var halfLife: Int64?
  package var totals: [(name: String, value: UInt64)] = []
  package var logPosition: LogPosition?
  /// What has come in after that; nil if there is nothing.
  package var pendingInput: PendingInput?
  package var connections: [ConnectionRow] = []
  package var nextConnection: UInt64 = 0
  package var arrivals: UInt64 = 0
  /// What ids are hashed with: random, made with the database and kept.
  package var idSecret: (UInt64, UInt64)
}
