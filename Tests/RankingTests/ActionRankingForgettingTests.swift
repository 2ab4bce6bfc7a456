import Testing

@testable import Ranking

@Suite("Forgetting what was used since an hour")
struct ActionRankingForgettingTests {
  private let now = Moment(decay: 0, wall: today)
  private let thisHour = today / hour

  private func rows(_ number: UInt32, _ hours: [Int64: UInt64]) -> StoredHours {
    StoredHours(number: number, hours: hours.map { StoredHour(hour: thisHour + $0.key, uses: $0.value) })
  }

  @Test("uses of before stay, as if each were in the middle of its hour; the rest is gone")
  func keepsBefore() {
    let halfLife = HalfLife(nanoseconds: hour / 2)
    var ranking = ActionRanking(halfLife: halfLife)
    ranking.begin(hourOf: today)
    ranking.count("a.x", uses: 4, at: -3 * hour)
    ranking.count("a.y", uses: 1, at: -3 * hour)
    _ = ranking.takeUncommitted()
    ranking.count("a.x", uses: 16)
    ranking.count("a.x", uses: 2, at: -2 * hour + 1)
    ranking.count("a.x", uses: 32, at: -hour)
    _ = ranking.takeChanges()
    let untouched = ranking.state(1)
    #expect(ranking.uncommittedActions(hoursFrom: thisHour - 1) == [0])
    let forgotten = ranking.forget(hoursFrom: thisHour - 1, stored: [rows(0, [-3: 4])], at: now)
    #expect(forgotten == (1, 48))
    let state = ranking.state(0)
    #expect(state.uses == 6 && state.firstUsed == today - 3 * hour && state.lastArrival == 3)
    #expect(state.lastUse == Moment(decay: -3 * hour / 2, wall: today - 3 * hour / 2))
    #expect(state.score.score(at: halfLife.position(of: -3 * hour / 2)) == 2 + 1)
    #expect(ranking.state(1).score == untouched.score && ranking.state(1).lastUse == untouched.lastUse)
    let (changes, uses) = (ranking.changes(), ranking.takeUncommitted())
    #expect(changes.apps == ["a"] && changes.top && Set(uses.actions) == [0, 1])
    #expect(uses.hours == [HourOfUse(action: 0, hour: thisHour - 2, uses: 2)])
    #expect(ranking.ids(ofApp: "a") == ["a.x", "a.y"])
  }

  @Test("an action with no uses left goes, or stays unused where it is kept", arguments: [true, false])
  func losesAll(isKept: Bool) {
    var ranking = ActionRanking()
    ranking.begin(hourOf: today)
    ranking.count("a.x", uses: 4)
    ranking.setStanding(isKept ? [.inApp, .inTop, .kept] : [.inApp, .inTop], of: "a.x")
    // Of an app that nobody was told of nobody has to be told that it is gone.
    _ = ranking.takeChanges()
    let forgotten = ranking.forget(hoursFrom: thisHour, stored: [], at: now)
    #expect(forgotten == (1, 4))
    let (changes, isStored) = (ranking.changes(), ranking.hasUncommitted)
    #expect(!isStored && changes.top && changes.gone == (isKept ? [] : ["a"]) && ranking.ranking(at: 0).isEmpty)
    #expect(ranking.ids(ofApp: "a") == (isKept ? ["a.x"] : []))
    ranking.count("a.x")
    let (uses, number) = (ranking.takeUncommitted(), ranking.find("a.x"))
    #expect(uses.hours.map(\.uses) == [1] && uses.actions == [number])
    #expect(number.map { ranking.state($0).firstUsed } == today)
  }

  @Test("uses that no row knows are kept at the first use, and an hour that goes on is kept if it is before")
  func unknownHours() {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: hour / 2))
    ranking.begin(hourOf: today)
    ranking.count("a.x", uses: 6, at: -4 * hour)
    _ = ranking.takeUncommitted()
    ranking.count("a.x", uses: 1)
    let forgotten = ranking.forget(hoursFrom: thisHour + 1, stored: [rows(0, [-3: 2, 1: 1])], at: now)
    #expect(forgotten == (1, 1))
    // Four are unknown, one is now, as the hour's middle is still to come: -4 h, -2.5 h and 0.
    #expect(ranking.state(0).lastUse == now && ranking.state(0).uses == 6)
    #expect(ranking.report(0, at: 0).score == 3.0 / 256 + 2.0 / 32 + 1)
    #expect(ranking.takeUncommitted().hours == [HourOfUse(action: 0, hour: thisHour, uses: 1)])
  }

  @Test("the own half-life's counts are made anew as well")
  func ownScores() {
    var ranking = ActionRanking(halfLife: HalfLife(nanoseconds: hour / 2))
    ranking.begin(hourOf: today)
    ranking.count("a.x", uses: 8, at: -2 * hour)
    ranking.setHalfLife(HalfLife(nanoseconds: hour / 4), ofApp: 0, at: 0)
    ranking.count("a.x", uses: 8)
    _ = ranking.forget(hoursFrom: thisHour, stored: [], at: now)
    #expect(ranking.report(0, at: 0).score == 8.0 / 64 && ranking.report(0, at: 0).commonScore == 1)
  }

  @Test("uses at the ends of time are forgotten without a trap")
  func endsOfTime() {
    var ranking = ActionRanking(halfLife: .second)
    ranking.begin(hourOf: today)
    ranking.count("a.x")
    let stored = StoredHours(
      number: 0,
      hours: [.min, .max, 0, Int64.max / hour, Int64.min / hour].map { StoredHour(hour: $0, uses: .max) })
    _ = ranking.forget(hoursFrom: .min, stored: [], at: now)
    for moment in [now, Moment(decay: .max, wall: .max), Moment(decay: .min, wall: .min)] {
      ranking.count("a.x", uses: 5)
      let number = ranking.find("a.x") ?? 0
      _ = ranking.forget(hoursFrom: .max, stored: [StoredHours(number: number, hours: stored.hours)], at: moment)
      ranking.refreshLists()
      ranking.checkInvariants()
      #expect(ranking.ranking(at: 0).allSatisfy { $0.score.isFinite && $0.score >= 0 })
    }
  }
}
