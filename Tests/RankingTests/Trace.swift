import Foundation
import Ranking

/// What people used one after another, read from a file of lines `user TAB seconds TAB action`, gzipped.
struct Trace {
  struct Event {
    /// Seconds since the user's first event; it never goes back.
    var time: Double
    var action: [UInt8]
  }

  /// The events of each user.
  let users: [[Event]]

  /// The folder that traces are looked for in, from the environment.
  static let folder = ProcessInfo.processInfo.environment["QUICKACTIONS_TRACES"]

  init(named name: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", "\(Self.folder ?? ".")/\(name).tsv.gz"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    var (users, last): ([[Event]], (user: ArraySlice<UInt8>, time: Double)?) = ([], nil)
    for line in Array(bytes).split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let time = Double(String(decoding: fields[1], as: UTF8.self)) else { continue }
      if last?.user != fields[0] {
        users.append([])
        last = nil
      }
      let since = last.map { max(0, time - $0.time) } ?? 0
      users[users.count - 1].append(
        Event(time: (users[users.count - 1].last?.time ?? 0) + since, action: Array(fields[2])))
      last = (fields[0], time)
    }
    self.users = users
  }

  /// The share of events whose action was shown right before, for the mean of all users.
  ///
  /// - Parameter eachEvent: may put another ranking in the place of a user's.
  func hitRate(eachEvent: (Int, inout ActionRanking) -> Void = { _, _ in }) -> Double {
    users.reduce(0) { $0 + Self.hitRate(of: $1, eachEvent) } / Double(users.count)
  }

  private static func hitRate(of events: [Event], _ eachEvent: (Int, inout ActionRanking) -> Void) -> Double {
    var ranking = ActionRanking(halfLife: .week, limit: 4, seed: (1, 2))
    let app = Array("a".utf8)
    var hits = 0
    for (index, event) in events.enumerated() {
      if let app = ranking.findApp(app) {
        if ranking.ranking(ofApp: app, at: 0).contains(where: { $0.id == event.action }) { hits += 1 }
      }
      let time = Int64(event.time * 1e9)
      let use = UseTime(clientTime: nil, now: Moment(decay: time, wall: today + time))
      _ = event.action.withUnsafeBytes { id in app.withUnsafeBytes { ranking.count(id, app: $0, uses: 1, at: use) } }
      eachEvent(index, &ranking)
    }
    return Double(hits) / Double(events.count)
  }
}
