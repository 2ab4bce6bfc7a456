package import Wire

/// By what a list is ordered.
package struct ListMethod: Equatable, Sendable {
  /// `adaptive` or `fixed`.
  package var kind: String
  /// The half-life that scores go by, for people: `20 uses`, `7d`.
  package var halfLife: String
  /// The share of uses of late that were in the list of that half-life; nil if there was none to judge by.
  package var hitRate: Double?
  /// The best of the others, and its share.
  package var runnerUp: (halfLife: String, hitRate: Double)?

  package init(
    kind: String, halfLife: String, hitRate: Double? = nil, runnerUp: (halfLife: String, hitRate: Double)? = nil
  ) {
    self.kind = kind
    self.halfLife = halfLife
    self.hitRate = hitRate
    self.runnerUp = runnerUp
  }

  package static func == (first: ListMethod, second: ListMethod) -> Bool {
    first.kind == second.kind && first.halfLife == second.halfLife && first.hitRate == second.hitRate
      && first.runnerUp?.halfLife == second.runnerUp?.halfLife && first.runnerUp?.hitRate == second.runnerUp?.hitRate
  }

  /// Writes its members: `{"kind":"adaptive","halfLife":"20 uses","hitRate":0.49,"runnerUp":{"halfLife":"1d","hitRate":0.47}}`.
  package func write(to json: inout JSONWriter) {
    json.member("kind", kind)
    json.member("halfLife", halfLife)
    guard kind == "adaptive" else { return }
    json.member("hitRate", rate: hitRate)
    guard let runnerUp else { return json.memberNull("runnerUp") }
    json.member(
      "runnerUp",
      object: { json in
        json.member("halfLife", runnerUp.halfLife)
        json.member("hitRate", rate: runnerUp.hitRate)
      })
  }
}

/// How often what an app's file showed was what was used next.
package struct ListHits: Equatable, Sendable {
  /// Uses that were judged.
  package var trials: UInt64
  /// Those among them that were in the list.
  package var hits: UInt64
  /// The share of late; nil without a trial.
  package var recentRate: Double?

  package init(trials: UInt64, hits: UInt64, recentRate: Double?) {
    self.trials = trials
    self.hits = hits
    self.recentRate = recentRate
  }

  /// Writes its members: `{"trials":1234,"hits":600,"hitRate":0.486,"recentHitRate":0.51}`.
  package func write(to json: inout JSONWriter) {
    json.member("trials", trials)
    json.member("hits", hits)
    json.member("hitRate", rate: trials > 0 ? Double(hits) / Double(trials) : nil)
    json.member("recentHitRate", rate: recentRate)
  }
}

extension JSONWriter {
  /// A member that is a share, to four decimals, or null.
  package mutating func member(_ name: String, rate: Double?) {
    if let rate { member(name, number: (rate * 10_000).rounded() / 10_000) } else { memberNull(name) }
  }
}
