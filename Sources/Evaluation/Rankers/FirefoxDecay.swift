import Ranking

/// As Firefox ranks pages since version 147 (`toolkit/components/places/SQLFunctions.cpp` of mozilla-firefox/firefox).
///
/// Each of the latest ten visits is worth half as much after every 30 days. The score is their mean times the number of
/// all visits.
struct FirefoxDecay: Ranker {
  private static let halfLife = HalfLife(nanoseconds: .days(30))

  private var decayed: DecayedStandings
  private var visits: VisitLog<DecayedCount>

  init(actions: Int) {
    decayed = DecayedStandings(Self.halfLife, actions: actions)
    visits = VisitLog(actions: actions, none: .zero)
  }

  mutating func lead(at moment: UseMoment, _ leaders: inout Leaders) { decayed.standings.lead(&leaders) }

  mutating func count(_ action: Int, at moment: UseMoment) {
    let position = Self.halfLife.position(of: moment.time)
    visits.add(DecayedCount(weight: 1, at: position), to: action)
    var sum = DecayedCount.zero
    for visit in visits.sample(action) { sum.add(visit) }
    let weight = Double(visits.counts[action]) / Double(visits.sampleCount(action))
    let count = DecayedCount(value: sum.value * weight, landmark: sum.landmark)
    decayed.use(action, count, at: position, moment.index)
  }
}
