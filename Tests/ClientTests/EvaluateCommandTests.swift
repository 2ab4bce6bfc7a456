import Foundation
import Testing
import Wire

/// `evaluate` as a whole, on small traces.
struct EvaluateCommandTests {
  /// Five actions in turn, and the fifth of them twice as often as the others.
  private static let trace = (0..<60).map { "u\t\($0 * 60)\ta\([0, 1, 2, 3, 4, 4][$0 % 6])\n" }.joined()

  private static func traces(_ ended: Ended) throws -> [JSONNode] {
    #expect(ended.status == 0, "\(ended.errors)")
    return try json(ended.output)["traces"]?.elements ?? []
  }

  private static func names(_ trace: JSONNode?) -> [String?] {
    (trace?["rankers"]?.elements ?? []).map { $0["name"]?.string }
  }

  @Test("a trace gives a table with the daemon, the peers and what was asked for, the best first")
  func table() throws {
    let places = try Places()
    let path = try places.folder.write(Self.trace, to: "trace")
    let ended = try places.run("evaluate", path, "--half-life", "12h", "--half-life", "20u")
    #expect(ended.status == 0 && ended.errors.isEmpty)
    let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == path && lines[1] == "1 user, 60 uses, 5 actions")
    #expect(lines[2].hasPrefix("91.7 % of a user's uses were of an action used before; the best fixed half-life is "))
    #expect(lines[4].split(separator: " ").prefix(4) == ["ranker", "of", "best", "hit@4"])
    let rows = lines[5...].dropLast().map { $0.split(separator: "  ", omittingEmptySubsequences: true) }
    #expect(
      Set(rows.map(\.[0])) == [
        "adaptive", "12h", "20 uses", "mru", "lfu", "zoxide", "z", "firefox buckets", "firefox 147", "gnome shell",
        "kde activities", "walker", "rofi",
      ])
    let hits = rows.compactMap { Double($0[2].filter { $0 != " " }) }
    #expect(hits.count == rows.count && hits == hits.sorted(by: >))
  }

  @Test("rankers are chosen: no peers or some, and all half-lives that the best is chosen from")
  func chosen() throws {
    let places = try Places()
    let path = try places.folder.write(Self.trace, to: "trace")
    #expect(
      try Self.names(Self.traces(places.run("evaluate", path, "--json", "--peers", "none")).first) == ["adaptive"])
    let some = try Self.traces(
      places.run(
        "evaluate", path, "--json", "--peers", "zoxide,firefox-147", "--peers=mru", "--half-life", "7d", "--half-life",
        "1w", "--half-life", "1 use"))
    #expect(Self.names(some.first) == ["adaptive", "7d", "1 use", "mru", "zoxide", "firefox 147"])
    let all = try Self.names(Self.traces(places.run("evaluate", path, "--json", "--all", "--half-life", "20u")).first)
    #expect(all.count == 1 + 14 + 10 && Set(all).count == all.count)
  }

  @Test("JSON has each trace with its figures, and how each ranker did beside the best fixed half-life")
  func asJSON() throws {
    let places = try Places()
    let (first, second) = (try places.folder.write(Self.trace, to: "a"), try places.folder.write("u\t0\ta\n", to: "b"))
    let traces = try Self.traces(places.run("evaluate", first, second, "--json", "--all"))
    #expect(traces.map { $0["trace"]?.string } == [first, second])
    #expect(traces[0]["uses"]?.integer == 60 && traces[0]["whatIf"] == nil)
    let rows = traces[0]["rankers"]?.elements ?? []
    let best = rows.first { $0["name"] == traces[0]["bestFixed"] }
    #expect(best?["shareOfBest"]?.double == 1)
    for row in rows {
      let (hit, most) = (row["hit4"]?["mean"]?.double ?? -1, best?["hit4"]?["mean"]?.double ?? 0)
      #expect(abs((row["shareOfBest"]?.double ?? -1) - hit / most) < 1e-4)
    }
    #expect(traces[1]["rankers"]?.elements?.allSatisfy { $0["shareOfBest"] == nil } == true)
  }

  @Test("of one's own history it says what another half-life would have done: those that were asked for, or the best")
  func whatIf() throws {
    let places = try Places()
    let lines = (0..<40).map { #"{"type":"m.a\#($0 % 8 < 5 ? 0 : $0 % 8)","app":"m","time":\#($0 * 86_400)}"# }
    let path = try places.folder.write(
      ([#"{"op":"pin","action":"m.a"}"#] + lines).joined(separator: "\n"), to: "export.jsonl")
    let ended = try places.run("evaluate", path, "--what-if", "--half-life", "1d", "--half-life", "20u")
    #expect(ended.status == 0, "\(ended.errors)")
    let end = "of your uses would have been among the four, against "
    let told = ended.output.split(separator: "\n").suffix(2)
    #expect(told.first?.hasPrefix("With HalfLife=1d fixed, ") == true && told.first?.contains(end) == true)
    #expect(told.last?.hasPrefix("With a half-life of 20 uses fixed, ") == true)
    #expect(told.allSatisfy { $0.hasSuffix(" % with adaptive.") })
    let best = try Self.traces(places.run("evaluate", path, "--what-if", "--json", "--all")).first
    let others = best?["whatIf"]?.elements ?? []
    let rows = best?["rankers"]?.elements ?? []
    func pooled(_ name: String?) -> Double? { rows.first { $0["name"]?.string == name }?["hit4"]?["pooled"]?.double }
    #expect(others.count == 1 && others[0]["adaptive"]?.double == pooled("adaptive"))
    #expect(others[0]["hit4"]?.double == ["1h", "6h", "1d", "3d", "7d", "14d", "30d"].compactMap(pooled).max())
    #expect(others[0]["hit4"]?.double == pooled(others[0]["halfLife"]?.string))
  }

  @Test("bad lines are told with their numbers and reasons, at most 20 of them, and the others count")
  func badLines() throws {
    let places = try Places()
    let bad = (0..<25).map { _ in "only\u{1b}one\n" }.joined()
    let path = try places.folder.write(Self.trace + bad, to: "trace")
    let ended = try places.run("evaluate", path, "--peers", "none")
    #expect(ended.status == 0 && ended.output.contains("1 user, 60 uses, 5 actions, 25 refused lines"))
    let told = ended.errors.split(separator: "\n")
    #expect(told.count == 21 && told.last == "and 5 more")
    #expect(told.first == "line 61: 1 column; allowed are user, time and action, separated by tabs")
    let other = try places.folder.write(Self.trace + "{\n", to: "other")
    let both = try places.run("evaluate", path, other, "--peers", "none")
    #expect(both.errors.contains("\n\(other), line 61: "))
    let asJSON = try places.run("evaluate", other, "--json")
    let error = try json(asJSON.errors)["error"]
    #expect(error?["line"]?.integer == 61 && error?["code"]?.string == "invalidJSON")
  }

  @Test("a trace that can't be read, or has no use, is a failure with its name")
  func unreadable() throws {
    let places = try Places()
    let empty = try places.folder.write("# nothing\n", to: "empty")
    for path in ["/nowhere/trace", empty] {
      let ended = try places.run("evaluate", path)
      #expect(ended.status == 1 && ended.errors.contains(path) && ended.output.isEmpty)
    }
    let damaged = places.base + "/damaged"
    try Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]).write(to: URL(fileURLWithPath: damaged))
    #expect(try places.run("evaluate", damaged).errors.contains("damaged or cut short"))
  }

  @Test(
    "wrong options are told, with what was probably meant",
    arguments: [
      (["--half-life", "7x"], "no half-life"), (["--half-life", "0u"], "1 to 1000000000"),
      (["--half-life", "0s"], "7d"),
      (["--half-life", "200y"], "out of range"), (["--half-life", "20 us es"], "no half-life"),
      (["--peers", "zoxid"], "did you mean 'zoxide'?"), (["--peers", "me"], "peers are mru, "),
      (["--margin", "-1"], "0 to 1000"), (["--keep-places", "maybe"], "yes or no"),
      (["--half-lief", "7d"], "did you mean '--half-life'?"),
    ])
  func wrong(arguments: [String], words: String) throws {
    let places = try Places()
    let running = try places.start(["evaluate", "/nowhere/trace"] + arguments)
    let ended = running.end()
    #expect(ended.status == 64 && ended.errors.contains(words), "\(ended.errors)")
    #expect(try places.run("evaluate").status == 64)
  }

  @Test("the help names the peers and the options")
  func help() throws {
    let help = try Places().run("evaluate", "--help").output
    #expect(help.contains("firefox-buckets") && help.contains("--half-life VALUE") && help.contains("--what-if"))
  }

  @Test("on a terminal there is a bar while it goes on, and nothing of it afterwards")
  func progress() throws {
    let places = try Places()
    let path = try places.folder.write(Self.trace, to: "trace")
    let command = "\(Programs.client) evaluate \(path) --peers none"
    let running = try Running(["/usr/bin/script", "-qec", command, "/dev/null"], environment: ["TERM": "xterm"])
    #expect(running.end().status == 0)
    #expect(running.output.contains("[") && running.output.contains("%"))
    #expect(running.output.contains("\r\u{1b}[K"))
  }
}
