import Foundation
import TestSupport
import Testing

@Suite("Lists that adapt")
struct AdaptiveListTests {
  /// So many actions, used in runs, some of which come again and again.
  private static func actions(_ count: Int, _ random: inout SeededRandom) -> [Int] {
    var actions: [Int] = []
    while actions.count < count {
      let squared = Int.random(in: 0..<8, using: &random) * Int.random(in: 0..<8, using: &random) / 3
      actions += Array(repeating: squared, count: Int.random(in: 1...3, using: &random))
    }
    return Array(actions.prefix(count))
  }

  @Test("As many uses are among the first four as the client's evaluation of the same trace says")
  func agreesWithTheEvaluation() throws {
    try withDaemon(settings: Site.slow, isExact: false) { daemon in
      var random = SeededRandom()
      let actions = Self.actions(400, &random)
      // Uses of the last hours, told late, as their times have to be known to the nanosecond: by an hour's decay two
      // of them are never worth quite the same. None is older than the interval, so all of them count as trials.
      var time = Int(Date().timeIntervalSince1970) - 80_000
      let times = actions.map { _ in
        time += Int.random(in: 1...300, using: &random)
        return time
      }
      let client = try daemon.control()
      var hits = 0
      for (action, time) in zip(actions, times) {
        let top = try client.ask(#"{"op":"top","app":"a"}"#)["top"]["shortcuts"].elements
        if top.prefix(4).contains(where: { RunningDaemon.action($0) == "a.x\(action)" }) { hits += 1 }
        try client.send("a.x\(action) t=\(time)\n")
      }
      #expect(try client.sync().reply.accepted == actions.count)
      let trace = daemon.site.path + "/trace"
      try writeFile(trace, zip(actions, times).map { "u\t\($1)\ta.x\($0)\n" }.joined())
      let report = try decode(JSON.self, daemon.client("evaluate", trace, "--json", "--peers", "none"))
      let row = report["traces"][0]["rankers"].elements.first { $0["name"] == "adaptive" }
      let share = try #require(row?["hit4"]["pooled"].number)
      let expected = (Double(hits) / Double(actions.count) * 10_000).rounded() / 10_000
      #expect((share * 10_000).rounded() / 10_000 == expected, "seed \(random.seed): \(hits) hits")
      #expect(hits > 100)
    }
  }

  // MARK: What is in force

  /// Lists of one, for an app in which only the latest action comes again.
  private static let one = Site.slow + "[Ranking]\nLimit=1\n"
  private static let runs = (0..<12).map { String(repeating: "a.x\($0)\n", count: 6) }.joined()

  @Test("The file, replies and explain name the list in force, also once another one has come into force")
  func tellsTheMethod() throws {
    try withDaemon(settings: Self.one, isExact: false) { daemon in
      try daemon.count("a.x0\n")
      let begin = try daemon.publish("a")["method"]
      #expect(begin["kind"] == "adaptive" && begin["halfLife"] == "power law of uses", "\(begin)")
      try daemon.count(Self.runs)
      let file = try daemon.publish("a")
      #expect(file["method"]["kind"] == "adaptive" && file["method"]["halfLife"] == "1 use", "\(file["method"])")
      let (rate, runnerUp) = (file["method"]["hitRate"].number, file["method"]["runnerUp"])
      #expect(try #require(runnerUp["hitRate"].number) < #require(rate), "\(file["method"])")
      #expect(runnerUp["halfLife"].string != "1 use")
      #expect(try daemon.ask(#"{"op":"top","app":"a"}"#)["top"]["method"] == file["method"])
      // The list over all apps never adapts.
      #expect(try daemon.file(of: nil)["method"] == ["kind": "fixed", "halfLife": "7d"])
      #expect(try daemon.file(of: nil)["hits"] == .null)
      let explained = try daemon.explain("a.x11")
      #expect(explained["halfLife"] == "1 use" && explained["method"] == file["method"])
      #expect(explained["weightOfLastUse"] == .null)
      let told = try daemon.client("explain", "a.x11")
      #expect(told.contains("half of its worth every 1 use of the app, the way by which the list had "), "\(told)")
      #expect(try daemon.stats("a")["method"] == file["method"])
    }
  }

  @Test(
    "Method, order, places and scores are after a restart as they were, to the byte", arguments: [SIGTERM, SIGKILL])
  func staysTheSame(signal: Int32) throws {
    try withSite(settings: Site.slow, isExact: false) { site in
      var random = SeededRandom()
      var daemon = try site.start()
      try daemon.count(Self.runs)
      for _ in 0..<5 {
        try daemon.publish("a")
        try daemon.count(Self.actions(40, &random).map { "a.x\($0)\na.common\n" }.joined())
      }
      try daemon.publish("a")
      let all = #"{"op":"top","app":"a","limit":20}"#
      let before = (file: try lines(daemon), top: try order(daemon.ask(all)))
      #expect(before.top.count > 10)
      let stats = try daemon.stats("a")
      // What publishing has changed is stored with the next commit.
      #expect(try daemon.count("b.b\n").durable)
      // In the intake log alone, unless it ends cleanly.
      try daemon.send("b.b\n", until: try daemon.status()["accepted"] + 1)
      #expect(try daemon.stop(signal) == (signal == SIGKILL ? .signal(signal) : .status(0)))
      for _ in 0..<2 {
        daemon = try site.start()
        #expect(try lines(daemon) == before.file, "seed \(random.seed)")
        #expect(try order(daemon.ask(all)) == before.top, "seed \(random.seed)")
        #expect(try daemon.stats("a") == stats)
        #expect(try daemon.stop() == .status(0))
      }
    }
  }

  /// An app's file without what every round changes.
  private func lines(_ daemon: RunningDaemon) throws -> [String] {
    let text = String(decoding: try readFile(daemon.appPath("a")), as: UTF8.self)
    let lines = text.split(separator: "\n").filter {
      !$0.contains(#""generation":"#) && !$0.contains(#""computedAt":"#)
    }
    #expect(lines.count == text.split(separator: "\n").count - 2)
    return lines.map(String.init)
  }

  private func order(_ reply: JSON) -> [String] { reply["top"]["shortcuts"].elements.map(RunningDaemon.action) }

  // MARK: Settings

  private func reload(_ daemon: RunningDaemon, _ ranking: String) throws {
    try writeFile(daemon.site.config, Site.slow + "[Ranking]\nLimit=2\n" + ranking)
    try daemon.reload()
  }

  @Test("The method changes with a reload, and goes back; a half-life of an app's own is fixed under either")
  func changesTheMethod() throws {
    try withSite(settings: Site.slow + "[Ranking]\nLimit=2\n", isExact: false) { site in
      try site.declare("own.json", #"{"app": "own", "halfLife": "1d", "actions": []}"#)
      let daemon = try site.start()
      try daemon.count("a.often n=50\n" + Self.runs + "own.x\n")
      try daemon.publish("a")
      let own: JSON = ["kind": "fixed", "halfLife": "1d"]
      for round in 0..<2 {
        #expect(try daemon.stats("a")["method"]["kind"] == "adaptive", "\(round)")
        #expect(try daemon.stats("own")["method"] == own, "\(round)")
        #expect(try daemon.explain("own.x")["halfLifeOfApp"] == true, "\(round)")
        try reload(daemon, "Method=fixed\n")
        let file = try value(of: "the file by the fixed half-life") {
          let file = try daemon.file(of: "a")
          return file["method"] == ["kind": "fixed", "halfLife": "7d"] ? file : nil
        }
        #expect(file["shortcuts"][0]["type"] == "a.often", "\(file)")
        #expect(try daemon.stats("own")["method"] == own, "\(round)")
        try reload(daemon, "Method=adaptive\n")
        try wait(for: "the file that adapts") { try daemon.file(of: "a")["method"]["kind"] == "adaptive" }
      }
    }
  }

  @Test(
    "A method that has changed while the daemon was away is judged anew, as after a reload", arguments: [false, true])
  func changesTheMethodWhileAway(isAway: Bool) throws {
    try withSite(settings: Self.one, isExact: false) { site in
      var daemon = try site.start()
      func change(_ method: String) throws {
        if isAway { #expect(try daemon.stop() == .status(0)) }
        try writeFile(site.config, Self.one + "Method=\(method)\n")
        if isAway { daemon = try site.start() } else { try daemon.reload() }
      }
      try daemon.count(Self.runs)
      #expect(try daemon.stats("a")["method"]["halfLife"] == "1 use")
      try change("fixed")
      #expect(try daemon.stats("a")["method"] == ["kind": "fixed", "halfLife": "7d"])
      // The latest of those with as many uses.
      #expect(try daemon.list("a") == ["a.x11"])
      try daemon.count(String(repeating: "a.x11\n", count: 50))
      try change("adaptive")
      #expect(try daemon.stats("a")["method"]["hitRate"] == .null)
      try daemon.count("a.x11\n")
      #expect(try daemon.stats("a")["method"]["hitRate"] == 1)
    }
  }

  @Test("A half-life of its own that an app gets and loses again leaves no judgement of lists that it did not have")
  func changesTheAppsHalfLife() throws {
    try withDaemon(settings: Self.one, isExact: false) { daemon in
      try daemon.count(Self.runs)
      try daemon.site.declare("a.json", #"{"app": "a", "halfLife": "1d", "actions": []}"#)
      try daemon.reload()
      #expect(try daemon.stats("a")["method"] == ["kind": "fixed", "halfLife": "1d"])
      try daemon.count("a.x11\n")
      try daemon.site.declare("a.json", #"{"app": "a", "actions": []}"#)
      try daemon.reload()
      #expect(try daemon.stats("a")["method"]["hitRate"] == .null)
      try daemon.count("a.x11\n")
      #expect(try daemon.stats("a")["method"]["hitRate"] == 1)
    }
  }

  @Test("What is not ahead by the margin stays out and below, says explain, until a reload takes the margin away")
  func changesTheMargin() throws {
    let settings = Site.slow + "[Ranking]\nLimit=2\nMethod=fixed\n"
    try withDaemon(settings: settings, isExact: false) { daemon in
      try daemon.count("a.x n=100\na.y n=80\na.z n=90\n")
      #expect(try daemon.list("a") == ["a.x", "a.y"])
      let out = try daemon.explain("a.z")
      #expect(out["rank"] == .null && out["absent"] == "outranked" && out["place"]["dynamic"] == 2, "\(out)")
      #expect(out["keptOutBy"] == "a.y" && out["heldAgainst"] == .null)
      let held = try daemon.explain("a.y")
      #expect(held["rank"] == 2 && held["heldAgainst"] == "a.z" && held["keptOutBy"] == .null, "\(held)")
      let first = try daemon.explain("a.x")
      #expect(first["heldAgainst"] == .null && first["keptOutBy"] == .null)
      let told = try (out: daemon.client("explain", "a.z"), held: daemon.client("explain", "a.y"))
      #expect(
        told.out.contains("a.z is not in the list of a: 2 actions fit in")
          && told.out.contains("every 7d, the half-life"))
      #expect(told.out.contains("\na.y, which is in the list, has a lower score: "), "\(told.out)")
      #expect(told.held.contains("a.y has rank 2 of at most 2 in the list of a."), "\(told.held)")
      #expect(told.held.contains("\na.z, which is not in the list, has a higher score: "), "\(told.held)")

      try reload(daemon, "Method=fixed\nSwapMargin=10%\n")
      #expect(try daemon.list("a") == ["a.x", "a.z"])
      for name in ["heldAgainst", "keptOutBy"] { #expect(try daemon.explain("a.z")[name] == .null) }
      // Not by as much as a tenth: it stays below, unless places go by the score.
      try daemon.count("a.z n=15\n")
      #expect(try daemon.list("a") == ["a.x", "a.z"])
      try reload(daemon, "Method=fixed\nSwapMargin=10%\nKeepPlaces=no\n")
      #expect(try daemon.list("a") == ["a.z", "a.x"])
      // Nor by a tenth is y ahead of x.
      try daemon.count("a.y n=25\n")
      #expect(try daemon.list("a") == ["a.z", "a.x"])
      try reload(daemon, "Method=fixed\nSwapMargin=0%\nKeepPlaces=no\n")
      #expect(try daemon.list("a") == ["a.y", "a.z"])
    }
  }
}
