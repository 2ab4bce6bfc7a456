import Foundation
import Testing
import TestSupport

@testable import Evaluation

let second: Int64 = 1_000_000_000
let hour = 3600 * second
let day = 24 * hour

/// Files beside the tests.
enum Traces {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Traces")

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Reads a trace without a bad line.
  static func read(_ path: String) throws -> Trace {
    try Trace.read(path) { Issue.record("line \($0.line): \($0.message)") }
  }
}

/// A file that is gone after the test.
final class TemporaryFile {
  let path = NSTemporaryDirectory() + "evaluation-" + UUID().uuidString

  init(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A user with these uses.
func user(_ uses: [(time: Int64, action: Int)]) -> Trace.User {
  Trace.User(
    name: Array("u".utf8), actionCount: (uses.map(\.action).max() ?? -1) + 1,
    uses: uses.map { Trace.Use(time: $0.time, action: Int32($0.action)) })
}

/// The best actions before a use at `now`, best first, as letters: `a` for action 0.
func best<R: Ranker>(_ make: (Int) -> R, _ uses: [(time: Int64, action: Int)], at now: Int64) -> String {
  var ranker = make(uses.map(\.action).reduce(0, max) + 1)
  var leaders = Leaders(uses: uses.count + 1)
  var list: [Int32] = []
  for index in 0...uses.count {
    let moment = UseMoment(index: index, time: index < uses.count ? uses[index].time : now)
    if index > 0 {
      leaders.reset(at: index)
      ranker.lead(at: moment, &leaders)
    }
    if index < uses.count { ranker.count(uses[index].action, at: moment) }
  }
  leaders.best(into: &list)
  let sorted = list.sorted { (leaders.place(of: $0) ?? 9) < (leaders.place(of: $1) ?? 9) }
  return String(decoding: sorted.map { UInt8(ascii: "a") + UInt8($0) }, as: UTF8.self)
}

/// Uses as letters, each at the time it is given with.
func uses(_ parts: (Int64, String)...) -> [(time: Int64, action: Int)] {
  parts.flatMap { part in part.1.utf8.map { (part.0, Int($0 - UInt8(ascii: "a"))) } }
}
