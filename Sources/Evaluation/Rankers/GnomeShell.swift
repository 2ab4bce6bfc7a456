/// As GNOME Shell ranks apps (`src/shell-app-usage.c` of GNOME/gnome-shell).
///
/// The app in front gains 1 for each 7 seconds; here that is the action used last, until the next use but for 30
/// minutes at most. When a score is over 25,714 (50 hours), all are halved. A score under an eighth of that counts as 0
/// once its action was not used for a week.
struct GnomeShell: Ranker {
  private static let maxScore = 25_714.0
  private static let secondsForPoint = 7
  private static let longestInFront: Int64 = 1_800_000_000_000

  private var standings: Standings
  private var scores: [Double]
  private var week = AgeLimit(.days(7))
  private var times: [Int64] = []
  private var used: [Int32] = []

  init(actions: Int) {
    standings = Standings(actions: actions)
    scores = Array(repeating: 0, count: actions)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    if let last = used.last, let since = times.last { credit(Int(last), since: since, at: moment.time) }
    while let index = week.pass(times, at: moment.time) {
      let action = Int(used[index])
      if standings.lastUses[action] == Int32(index) { standings.change(action, shown(action, at: moment.time)) }
    }
    standings.lead(&leaders)
  }

  private mutating func credit(_ action: Int, since: Int64, at now: Int64) {
    scores[action] += Double(min(now - since, Self.longestInFront) / 1_000_000_000 / Int64(Self.secondsForPoint))
    if scores[action] > Self.maxScore {
      for action in scores.indices { scores[action] /= 2 }
      standings.changeAll { Self.shown(scores[$0], lastUse: times[Int($1)], at: now) }
    } else {
      standings.change(action, shown(action, at: now))
    }
  }

  /// What an action's score counts for.
  private func shown(_ action: Int, at now: Int64) -> Double {
    Self.shown(scores[action], lastUse: times[Int(standings.lastUses[action])], at: now)
  }

  private static func shown(_ score: Double, lastUse: Int64, at now: Int64) -> Double {
    now - lastUse > .days(7) && score < maxScore / 8 ? 0 : score
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    times.append(moment.time)
    used.append(Int32(action))
    standings.use(action, scores[action], at: moment.index)
  }
}
