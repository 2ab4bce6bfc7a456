import Evaluation
import Wire

/// What another half-life would have made of somebody's uses.
struct WhatIf {
  /// Of the half-life, as `HalfLife=` takes it, or in uses.
  let halfLife: String
  /// The share of uses that would have been among the four.
  let hit: Double
  /// That of the daemon's own way.
  let adaptive: Double

  /// One for each half-life that was asked for; if none was, the one that would have been the best setting.
  static func all(_ report: Report, _ options: EvaluationOptions) -> [WhatIf] {
    guard let daemon = report.rows.first(where: { $0.name == EvaluationOptions.daemon }) else { return [] }
    func rows(_ names: [String]) -> [Report.Row] { report.rows.filter { names.contains($0.name) } }
    let asked = rows(options.halfLives)
    let best = rows(Contender.fixedTimes.map(\.name)).max { $0.hit.pooled < $1.hit.pooled }
    return (asked.isEmpty ? [best].compactMap { $0 } : asked).map { row in
      WhatIf(halfLife: row.name, hit: row.hit.pooled, adaptive: daemon.hit.pooled)
    }
  }

  /// For people.
  var sentence: String {
    let setting = halfLife.contains("use") ? "a half-life of \(halfLife)" : "HalfLife=\(halfLife)"
    return "With \(setting) fixed, \(AmountText.percent(hit)) of your uses would have been among the four, against "
      + "\(AmountText.percent(adaptive)) with adaptive."
  }

  /// Writes the members of the JSON form.
  func write(to json: inout JSONWriter) {
    json.member("halfLife", halfLife)
    json.member("hit4", number: hit)
    json.member("adaptive", number: adaptive)
  }
}
