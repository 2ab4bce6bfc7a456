import Wire

/// What the daemon has done since it started, each number by its name in `status`.
struct Counters {
  /// Lines that were counted as uses.
  var accepted: UInt64 = 0
  /// Uses in them, by their `n`.
  var uses: UInt64 = 0
  /// Lines whose idempotency id was known.
  var duplicates: UInt64 = 0
  /// Uses whose time was moved to now or to ten years back.
  var clamped: UInt64 = 0
  var connectionsAccepted: UInt64 = 0
  var connectionsClosed: UInt64 = 0
  /// How often accepting paused for want of descriptors or memory.
  var acceptPauses: UInt64 = 0
  var datagrams: UInt64 = 0
  var syncs: UInt64 = 0
  /// Replies that a client did not read in time.
  var repliesDropped: UInt64 = 0
  /// Lines whose end had not arrived when the daemon stopped.
  var unfinishedAtStop: UInt64 = 0
  var snapshotsWritten: UInt64 = 0
  var snapshotFailures: UInt64 = 0
  var reloads: UInt64 = 0
  var reloadsRefused: UInt64 = 0
  /// Steps of the wall clock that were noticed.
  var wallSteps: UInt64 = 0

  /// Lines, datagrams and connections that were refused, by reason.
  var refused = RefusalCounts()

  /// Each counter with its name, in the order in which they are reported.
  static let names: [(name: String, value: @Sendable (Counters) -> UInt64)] = [
    ("accepted", { $0.accepted }), ("uses", { $0.uses }), ("duplicates", { $0.duplicates }),
    ("clamped", { $0.clamped }), ("connectionsAccepted", { $0.connectionsAccepted }),
    ("connectionsClosed", { $0.connectionsClosed }), ("acceptPauses", { $0.acceptPauses }),
    ("datagrams", { $0.datagrams }), ("syncs", { $0.syncs }), ("repliesDropped", { $0.repliesDropped }),
    ("unfinishedAtStop", { $0.unfinishedAtStop }), ("snapshotsWritten", { $0.snapshotsWritten }),
    ("snapshotFailures", { $0.snapshotFailures }), ("reloads", { $0.reloads }),
    ("reloadsRefused", { $0.reloadsRefused }), ("wallSteps", { $0.wallSteps }),
  ]
}
