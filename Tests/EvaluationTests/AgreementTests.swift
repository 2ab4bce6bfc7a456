import Foundation
import Testing
import Wire

@testable import Evaluation

/// Figures of an independent evaluation, in Python with numpy, against ours.
struct AgreementTests {
  /// Our rankers by their names there.
  static let names: [String: String] = [
    "mru": "mru", "lfu": "lfu", "zoxide": "zoxide", "z": "z", "firefox buckets": "firefox", "firefox 147": "fx147",
    "gnome shell": "gnome", "kde activities": "kde", "walker": "walker", "rofi": "rofi",
  ]

  static func name(of ranker: String) -> String {
    if let name = names[ranker] { return name }
    if ranker.hasSuffix(" uses") { return "e" + ranker.dropLast(5) }
    return "d" + ranker
  }

  /// Six figures each, in the order of ``Report/Row``: hit, reciprocal rank, churn; the users' mean, then pooled.
  typealias Figures = [String: [Double]]

  static func figures(_ report: Report) -> Figures {
    Dictionary(
      uniqueKeysWithValues: report.rows.map { row in
        (row.name, [row.hit, row.reciprocalRank, row.churn].flatMap { [$0.mean, $0.pooled] })
      })
  }

  /// After a pause of over 332 half-lives the other evaluation gives all uses before it their full weight again: rankers
  /// that it gets wrong on a trace.
  static func wronged(by trace: Trace) -> Set<String> {
    let pauses = trace.users.flatMap { user in zip(user.uses.dropFirst(), user.uses).map { $0.time - $1.time } }
    let longest = pauses.max() ?? 0
    return Set([("1h", 1), ("6h", 6), ("1d", 24), ("3d", 72)].filter { longest > 332 * $0.1 * hour }.map(\.0))
  }

  static func compare(_ trace: Trace, with expected: Figures, but others: Set<String> = [], _ subject: String) {
    let figures = figures(Evaluation.run(trace: trace, rankers: Contender.all))
    #expect(figures.count == expected.count)
    for (ranker, values) in figures.sorted(by: { $0.key < $1.key }) where !others.contains(ranker) {
      let wanted = expected[ranker] ?? []
      let isSame = wanted.count == 6 && zip(values, wanted).allSatisfy { abs($0 - $1) < 5e-5 }
      #expect(isSame, "\(subject), \(ranker): \(values), expected \(wanted)")
    }
  }

  @Test("stored figures: 29 developers' edits, and a made trace", arguments: ["gitfiles.tsv.gz", "made.tsv"])
  func stored(name: String) throws {
    let text = try Data(contentsOf: Traces.folder.appendingPathComponent("figures.json"))
    let all = try JSONDecoder().decode([String: Figures].self, from: text)
    Self.compare(try Traces.read(Traces.path(name)), with: try #require(all[name]), name)
  }

  @Test("the made trace is what its generator makes")
  func made() throws {
    #expect(try String(contentsOfFile: Traces.path("made.tsv"), encoding: .utf8) == MadeTrace.text())
  }

  /// Where the other evaluation is, and a folder of traces for it.
  static let script = ProcessInfo.processInfo.environment["QUICKACTIONS_REFERENCE_EVALUATION"]
  static let traces = ProcessInfo.processInfo.environment["QUICKACTIONS_REFERENCE_TRACES"]

  @Test(
    "figures of the other evaluation, run here on the first three users of each trace",
    .enabled(
      if: script != nil && traces != nil,
      "QUICKACTIONS_REFERENCE_EVALUATION and QUICKACTIONS_REFERENCE_TRACES name no script and no folder of traces"))
  func reference() throws {
    let folder = try #require(Self.traces)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".tsv.gz") }.sorted()
    #expect(!files.isEmpty)
    for file in files {
      let path = folder + "/" + file
      let whole = try Traces.read(path)
      let trace = Trace(users: Array(whole.users.prefix(3)), refusedLines: 0)
      Self.compare(trace, with: try Self.run(path, users: trace.users.count), but: Self.wronged(by: trace), file)
    }
  }

  private struct Result: Decodable {
    let names: [String]
    let hit, hit_pooled, mrr, mrr_pooled, churn, churn_pooled: [Double]
  }

  /// Runs the other evaluation on the first users of a trace.
  private static func run(_ path: String, users: Int) throws -> Figures {
    let output = try TemporaryFile([])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", try #require(script), path, "--max-users", String(users), "--json", output.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "python3, and numpy for it, are needed")
    let text = try Data(contentsOf: URL(fileURLWithPath: output.path))
    let result = try #require(try JSONDecoder().decode([String: Result].self, from: text).values.first)
    var figures: Figures = [:]
    for ranker in Contender.all.map(\.name) {
      let index = try #require(result.names.firstIndex(of: name(of: ranker)))
      figures[ranker] = [
        result.hit, result.hit_pooled, result.mrr, result.mrr_pooled, result.churn, result.churn_pooled,
      ].map { $0[index] }
    }
    return figures
  }
}
