import Wire

/// What the daemon has done since it began to keep this state, each number by its name in `status`.
struct Counters: Equatable {
  /// Lines that were counted as uses.
  var accepted: UInt64 = 0
  /// Uses in them, by their `n`.
  var uses: UInt64 = 0
  /// Lines whose idempotency id was known.
  var duplicates: UInt64 = 0
  /// Uses whose time was moved to now or to ten years back.
  var clamped: UInt64 = 0
  /// Lines with uses of what is blocked.
  var blocked: UInt64 = 0
  /// Lines with uses that came while nothing was recorded.
  var notRecorded: UInt64 = 0
  var connectionsAccepted: UInt64 = 0
  var connectionsClosed: UInt64 = 0
  /// Connections that were open when the daemon died and could not be gone on with.
  var connectionsLost: UInt64 = 0
  /// Connections that outlived the daemon.
  var connectionsRestored: UInt64 = 0
  /// Rests of lines that were passed over on such connections, as their beginnings are not known.
  var unknownRests: UInt64 = 0
  /// How often accepting paused for want of descriptors or memory.
  var acceptPauses: UInt64 = 0
  /// How often reading waited for a commit to make room in the intake log, or among the actions that wait for one.
  var intakeLogFull: UInt64 = 0
  var datagrams: UInt64 = 0
  var syncs: UInt64 = 0
  /// Requests on the control socket that were done.
  var requests: UInt64 = 0
  /// Changes that subscribers did not read in time.
  var changesDropped: UInt64 = 0
  /// Replies that a client did not read in time.
  var repliesDropped: UInt64 = 0
  /// Lines whose end had not arrived when the daemon stopped.
  var unfinishedAtStop: UInt64 = 0
  var snapshotsWritten: UInt64 = 0
  /// Lists of apps that are gone.
  var snapshotsRemoved: UInt64 = 0
  var snapshotFailures: UInt64 = 0
  var commits: UInt64 = 0
  var commitFailures: UInt64 = 0
  var reloads: UInt64 = 0
  var reloadsRefused: UInt64 = 0
  /// Steps of the wall clock that were noticed.
  var wallSteps: UInt64 = 0

  /// Lines, datagrams and connections that were refused, by reason.
  var refused = RefusalCounts()

  /// A counter's name and where it is kept.
  typealias Entry = (name: String, path: any WritableKeyPath<Counters, UInt64> & Sendable)

  /// Each counter with its name, in the order in which they are reported. Refusals are apart.
  static let all: [Entry] = [
    ("accepted", \.accepted), ("uses", \.uses), ("duplicates", \.duplicates), ("clamped", \.clamped),
    ("blocked", \.blocked), ("notRecorded", \.notRecorded),
    ("connectionsAccepted", \.connectionsAccepted), ("connectionsClosed", \.connectionsClosed),
    ("connectionsLost", \.connectionsLost), ("connectionsRestored", \.connectionsRestored),
    ("unknownRests", \.unknownRests), ("acceptPauses", \.acceptPauses), ("intakeLogFull", \.intakeLogFull),
    ("datagrams", \.datagrams), ("syncs", \.syncs), ("requests", \.requests), ("changesDropped", \.changesDropped),
    ("repliesDropped", \.repliesDropped),
    ("unfinishedAtStop", \.unfinishedAtStop), ("snapshotsWritten", \.snapshotsWritten),
    ("snapshotsRemoved", \.snapshotsRemoved), ("snapshotFailures", \.snapshotFailures), ("commits", \.commits),
    ("commitFailures", \.commitFailures),
    ("reloads", \.reloads), ("reloadsRefused", \.reloadsRefused), ("wallSteps", \.wallSteps),
  ]

  private static let refusedPrefix = "refused."

  /// Everything as names and numbers, to be stored.
  var totals: [(name: String, value: UInt64)] {
    Self.all.map { ($0.name, self[keyPath: $0.path]) }
      + RefusalCode.allCases.map { (Self.refusedPrefix + $0.rawValue, refused[$0]) }
  }

  init() {}

  /// The counters as they were stored; names that there are no more are passed over.
  init(totals: [(name: String, value: UInt64)]) {
    for (name, value) in totals {
      if let entry = Self.all.first(where: { $0.name == name }) {
        self[keyPath: entry.path] = value
      } else if name.hasPrefix(Self.refusedPrefix),
        let code = RefusalCode(rawValue: String(name.dropFirst(Self.refusedPrefix.count)))
      {
        refused[code] = value
      }
    }
  }
}
