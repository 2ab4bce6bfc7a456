import Posix
import Ranking
import Settings
import Systemd
import Wire

extension Daemon {
  /// Reads the settings again and goes on with them, or with the old ones if they are wrong.
  func reload() {
    tell(.reloading(since: Clocks.monotonic()))
    do {
      let loaded = try SettingsFiles.load(path: settingsSource.path, mustExist: settingsSource.mustExist)
      for warning in loaded.warnings { log(.warning, warning.message) }
      apply(loaded.settings)
      readCatalogue()
      settingsRefusal = nil
      ledger.counters.reloads += 1
      log(.info, "settings read again")
    } catch {
      for problem in error.problems { log(.error, problem.message) }
      log(.error, "the settings are wrong; the old ones stay")
      settingsRefusal = error.problems.first?.message ?? "unknown"
      ledger.counters.reloadsRefused += 1
    }
    committer.noteChange()
    updateStatus()
    tell(.ready)
  }

  /// Declarations are read again also where the settings have not changed.
  private func readCatalogue() {
    let languages = catalogue.languages
    catalogue.read(settings)
    intake.desk.control.languages = catalogue.languages
    if catalogue.languages != languages { registry.translate(to: catalogue.languages) }
    registry.apply(catalogue.current, onlyDefined: settings.onlyDefined, at: ledger.now())
    publisher.startRound()
  }

  private func apply(_ new: Settings) {
    let old = settings
    settings = new
    RankingSettings(new).apply(to: &ledger.ranking, at: ledger.now().decay)
    ledger.ranking.trialSpan = new.snapshotInterval
    intake.apply(new)
    ledger.recording.isAllowed = new.record
    committer.policy = Committer.Policy(new)
    ledger.recentIDs.lifetime = new.rememberIDs
    if new.snapshotMode != old.snapshotMode { publisher.rewriteAll(mode: new.snapshotMode) }
    if new.snapshotInterval != old.snapshotInterval { planNextSnapshot() }
  }

  /// A moment's wall time, for messages.
  func rfc3339(_ moment: Moment) -> String { RFC3339.string(nanoseconds: moment.wall, fractionDigits: 0) }
}
