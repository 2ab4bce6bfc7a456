import Foundation
import Testing

@testable import Ranking
@testable import Snapshots

struct SnapshotJSONTests {
  private static let write = RankedAction(
    "com.example.mail.write#alice", score: 3.25, uses: 57, lastUsed: noon - 58_000_000_000)
  private static let compose = RankedAction("com.example.mail.compose", score: 0.123456789, uses: 3, lastUsed: noon)

  private static let row1 = """
        {
          "rank": 1,
          "kind": "dynamic",
          "type": "com.example.mail.write",
          "target": "alice",
          "localizedTitle": null,
          "localizedSubtitle": null,
          "icon": null,
          "userInfo": {},
          "score": 3.25,
          "uses": 57,
          "lastUsed": "2026-11-30T11:59:02Z"
        }
    """
  private static let row2 = """
        {
          "rank": 2,
          "kind": "dynamic",
          "type": "com.example.mail.compose",
          "localizedTitle": null,
          "localizedSubtitle": null,
          "icon": null,
          "userInfo": {},
          "score": 0.123457,
          "uses": 3,
          "lastUsed": "2026-11-30T12:00:00Z"
        }
    """

  private static func text(_ snapshot: Snapshot) -> String { String(decoding: snapshot.json(), as: UTF8.self) }

  @Test("an app's snapshot has every member in its place")
  func ofApp() {
    let snapshot = Snapshot(app: "com.example.mail", generation: 42, [Self.write, Self.compose])
    let rows = Self.row1 + ",\n" + Self.row2
    #expect(
      Self.text(snapshot) == """
        {
          "format": "quickactions-snapshot/1",
          "app": "com.example.mail",
          "generation": 42,
          "computedAt": "2026-11-30T12:00:00.123Z",
          "limit": 4,
          "method": {
            "kind": "fixed",
            "halfLife": "7d"
          },
          "maxError": 0,
          "shortcuts": [
        \(rows)
          ],
          "dynamic": [
        \(rows)
          ]
        }

        """)
  }

  @Test("the snapshot over all apps names the app in each row, has no app of its own and no dynamic list")
  func ofAll() {
    let row = Self.row1.replacing(
      "      \"type\"", with: "      \"app\": \"com.example.mail\",\n      \"type\"")
    #expect(
      Self.text(Snapshot(app: nil, generation: 7, limit: 20, [Self.write])) == """
        {
          "format": "quickactions-snapshot/1",
          "generation": 7,
          "computedAt": "2026-11-30T12:00:00.123Z",
          "limit": 20,
          "method": {
            "kind": "fixed",
            "halfLife": "7d"
          },
          "maxError": 0,
          "shortcuts": [
        \(row)
          ]
        }

        """)
  }

  @Test("without any action the lists are empty")
  func empty() {
    let text = Self.text(Snapshot(app: "a"))
    #expect(text.contains("\"shortcuts\": [],\n") && text.hasSuffix("\"dynamic\": []\n}\n"))
  }

  private struct File: Decodable {
    var format: String
    var app: String?
    var generation: UInt64
    var computedAt: String
    var limit: Int
    var shortcuts: [Row]
    var dynamic: [Row]?
  }

  private struct Row: Decodable, Equatable {
    var rank: Int
    var kind: String
    var app: String?
    var type: String
    var target: String?
    var localizedTitle: String?
    var icon: [String: String]?
    var userInfo: [String: String]
    var score: Double
    var uses: UInt64
    var lastUsed: String
  }

  @Test(
    "another reader of JSON finds the ids as they were, whatever is in them",
    arguments: [
      "a.b", "a#b", "a.b#c#d", "a#", "\"\\/", "é.e\u{301}#📷", "\u{FFFD}", "a{b}[c]:,", "com.example.mail#\u{2028}x",
    ])
  func ids(id: String) throws {
    for snapshot in [Snapshot(app: id, [RankedAction(id, app: id)]), Snapshot(app: nil, [RankedAction(id, app: id)])] {
      let file = try JSONDecoder().decode(File.self, from: Data(snapshot.json()))
      #expect(file.format == "quickactions-snapshot/1" && file.limit == 4 && file.generation == 1)
      #expect(file.app.map { Array($0.utf8) } == snapshot.app)
      let row = try #require(file.shortcuts.first)
      #expect(row.rank == 1 && row.kind == "dynamic")
      #expect(Array((row.type + (row.target.map { "#" + $0 } ?? "")).utf8) == Array(id.utf8))
      #expect((row.target == nil) == !id.contains("#"))
      #expect(row.app.map { Array($0.utf8) } == (snapshot.app == nil ? Array(id.utf8) : nil))
      #expect(file.dynamic == (snapshot.app == nil ? nil : file.shortcuts))
    }
  }

  @Test(
    "every finite score is a number with six significant digits",
    arguments: [0, 1, 0.1 + 0.2, 123_456_789, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude] as [Double])
  func scores(score: Double) throws {
    let snapshot = Snapshot(app: "a", [RankedAction("a.b", score: score, uses: .max)])
    let row = try #require(try JSONDecoder().decode(File.self, from: Data(snapshot.json())).shortcuts.first)
    #expect(row.uses == .max)
    // The smallest numbers have fewer digits than that themselves.
    #expect(abs(row.score - score) <= score * 5.0001e-6 || score < .leastNormalMagnitude)
  }

  @Test("times at the ends of the range are still dates", arguments: [.min, -1, 0, .max] as [Int64])
  func times(time: Int64) throws {
    var snapshot = Snapshot(app: "a", [RankedAction("a.b", lastUsed: time)])
    snapshot.computedAt = time
    let file = try JSONDecoder().decode(File.self, from: Data(snapshot.json()))
    #expect(try file.computedAt.wholeMatch(of: Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#)) != nil)
    #expect(try file.shortcuts.first?.lastUsed.wholeMatch(of: Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"#)) != nil)
  }
}
