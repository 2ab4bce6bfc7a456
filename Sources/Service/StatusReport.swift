import Posix
import Ranking
import Storage
import Wire

/// The answer to `{"op":"status"}`: everything that the daemon counts, by name.
struct StatusReport {
  let ledger: Ledger
  let generation: UInt64
  let openConnections: Int
  let keptConnections: Int
  let intakeLogBytes: Int
  let snapshotFailure: (error: SystemError, since: Moment)?
  let storageFailure: (error: StorageError, since: Moment)?
  let settingsRefusal: String?
  let diskBusyTime: Int64?

  /// One line of JSON, with its line end.
  func line() -> [UInt8] {
    let now = ledger.now()
    var writer = JSONWriter(.compact, reserving: 2048)
    writer.object { writer in
      writer.key("status")
      writer.object { writer in write(now, to: &writer) }
    }
    writer.newline()
    return writer.bytes
  }

  private func write(_ now: Moment, to writer: inout JSONWriter) {
    writer.member("version", Options.version)
    writer.member("pid", Process.processID)
    writer.member("startedAt", RFC3339.string(nanoseconds: ledger.startedAt.wall, fractionDigits: 3))
    writer.member("uptimeSeconds", (now.decay - ledger.startedAt.decay) / 1_000_000_000)
    writer.member("actions", ledger.ranking.actionCount)
    writer.member("apps", ledger.ranking.appCount)
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
    writer.member("diskBusyMilliseconds", (diskBusyTime ?? 0) / 1_000_000)
    writer.key("counters")
    writer.object { writer in
      for (name, path) in Counters.all { writer.member(name, ledger.counters[keyPath: path]) }
    }
    writer.key("refused")
    writer.object { writer in
      for code in RefusalCode.allCases { writer.member(code.rawValue, ledger.counters.refused[code]) }
    }
  }
}
