/// As Firefox ranked pages until version 146 (`toolkit/components/places/SQLFunctions.cpp` of mozilla-firefox/firefox).
///
/// Each of the latest ten visits is worth 100 within 4 days, 70 within 14, 50 within 31, 30 within 90 and 10 after that.
/// The score is their mean times the number of all visits, rounded up; all visits count as typed links would.
struct FirefoxBuckets: Ranker {
  private static let buckets: [(days: Int64, points: Double)] = [(4, 100), (14, 70), (31, 50), (90, 30)]
  private static let oldPoints = 10.0

  private var standings: Standings
  private var visits: VisitLog<Int64>
  private var limits = buckets.map { AgeLimit(.days($0.days)) }
  private var times: [Int64] = []
  private var used: [Int32] = []

  init(actions: Int) {
    standings = Standings(actions: actions)
    visits = VisitLog(actions: actions, none: 0)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) {
    for limit in limits.indices {
      while let index = limits[limit].pass(times, at: moment.time) {
        let action = Int(used[index])
        standings.change(action, score(action, at: moment.time))
      }
    }
    standings.lead(&leaders)
  }

  private func score(_ action: Int, at now: Int64) -> Double {
    var points = 0.0
    for time in visits.sample(action) { points += Self.points(now - time) }
    return (Double(visits.counts[action]) * points / Double(visits.sampleCount(action))).rounded(.up)
  }

  private static func points(_ age: Int64) -> Double {
    for bucket in buckets where age <= .days(bucket.days) { return bucket.points }
    return oldPoints
  }

  mutating func count(_ action: Int, at moment: UseMoment) {
    times.append(moment.time)
    used.append(Int32(action))
    visits.add(moment.time, to: action)
    standings.use(action, score(action, at: moment.time), at: moment.index)
  }
}
