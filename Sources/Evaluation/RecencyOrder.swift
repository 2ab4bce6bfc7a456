/// Actions in the order of their latest uses.
struct RecencyOrder {
  /// What precedes and follows an action, and the index and time of its latest use.
  private struct Link {
    var newer: Int32 = -1
    var older: Int32 = -1
    var lastUse: Int32 = -1
    var time: Int64 = 0
  }

  private var links: [Link]
  private var newest: Int32 = -1

  /// - Parameter actions: how many there are to be, at most.
  init(actions: Int) { links = Array(repeating: Link(), count: actions) }

  /// Takes note of a use, the latest one.
  mutating func use(_ action: Int, at moment: UseMoment) {
    let number = Int32(action)
    if newest != number {
      let old = links[action]
      if old.newer >= 0 {
        links[Int(old.newer)].older = old.older
        if old.older >= 0 { links[Int(old.older)].newer = old.newer }
      }
      links[action].newer = -1
      links[action].older = newest
      if newest >= 0 { links[Int(newest)].newer = number }
      newest = number
    }
    links[action].lastUse = Int32(moment.index)
    links[action].time = moment.time
  }

  /// Offers actions, latest first, as long as they may be among the best four.
  ///
  /// - Parameters:
  ///   - moment: that of the next use.
  ///   - weights: what each action weighs, whenever it was used.
  ///   - factor: of an action last used so many nanoseconds ago; it never rises with age.
  ///   - score: of a weight and a factor; it never falls when one of them rises.
  @inline(__always)
  func lead(
    _ leaders: inout Leaders, at moment: UseMoment, _ weights: WeightTable, factor: (Int64) -> Double,
    score: (Double, Double) -> Double
  ) {
    var next = newest
    while next >= 0 {
      let link = links[Int(next)]
      let factor = factor(moment.time - link.time)
      if leaders.isSettled(score: score(weights.greatest, factor), lastUse: link.lastUse) { return }
      leaders.offer(Int(next), score: score(weights.weights[Int(next)], factor), lastUse: link.lastUse)
      next = link.older
    }
  }
}
