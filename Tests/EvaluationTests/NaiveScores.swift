import Foundation

@testable import Evaluation

/// Each ranker's formula as plainly as it can be said: all scores, from all uses so far, at one moment.
enum NaiveScores {
  typealias Uses = ArraySlice<Trace.Use>
  typealias Formula = @Sendable (Uses, Int64, Int) -> [Double]

  private static func sum(_ uses: Uses, _ actions: Int, _ worth: (Int, Trace.Use) -> Double) -> [Double] {
    var scores = [Double](repeating: 0, count: actions)
    for (index, use) in uses.enumerated() { scores[Int(use.action)] += worth(index, use) }
    return scores
  }

  private static func times(_ uses: Uses, _ action: Int) -> [Int64] {
    uses.filter { $0.action == action }.map(\.time)
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }

  static let latestUse: Formula = { uses, _, actions in
    (0..<actions).map { action in Double((uses.lastIndex { $0.action == action } ?? -1) + 1) }
  }

  static let useCount: Formula = { uses, _, actions in sum(uses, actions) { _, _ in 1 } }

  /// As of the latest use: a share does not depend on the moment.
  static func time(_ halfLife: Double) -> Formula {
    { uses, _, actions in
      sum(uses, actions) { _, use in exp2(-seconds((uses.last?.time ?? 0) - use.time) / halfLife) }
    }
  }

  static func uses(_ halfLife: Double) -> Formula {
    { uses, _, actions in sum(uses, actions) { index, _ in exp2(-Double(uses.count - index) / halfLife) } }
  }

  static let zoxide: Formula = { uses, now, actions in
    (0..<actions).map { action in
      let times = times(uses, action)
      let age = seconds(now - (times.last ?? 0))
      return Double(times.count) * (age < 3600 ? 4 : age < 86_400 ? 2 : age < 604_800 ? 0.5 : 0.25)
    }
  }

  static let rupaZ: Formula = { uses, now, actions in
    (0..<actions).map { action in
      let times = times(uses, action)
      return 10_000 * Double(times.count) * (3.75 / ((0.0001 * seconds(now - (times.last ?? 0)) + 1) + 0.25))
    }
  }

  static let walker: Formula = { uses, now, actions in
    (0..<actions).map { action in
      let times = times(uses, action)
      return max((10 - floor(seconds(now - (times.last ?? 0)) / 86_400)) * Double(min(times.count, 10)), 1)
    }
  }

  static let firefoxBuckets: Formula = { uses, now, actions in
    (0..<actions).map { action in
      let times = times(uses, action)
      let sample = times.suffix(10)
      let points = sample.map { time -> Double in
        let days = seconds(now - time) / 86_400
        return days <= 4 ? 100 : days <= 14 ? 70 : days <= 31 ? 50 : days <= 90 ? 30 : 10
      }
      return ceil(Double(times.count) * points.reduce(0, +) / Double(sample.count))
    }
  }

  static let firefoxDecay: Formula = { uses, _, actions in
    (0..<actions).map { action in
      let times = times(uses, action)
      let sample = times.suffix(10)
      let points = sample.map { exp2(-seconds((uses.last?.time ?? 0) - $0) / (30 * 86_400)) }
      return Double(times.count) / Double(sample.count) * points.reduce(0, +)
    }
  }

  static let gnomeShell: Formula = { uses, now, actions in
    var scores = [Double](repeating: 0, count: actions)
    var lastUses = [Int64](repeating: 0, count: actions)
    for (index, use) in zip(uses.indices, uses) {
      let next = index + 1 < uses.endIndex ? uses[index + 1].time : now
      lastUses[Int(use.action)] = use.time
      scores[Int(use.action)] += floor(floor(min(seconds(next - use.time), 1800)) / 7)
      if scores[Int(use.action)] > 25_714 { for action in 0..<actions { scores[action] /= 2 } }
    }
    return (0..<actions).map { action in
      seconds(now - lastUses[action]) > 7 * 86_400 && scores[action] < 25_714 / 8.0 ? 0 : scores[action]
    }
  }

  static let rofi: Formula = { uses, _, actions in
    var scores = [Double](repeating: 0, count: actions)
    var lastUses = [Int](repeating: -1, count: actions)
    for (index, use) in uses.enumerated() {
      scores[Int(use.action)] += 1
      lastUses[Int(use.action)] = index
      let kept = (0..<actions).filter { scores[$0] > 0 }
        .sorted { (scores[$0], lastUses[$0]) > (scores[$1], lastUses[$1]) }
      for action in kept.dropFirst(25) { scores[action] = 0 }
    }
    return scores
  }

  /// Figures with all keys computed anew, and sorted, before each use.
  static func replay(_ user: Trace.User, _ formula: Formula) -> UserFigures {
    var figures = UserFigures(uses: user.uses.count)
    var shown: Set<Int> = []
    for index in user.uses.indices.dropFirst() {
      let uses = user.uses[..<index]
      let use = user.uses[index]
      let known = Set(uses.map { Int($0.action) })
      let scores = formula(uses, use.time, user.actionCount)
      let greatest = max(known.map { scores[$0] }.max() ?? 0, 1e-300)
      func key(_ action: Int) -> Double {
        let lastUse = uses.lastIndex { $0.action == action } ?? -1
        return scores[action] / greatest + 1e-12 * (Double(lastUse + 1) / Double(user.uses.count))
      }
      let keys = Dictionary(uniqueKeysWithValues: known.map { ($0, key($0)) })
      let sorted = keys.values.sorted(by: >)
      if let own = keys[Int(use.action)], let place = sorted.firstIndex(of: own), place < 4 {
        figures.hits += 1
        figures.reciprocals += 1 / Double(place + 1)
      }
      let best = Set(keys.filter { $0.value >= sorted[min(3, sorted.count - 1)] }.keys)
      figures.changes += best.subtracting(shown).count
      shown = best
    }
    return figures
  }
}
