package import Ranking

/// A way to rank that takes part in an evaluation.
package struct Contender: Sendable {
  /// As it stands in the report.
  package let name: String
  /// Tries it on all uses of a user.
  let replay: @Sendable (Trace.User) -> UserFigures

  /// - Parameter make: makes a ranker that has seen nothing, for so many actions at most.
  package init<R: Ranker & ~Copyable>(_ name: String, _ make: @escaping @Sendable (_ actions: Int) -> R) {
    self.name = name
    replay = { user in UserFigures.replay(user, make(user.actionCount)) }
  }
}

// Ours.
extension Contender {
  /// What the daemon shows of an app, by its own code.
  ///
  /// - Parameters:
  ///   - swapMargin: by what share of another's score an action has to be ahead to take its place: 0 to 10.
  ///   - keepPlaces: whether that holds among those that are shown, too.
  package static func daemon(swapMargin: Double = 0.25, keepPlaces: Bool = true) -> Contender {
    Contender("adaptive") { _ in DaemonRanking(swapMargin: swapMargin, keepPlaces: keepPlaces) }
  }

  /// By the latest use alone.
  package static let latestUse = Contender("mru") { LatestUse(actions: $0) }
  /// By the number of uses alone.
  package static let useCount = Contender("lfu") { UseCount(actions: $0) }

  /// As the daemon counts with this setting of `HalfLife=`.
  package static func halfLife(_ halfLife: HalfLife, named name: String) -> Contender {
    Contender(name) { FixedHalfLife(halfLife, .time, actions: $0) }
  }

  /// As the daemon would count if the clock moved by uses: each use is worth half of what it was after so many others.
  ///
  /// - Parameter uses: at least 1, at most a thousand million.
  package static func halfLife(uses: Int) -> Contender {
    let halfLife = HalfLife(nanoseconds: Int64(uses) * 1_000_000_000)
    return Contender("\(uses) use\(uses == 1 ? "" : "s")") { FixedHalfLife(halfLife, .uses, actions: $0) }
  }
}

// Peers, by their published formulas.
extension Contender {
  /// zoxide.
  package static let zoxide = Contender("zoxide") { Zoxide(actions: $0) }
  /// z of rupa.
  package static let rupaZ = Contender("z") { RupaZ(actions: $0) }
  /// Firefox until version 146.
  package static let firefoxBuckets = Contender("firefox buckets") { FirefoxBuckets(actions: $0) }
  /// Firefox since version 147.
  package static let firefoxDecay = Contender("firefox 147") { FirefoxDecay(actions: $0) }
  /// GNOME Shell.
  package static let gnomeShell = Contender("gnome shell") { GnomeShell(actions: $0) }
  /// KDE's activity manager (`src/service/plugins/sqlite/ResourceScoreCache.cpp` of KDE/kactivitymanagerd): a use falls
  /// to 1/e in 32 days.
  package static let kdeActivities = Contender("kde activities") {
    FixedHalfLife(HalfLife(nanoseconds: Int64(Double(Int64.days(32)) * 0.693_147_180_559_945_3)), .time, actions: $0)
  }
  /// walker.
  package static let walker = Contender("walker") { Walker(actions: $0) }
  /// rofi.
  package static let rofi = Contender("rofi") { Rofi(actions: $0) }

  /// Half-lives from an hour to 30 days.
  package static let fixedTimes: [Contender] =
    [1, 6].map { halfLife(HalfLife(nanoseconds: .hours($0)), named: "\($0)h") }
    + [1, 3, 7, 14, 30].map { halfLife(HalfLife(nanoseconds: .days($0)), named: "\($0)d") }

  /// The fixed half-lives of which the best is a measure for everybody: those in time, and from 5 to 500 uses.
  package static let fixedHalfLives: [Contender] =
    fixedTimes + [5, 10, 20, 50, 100, 200, 500].map { halfLife(uses: $0) }

  /// What others do: the two simplest ways to rank, and the formulas of other programs.
  package static let peers = [
    latestUse, useCount, zoxide, rupaZ, firefoxBuckets, firefoxDecay, gnomeShell, kdeActivities, walker, rofi,
  ]

  /// Everybody but the daemon as a whole.
  package static let all = fixedHalfLives + peers
}
