import Ranking
import Settings

/// How actions are ranked, as the settings say.
struct RankingSettings: Equatable {
  var halfLife: HalfLife
  var limit: Int
  var method: RankingMethod
  /// By which share an action has to lead the one that it replaces.
  var swapMargin: Double
  var keepPlaces: Bool
  var maxActions: Int

  init(_ settings: Settings) {
    halfLife = HalfLife(nanoseconds: settings.halfLife)
    limit = settings.limit
    method = settings.method == .adaptive ? .adaptive : .fixed
    swapMargin = Double(settings.swapMargin) / 100
    keepPlaces = settings.keepPlaces
    maxActions = settings.maxActions
  }

  /// What is in force.
  init(of ranking: borrowing ActionRanking) {
    halfLife = ranking.halfLife
    limit = ranking.limit
    method = ranking.method
    swapMargin = ranking.swapMargin
    keepPlaces = ranking.keepsPlaces
    maxActions = ranking.maxActions
  }

  /// Goes over to these, if they are others than those in force.
  func apply(to ranking: inout ActionRanking, at time: Int64) {
    if maxActions != ranking.maxActions { ranking.setMaxActions(maxActions) }
    if self == RankingSettings(of: ranking) { return }
    ranking.change(
      halfLife: halfLife, limit: limit, at: time, method: method, swapMargin: swapMargin, keepPlaces: keepPlaces)
  }
}
