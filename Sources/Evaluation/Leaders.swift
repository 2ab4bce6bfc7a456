/// The best four of what a ranker offers, and how they are told apart.
///
/// An action's key is its score as a share of the greatest one, plus 10⁻¹² times the place of its latest use among all
/// of its user's (from over 0 for the first to 1 for the last). So of scores that differ by less than that, the one of
/// the action used later counts for more, whatever rounding did to them; keys equal to the last bit share a place.
package struct Leaders {
  /// How many actions a menu shows.
  package static let size = 4
  /// What the place of the latest use is multiplied by.
  private static let tieShare = 1e-12
  /// Stands for a greatest score of 0.
  private static let leastGreatest = 1e-300

  private struct Candidate {
    let action: Int32
    let score: Double
    let tie: Double
    var key: Double
  }

  private let uses: Double
  private var candidates: [Candidate] = []
  private var greatest = Self.leastGreatest
  /// The best keys, best first; -1 where none is.
  private var best = (-1.0, -1.0, -1.0, -1.0)
  /// A score under this, whatever its tie, is not among the best; found without a division.
  private var hopeless = 0.0
  /// The tie of the use before.
  private var newestTie = 0.0

  /// - Parameter uses: all of the user's, those to come included.
  init(uses: Int) { self.uses = Double(uses) }

  /// Forgets what was offered; the next offers are for the use of this index.
  mutating func reset(at index: Int) {
    candidates.removeAll(keepingCapacity: true)
    greatest = Self.leastGreatest
    best = (-1, -1, -1, -1)
    hopeless = 0
    newestTie = tie(index - 1)
  }

  /// Offers an action.
  ///
  /// - Parameters:
  ///   - score: what it is ranked by: finite, never negative.
  ///   - lastUse: the index of its latest use.
  /// - Complexity: O(1); O(n) in the offers before it if none of them had as great a score.
  package mutating func offer(_ action: Int, score: Double, lastUse: Int32) {
    if score < hopeless { return }
    if score > greatest { rescale(score) }
    let tie = tie(Int(lastUse))
    let key = score / greatest + tie
    candidates.append(Candidate(action: Int32(truncatingIfNeeded: action), score: score, tie: tie, key: key))
    insert(key)
  }

  /// Whether no action can be among the best any more that has at most this score and was used no later than this.
  package func isSettled(score: Double, lastUse: Int32) -> Bool {
    isSettled(score, tie(Int(lastUse)))
  }

  /// Whether no action can be among the best any more that has at most this score.
  package func isSettled(score: Double) -> Bool { isSettled(score, newestTie) }

  private func isSettled(_ score: Double, _ tie: Double) -> Bool {
    score < hopeless || (score <= greatest && score / greatest + tie < best.3)
  }

  private func tie(_ index: Int) -> Double { Self.tieShare * (Double(index + 1) / uses) }

  private mutating func rescale(_ score: Double) {
    greatest = score
    best = (-1, -1, -1, -1)
    hopeless = 0
    for index in candidates.indices {
      candidates[index].key = candidates[index].score / greatest + candidates[index].tie
      insert(candidates[index].key)
    }
  }

  private mutating func insert(_ key: Double) {
    if key <= best.3 { return }
    if key <= best.2 {
      best.3 = key
    } else if key <= best.1 {
      (best.2, best.3) = (key, best.2)
    } else if key <= best.0 {
      (best.1, best.2, best.3) = (key, best.1, best.2)
    } else {
      best = (key, best.0, best.1, best.2)
    }
    hopeless = greatest * (best.3 - 2 * Self.tieShare)
  }

  /// How many actions are before this one; nil if it is not among the best.
  func place(of action: Int32) -> Int? {
    guard let candidate = candidates.first(where: { $0.action == action }), candidate.key >= best.3 else { return nil }
    let key = candidate.key
    return (best.0 > key ? 1 : 0) + (best.1 > key ? 1 : 0) + (best.2 > key ? 1 : 0)
  }

  /// Replaces the actions in `list` by those that are the best now: four, or more if keys are equal.
  func best(into list: inout [Int32]) {
    list.removeAll(keepingCapacity: true)
    for candidate in candidates where candidate.key >= best.3 { list.append(candidate.action) }
  }
}
