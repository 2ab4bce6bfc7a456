/// What may be set of rankings, for all apps and for one.
package enum RankingRanges {
  /// Half-lives, in nanoseconds: a second to a hundred years.
  package static let halfLife = DurationText.second...100 * DurationText.year
  /// How many actions a list offers at most.
  package static let limit = 1...20
}
