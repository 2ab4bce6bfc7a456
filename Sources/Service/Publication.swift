import Ranking
import Snapshots

/// What is known of one snapshot's files.
struct Publication {
  /// Whether it has to be written.
  var isDue = true
  /// Decay time of the scores that it shows.
  var scoresAt: Int64 = 0
  /// Whether it shows a score that can still fade.
  var showsScores = false
  /// Whether it is written even if it shows nothing new: its file may have been changed or have another mode.
  var isForced = true
  /// Of all that it shows but scores.
  var fingerprint = 0

  /// One that has to be written.
  init() {}

  /// One of an app that is gone.
  init(isDue: Bool) { self.isDue = isDue }

  /// One that is published with the scores of a decay time.
  init(_ snapshot: Snapshot, scoresAt: Int64) {
    (isDue, isForced) = (false, false)
    self.scoresAt = scoresAt
    showsScores = (snapshot.shortcuts + snapshot.dynamic).contains { $0.action.score > 0 }
    fingerprint = snapshot.fingerprint
  }
}
