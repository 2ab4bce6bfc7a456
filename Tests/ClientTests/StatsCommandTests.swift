import Foundation
import QuickActionsClient
import Testing
import Wire

@testable import quickactions

/// `stats`, against what docs/CONTROL.md says of the op.
struct StatsCommandTests {
  /// The reply that the document shows, on one line, with a place for the request's number.
  private static func reply() throws -> String {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../docs/CONTROL.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let begin = try #require(text.firstRange(of: #"{"stats":{"#))
    let end = try #require(text[begin.upperBound...].firstRange(of: "```"))
    return #"{"stats":{"seq":SEQ,"#
      + text[begin.upperBound..<end.lowerBound].split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
  }

  private static func text(_ members: String) throws -> [String] {
    StatsText(UseStatistics(try json("{\(members)}"))).lines(colours: false)
  }

  @Test("an app's figures are a table, what decides is a sentence, and each day has a bar")
  func app() throws {
    let daemon = try StandIn(answering: ["stats": Self.reply()])
    defer { daemon.stop() }
    let ended = try Places().run("stats", "com.example.mail", "--days", "2", "--runtime-dir", daemon.runtime)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(
      ended.output
        == """
        on the menu    48.6 %  600 of 1234 uses
        recently       51.0 %  where a use counts half after 200 others
        today          54.8 %  17 of 31 uses
        changes a day    2.30  40 places changed in all
        of the best    98.0 %  of the hits that the best list in hindsight had, that of 20 uses

        In force is the list by a half-life of 20 uses, as it had 49.0 % of the latest uses, and no other list had over one use more.

        day         uses  on the menu               changes
        2026-11-30    88       45.5 %  █████████▏         3
        2026-12-01    31       54.8 %  ███████████        2

        """)
    #expect(daemon.lines.first?["app"]?.string == "com.example.mail" && daemon.lines.first?["days"]?.integer == 2)
  }

  @Test("as JSON it is what the daemon says, without the number of the request")
  func asJSON() throws {
    let reply = try Self.reply()
    let daemon = try StandIn(answering: ["stats": reply])
    defer { daemon.stop() }
    let ended = try Places().run("stats", "--json", "--runtime-dir", daemon.runtime)
    #expect(ended.output == reply.dropFirst(9).dropLast(1).replacing("\"seq\":SEQ,", with: "") + "\n")
    #expect(daemon.lines.first?["app"] == nil && daemon.lines.first?["days"] == nil)
  }

  @Test("the library reads every member that the document shows")
  func library() throws {
    let daemon = try StandIn(answering: ["stats": Self.reply()])
    defer { daemon.stop() }
    let found = try ControlConnection(daemon.choice).stats(of: "com.example.mail", days: 2)
    #expect(found.app == "com.example.mail")
    #expect((found.total.trials, found.total.hits, found.total.changes) == (1234, 600, 40))
    #expect(found.recentHitRate == 0.51 && found.changesPerDay == 2.3)
    #expect(found.today?.day == "2026-12-01" && found.today?.tally.hits == 17)
    #expect(found.days.map(\.day) == ["2026-11-30", "2026-12-01"])
    #expect(found.days.first?.tally.hitRate == 40.0 / 88.0)
    #expect(found.method?.kind == .adaptive && found.method?.halfLife == "20 uses" && found.method?.hitRate == 0.49)
    #expect(found.lists.map(\.halfLife) == ["1 use"] && found.lists.first?.hits == 512)
    #expect(found.lists.first?.hitRate == 0.415)
    #expect(found.bestInHindsight == "20 uses" && found.shareOfBest == 0.98)
    #expect(found.apps.isEmpty)
  }

  @Test("of all apps there are the figures of each app, and nothing decides")
  func all() throws {
    let lines = try Self.text(
      """
      "app":null,"trials":10,"hits":4,"hitRate":0.4,"recentHitRate":0.5,"changes":1,"changesPerDay":null,"today":null,
      "days":[],"method":null,"lists":null,"bestInHindsight":null,"shareOfBest":null,
      "apps":[{"app":"m\\u001b","trials":8,"hits":4,"hitRate":0.5,"changes":1},{"app":"n","trials":0,"hits":0,"changes":0}]
      """)
    #expect(
      lines == [
        "on the menu    40.0 %  4 of 10 uses", "recently       50.0 %  where a use counts half after 200 others",
        "changes a day       –  1 place changed in all", "", "app      uses  on the menu  changes",
        "m\\u{1b}     8       50.0 %        1", "n           0            –        0",
      ])
  }

  @Test(
    "why the list in force is in force depends on what decides",
    arguments: [
      (
        #"{"kind":"adaptive","halfLife":"power law of uses","hitRate":null}"#,
        "In force is the list by the power law of uses, with which every app begins."
      ),
      (
        #"{"kind":"fixed","halfLife":"7d","hitRate":0.2}"#,
        "In force is the list by a half-life of 7d, which is fixed by the settings or for this app."
      ),
      (#"{"kind":"dice","halfLife":"\u001b","hitRate":0.2}"#, "In force is the list by the \\u{1b}."),
    ])
  func method(method: String, sentence: String) throws {
    #expect(try Self.text(#""app":"m","trials":1,"hits":1,"method":\#(method)"#).contains(sentence))
  }

  @Test("where nothing was looked for that is said, and not as output")
  func nothing() throws {
    let daemon = try StandIn(answering: ["stats": #"{"stats":{"seq":SEQ,"app":null,"trials":0,"hits":0,"changes":0}}"#])
    defer { daemon.stop() }
    let ended = try Places().run("stats", "--runtime-dir", daemon.runtime)
    #expect(ended.status == 0 && ended.output.isEmpty)
    #expect(ended.errors == "nothing was used yet while a list was published\n")
  }

  @Test("days are 1 to 400, and a daemon is needed")
  func wrong() throws {
    let places = try Places()
    for days in ["0", "401", "x"] { #expect(try places.run("stats", "--days", days).status == 64) }
    #expect(try places.run("stats", "--dasy", "3").errors.contains("did you mean '--days'?"))
    #expect(try places.run("stats", "--user").status == 69)
  }
}
