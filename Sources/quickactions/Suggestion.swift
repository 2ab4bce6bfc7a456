/// Guesses what was meant by a word that is not known.
enum Suggestion {
  /// Words for the nearest of `known`; nil if none is near.
  static func words(for word: String, among known: [String]) -> String? {
    nearest(to: word, among: known).map { "did you mean '\($0)'?" }
  }

  /// The known word with the fewest slips between it and `word`, at most a third of its length.
  static func nearest(to word: String, among known: [String]) -> String? {
    // What is longer than any known word with its slips is not looked at, however long it is.
    guard word.utf8.count <= 40 else { return nil }
    return known.map { (word: $0, slips: distance(word, $0)) }
      .filter { $0.slips <= max(1, $0.word.count / 3) }
      .min { $0.slips < $1.slips }?.word
  }

  /// How many bytes have to be put in, left out, replaced or swapped with their neighbour to make one word of another
  /// (optimal string alignment).
  ///
  /// - Complexity: O(product of both lengths).
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var (beforeLast, last) = ([Int](), Array(0...second.count))
    for row in 0..<first.count {
      var current = [row + 1]
      for column in 0..<second.count {
        let cost = first[row] == second[column] ? 0 : 1
        var best = min(last[column] + cost, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[second.count]
  }
}
