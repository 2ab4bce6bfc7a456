@testable import Ranking

/// Every use there ever was, for exact scores of actions that a ranking may have purged.
struct ExactUses {
  private struct Name: Hashable {
    let app: String
    let id: String
  }

  private struct Uses {
    var timed = DirectSum()
    /// Weights, and how many uses their app had had before.
    var counted: [(weight: Double, step: Int)] = []
  }

  private var uses: [Name: Uses] = [:]
  private var steps: [String: Int] = [:]

  mutating func count(_ id: String, app: String, uses weight: UInt32, at time: Int64) {
    let step = steps[app, default: 0]
    steps[app] = step + 1
    let name = Name(app: app, id: id)
    uses[name, default: Uses()].timed.uses.append((Double(weight), time))
    uses[name]?.counted.append((Double(weight), step))
  }

  /// All names that were ever used.
  var names: [(app: String, id: String)] { uses.keys.map { ($0.app, $0.id) } }

  /// What an action's uses are worth, all of them counted.
  func score(_ id: String, app: String, _ decay: Decay, at time: Int64, fixed: HalfLife) -> Double {
    guard let uses = uses[Name(app: app, id: id)], let steps = steps[app] else { return 0 }
    func worth(halfLife: Int64) -> Double {
      uses.counted.reduce(0) { sum, use in
        sum + use.weight * HalfLife(nanoseconds: halfLife).weight(ofAge: Int64(steps - 1 - use.step))
      }
    }
    func power(halfLife: Int64) -> Double {
      worth(halfLife: halfLife) * HalfLife(nanoseconds: halfLife).weight(ofAge: 1) / Double(halfLife)
    }
    switch decay.pace {
    case .uses(let halfLife): return worth(halfLife: halfLife)
    case .time(let halfLife): return Double(uses.timed.score(at: time, halfLife))
    case .mixed:
      if decay == .fixed { return Double(uses.timed.score(at: time, fixed)) }
      return [1, 5, 20, 100, 500].reduce(0) { $0 + power(halfLife: $1) }
    }
  }
}

extension ActionRanking {
  /// By how much a score may be too low, also in an app that is gone.
  func bound(_ decay: Decay, app: String, at time: Int64) -> Double {
    if let app = self.app(app) { return maxError(under: decay, ofApp: app, at: time) }
    let gone = lost.ofGoneApps
    switch decay.pace {
    case .uses: return Double(gone[Int(decay.rawValue)])
    case .time(let halfLife): return lost.timed[Int(decay.rawValue) - 5].score(at: halfLife.position(of: time))
    case .mixed:
      return decay == .power
        ? Double(Fading.power(gone, Fading.factors(uses: 1))) : maxError(ofApp: nil, at: time)
    }
  }

  /// What the ranking says that an action's uses are worth; nothing for one that it does not know.
  func score(_ id: String, app: String, _ decay: Decay, at time: Int64) -> Double {
    guard let number = find(id, app: app), let app = self.app(app) else { return 0 }
    let position: DecayPosition =
      switch decay.pace {
      case .uses: .zero
      case .time(let halfLife): halfLife.position(of: time)
      case .mixed: decay == .power ? .zero : fixedHalfLife(ofApp: app).position(of: time)
      }
    return actions.score(number, by: counter(decay, ofApp: app)).score(at: position)
  }

  /// One that goes on where this one is, as after a restart.
  func restarted(at time: Int64, own: [(app: String, halfLife: HalfLife)]) -> ActionRanking {
    var next = ActionRanking(halfLife: halfLife, limit: limit, seed: (3, 4), method: method)
    next.restore(lostWorth(at: time), at: time)
    for (app, halfLife) in own {
      let app = next.insertApp(Array(app.utf8))
      next.setKept(true, app: app)
      next.setHalfLife(halfLife, ofApp: app, at: time)
    }
    for app in appNumbers { next.restore(app: state(ofApp: app)) }
    for number in actionNumbers where actions[number].uses > 0 { _ = next.restore(state(number)) }
    next.finishRestoring(arrivals: arrivals, at: time)
    _ = next.setOwningApps([], at: time)
    next.setMaxActions(maxActions)
    next.mostApps = mostApps
    next.appsAtPurge = mostApps
    return next
  }
}
