import func Glibc.exp2
import func Glibc.log2

extension ActionRanking {
  private static let dayLength: Int64 = 86_400_000_000_000
  /// So many days that are over wait at most; further ones take the place of the oldest.
  private static let mostFinishedDays = 10_000

  // MARK: Publishing

  /// Takes note what is published of an app, by place, static and pinned actions included: each further use of one of
  /// its actions is a hit or a miss, unless it is dated back by more than ``trialSpan``.
  ///
  /// - Complexity: O(what is and was published).
  package mutating func setPublished(_ numbers: [UInt32], ofApp app: UInt32) {
    let old = published[Int(app)]
    let numbers = numbers.map { isPresent($0) && actions[$0].app == app ? $0 : AppLists.nobody }
    if apps[app].isPublished, old == numbers { return }
    for number in old where number != AppLists.nobody { actions[counters: number].isPublished = false }
    for number in numbers where number != AppLists.nobody { actions[counters: number].isPublished = true }
    published[Int(app)] = numbers
    if apps[app].isPublished {
      let changes = UInt64(
        (0..<max(old.count, numbers.count)).count { place in
          place >= old.count || place >= numbers.count || old[place] != numbers[place]
        })
      markUncommitted(app: app)
      begin(dayOf: latestWall, ofApp: app)
      apps[hits: app].published.changes &+= changes
      apps[hits: app].published.today.changes &+= changes
    }
    apps[app].isPublished = true
  }

  /// Takes an action out of what is published of its app.
  mutating func unpublish(_ number: UInt32) {
    if !actions[counters: number].isPublished { return }
    actions[counters: number].isPublished = false
    let app = Int(actions[number].app)
    for place in published[app].indices where published[app][place] == number {
      published[app][place] = AppLists.nobody
    }
  }

  @inline(__always)
  mutating func notePublishedTrial(_ app: UInt32, isHit: Bool, at wall: Int64) {
    let hit: UInt32 = isHit ? 1 : 0
    addPublished(app, hits: hit, of: 1, at: wall)
    apps[hits: app].published.recentTrials = apps[hits: app].published.recentTrials * HitRates.factor + 1
    apps[hits: app].published.recentHits = apps[hits: app].published.recentHits * HitRates.factor + Float(hit)
  }

  /// The same of many uses that have no order.
  mutating func notePublishedTrials(_ app: UInt32, hits: UInt32, of trials: UInt32, at wall: Int64) {
    addPublished(app, hits: hits, of: trials, at: wall)
    let kept = Float(exp2(Double(trials) * log2(Double(HitRates.factor))))
    let added = (1 - kept) / (1 - HitRates.factor)
    let share = Float(hits) / Float(trials)
    apps[hits: app].published.recentTrials = apps[hits: app].published.recentTrials * kept + added
    apps[hits: app].published.recentHits = apps[hits: app].published.recentHits * kept + added * share
  }

  /// Adds to the totals, of all days and of the day.
  @inline(__always)
  private mutating func addPublished(_ app: UInt32, hits: UInt32, of trials: UInt32, at wall: Int64) {
    begin(dayOf: wall, ofApp: app)
    apps[hits: app].published.trials &+= UInt64(trials)
    apps[hits: app].published.hits &+= UInt64(hits)
    apps[hits: app].published.today.trials &+= UInt64(trials)
    apps[hits: app].published.today.hits &+= UInt64(hits)
  }

  /// Goes over to the day that a wall time lies in. The day before goes on if a use of it comes late.
  @inline(__always)
  private mutating func begin(dayOf wall: Int64, ofApp app: UInt32) {
    let today = apps[hits: app].published.today.day
    if wall >= today &* Self.dayLength, wall &- today &* Self.dayLength < Self.dayLength { return }
    let (quotient, rest) = wall.quotientAndRemainder(dividingBy: Self.dayLength)
    let day = rest < 0 ? quotient - 1 : quotient
    if day == today || day == today - 1 { return }
    let over = apps[hits: app].published.today
    if over.trials > 0 || over.changes > 0 {
      if finishedDays.count >= Self.mostFinishedDays { finishedDays.removeFirst() }
      finishedDays.append(FinishedDay(app: app, hits: over))
    }
    apps[hits: app].published.today = DayOfHits()
    apps[hits: app].published.today.day = day
  }

  // MARK: Forgetting

  /// Forgets how good the lists of some apps were, which decay that has brought into force, and how many uses they had.
  /// None of their actions has uses any more.
  ///
  /// - Complexity: O(`numbers`, and days that wait to be stored); their lists go stale.
  package mutating func forgetHits(ofApps numbers: [UInt32]) {
    let forgotten = Set(numbers)
    finishedDays.removeAll { forgotten.contains($0.app) }
    for app in numbers {
      markUncommitted(app: app)
      apps[hits: app] = AppHits()
      (apps[app].rates, apps[app].inForce, apps[app].steps) = (HitRates(), .power, 0)
      forgetLosses(ofApp: app)
      markStale(app)
    }
  }

  // MARK: Looking

  /// How good the lists of an app were.
  package func hits(ofApp app: UInt32) -> AppHits {
    var hits = apps[hits: app]
    hits.add(apps[app].rates.untakenCounts)
    return hits
  }

  /// Takes the last values of the days that are over, since this was last asked.
  package mutating func takeFinishedDays() -> [FinishedDay] {
    defer { (finishedDays, reusedApps) = ([], []) }
    return finishedDays.filter { apps[$0.app].isPresent }
  }

  /// Gives back what could not be stored, so that it is taken again; but for apps that are gone.
  package mutating func giveBackFinishedDays(_ days: [FinishedDay]) {
    let known = days.filter { apps[$0.app].isPresent && !reusedApps.contains($0.app) }
    finishedDays = (known + finishedDays).suffix(Self.mostFinishedDays)
  }
}
