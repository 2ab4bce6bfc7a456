import Posix
import Ranking
import Snapshots
import Storage
import Wire

/// The answer to `{"op":"status"}`: everything that the daemon counts, by name.
struct StatusReport {
  let registry: Registry
  let generation: UInt64
  let openConnections: Int
  let keptConnections: Int
  let intakeLogBytes: Int
  let snapshotFailure: (error: SystemError, since: Moment)?
  let storageFailure: (error: StorageError, since: Moment)?
  let settingsRefusal: String?
  /// For how long a job of a disk thread has gone on, nanoseconds.
  let diskBusyTime: Int64
  /// Catalogue files that were refused at the last reading.
  let catalogueErrors: Int
  let subscribers: Int
  /// The longest turn of the loop, nanoseconds.
  let longestTurn: Int64
  /// How long after the moment that it was planned for a round of snapshots began, and was over.
  let roundDelays: (start: DurationHistogram, end: DurationHistogram)

  /// When a pause with an end is over, by the wall clock as it is now.
  private func pausedUntil(_ now: Moment) -> String? {
    guard let end = ledger.recording.pausedUntil, end != .max, end > now.decay else { return nil }
    return RFC3339.string(nanoseconds: now.wall.saturatingAdding(end - now.decay), fractionDigits: 0)
  }

  private var ledger: Ledger { registry.ledger }

  /// Writes the members of the reply.
  func write(to writer: inout JSONWriter) {
    let now = ledger.now()
    writer.member("version", Options.version)
    writer.member("pid", Process.processID)
    writer.member("startedAt", RFC3339.string(nanoseconds: ledger.startedAt.wall, fractionDigits: 3))
    writer.member("uptimeSeconds", (now.decay - ledger.startedAt.decay) / 1_000_000_000)
    writer.member("actions", ledger.ranking.actionCount)
    writer.member("apps", ledger.ranking.appCount)
    writer.member("ranking", object: writeRanking)
    writer.member("definedActions", registry.entries.values.count { $0.definition != nil })
    writer.member("registeredActions", registry.registeredCount)
    writer.member("recording", ledger.recording.isOn(at: now.decay))
    writer.member("pausedUntil", pausedUntil(now))
    writer.member("catalogueErrors", catalogueErrors)
    writer.member("subscribers", subscribers)
    writer.member("usesWithoutHour", ledger.ranking.usesWithoutHour)
    writer.member("connections", openConnections)
    writer.member("keptConnections", keptConnections)
    writer.member("intakeLogBytes", intakeLogBytes)
    writer.member("generation", generation)
    writer.member("snapshotError", snapshotFailure?.error.description)
    writer.member(
      "snapshotErrorSince", snapshotFailure.map { RFC3339.string(nanoseconds: $0.since.wall, fractionDigits: 3) })
    writer.member("storageError", storageFailure?.error.description)
    writer.member(
      "storageErrorSince", storageFailure.map { RFC3339.string(nanoseconds: $0.since.wall, fractionDigits: 3) })
    writer.member("settingsError", settingsRefusal)
    writer.member("diskBusyMilliseconds", diskBusyTime / 1_000_000)
    writer.member("loop", object: { $0.member("longestStallMilliseconds", milliseconds: longestTurn) })
    writer.member(
      "snapshots",
      object: { json in
        json.member("planned", roundDelays.start.count)
        json.member("lateness", object: { Self.write(roundDelays.start, to: &$0) })
        json.member("untilWritten", object: { Self.write(roundDelays.end, to: &$0) })
      })
    writer.key("counters")
    writer.object { writer in
      for (name, path) in Counters.all { writer.member(name, ledger.counters[keyPath: path]) }
    }
    writer.key("refused")
    writer.object { writer in
      for code in RefusalCode.allCases { writer.member(code.rawValue, ledger.counters.refused[code]) }
    }
  }

  private func writeRanking(to writer: inout JSONWriter) {
    writer.member("maxActions", ledger.ranking.maxActions)
    writer.member("actions", ledger.ranking.actionCount)
    writer.member("purges", ledger.ranking.purges.times)
    writer.member("purged", ledger.ranking.purges.actions)
    writer.member("maxError", number: ledger.ranking.maxError(ofApp: nil, at: ledger.now().decay))
  }

  private static func write(_ delays: DurationHistogram, to json: inout JSONWriter) {
    json.member("p50Milliseconds", milliseconds: delays.quantile(0.5))
    json.member("p999Milliseconds", milliseconds: delays.quantile(0.999))
    json.member("maxMilliseconds", milliseconds: delays.longest)
  }
}

extension JSONWriter {
  /// Writes nanoseconds as milliseconds with three decimals.
  fileprivate mutating func member(_ name: String, milliseconds nanoseconds: Int64) {
    member(name, rate: Double(nanoseconds / 1000) / 1000)
  }
}
