import TestSupport
import Testing

@testable import Ranking

/// All that a commit is to contain, copied in one go; and what the ranking has copied bit by bit.
struct FrozenState {
  /// By app and id.
  var actions: [[String]: ActionState] = [:]
  var hours: [[String]: [Int64: UInt64]] = [:]
  /// By number.
  var apps: [UInt32: AppState] = [:]

  init() {}

  /// Freezes what has to be stored, and copies it.
  init(freezing ranking: inout ActionRanking) {
    var numbered: UseHistory.Hours = [:]
    ranking.history.addUncommitted(to: &numbered, in: ranking.actions)
    for (number, hours) in numbered { self.hours[Self.key(ranking.name(number))] = hours }
    ranking.freeze()
    for number in ranking.actionNumbers where ranking.history.isFrozen(ranking.actions[number].mark) {
      actions[Self.key(ranking.name(number))] = ranking.state(number)
    }
    for app in ranking.appNumbers where ranking.apps[app].mark == 3 - ranking.appMark {
      apps[app] = ranking.state(ofApp: app)
    }
  }

  /// Adds what was copied, each action and app once.
  mutating func add(_ copies: StateCopies) {
    for state in copies.changes.states {
      let key = Self.key((state.app, state.action))
      let old = actions.updateValue(state, forKey: key)
      #expect(old == nil, "\(key) is copied twice")
    }
    for use in copies.changes.uses {
      let name = copies.changes.names[use.place]
      hours[Self.key((name.app, name.action)), default: [:]][use.hour, default: 0] += use.uses
    }
    for app in copies.apps {
      let old = apps.updateValue(app.state, forKey: app.number)
      #expect(old == nil, "app \(app.number) is copied twice")
    }
  }

  /// What was copied otherwise, or is missing, or too much.
  func differences(from copied: FrozenState) -> [String] {
    Self.differences("action", actions, copied.actions) + Self.differences("hours", hours, copied.hours)
      + Self.differences("app", apps, copied.apps)
  }

  private static func differences<Key: Hashable, Value: Equatable>(
    _ kind: String, _ frozen: [Key: Value], _ copied: [Key: Value]
  ) -> [String] {
    Set(frozen.keys).union(copied.keys).filter { frozen[$0] != copied[$0] }.map { key in
      "\(kind) \(key): \(frozen[key].map { "\($0)" } ?? "none"), copied as \(copied[key].map { "\($0)" } ?? "none")"
    }
  }

  private static func key(_ name: (app: [UInt8], id: [UInt8])) -> [String] {
    [name.app, name.id].map { String(decoding: $0, as: UTF8.self) }
  }
}
