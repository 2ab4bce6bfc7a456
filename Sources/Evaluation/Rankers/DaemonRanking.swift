import Ranking

/// As the daemon ranks and shows: its own ranking, with the user's actions as those of one app.
///
/// Places are those of the list as it is shown, whatever the scores are.
struct DaemonRanking: Ranker, ~Copyable {
  /// The default of `HalfLife=`.
  private static let halfLife = HalfLife(nanoseconds: .days(7))
  /// Only one app is in this ranking.
  private static let app = [UInt8(ascii: "a")]

  private var ranking: ActionRanking

  init(swapMargin: Double, keepPlaces: Bool) {
    // Ids are made here, so nobody can choose them to meet in the tables.
    ranking = ActionRanking(
      halfLife: Self.halfLife, limit: Leaders.size, seed: (0, 0), swapMargin: swapMargin, keepPlaces: keepPlaces)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    let list = ranking.ranking(ofApp: ranking.app(of: 0), at: moment.time)
    for (place, row) in list.enumerated() {
      let action = row.id.reduce(0) { $0 << 8 | Int($1) }
      leaders.offer(action, score: Double(Leaders.size - place), lastUse: 0)
    }
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    // The wall time is for display and for the history by the hour, which nobody asks for here.
    let time = UseTime(clientTime: nil, now: Moment(decay: moment.time, wall: 0))
    unsafe withUnsafeBytes(of: UInt32(action).bigEndian) { id in
      unsafe Self.app.withUnsafeBytes { app in
        _ = unsafe ranking.count(id, app: app, uses: 1, at: time)
      }
    }
  }
}
