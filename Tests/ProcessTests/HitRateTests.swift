import Foundation
import Testing

@Suite("How often published lists were right")
struct HitRateTests {
  /// Lists of two, published when they are asked for alone.
  private static let two = Site.slow + "[Ranking]\nLimit=2\n"

  /// What is counted of an app's list.
  private struct Figures: Equatable {
    var trials, hits, changes: Int

    init(_ trials: Int, _ hits: Int, _ changes: Int) {
      (self.trials, self.hits, self.changes) = (trials, hits, changes)
    }

    init(_ json: JSON) {
      func whole(_ name: String) -> Int { json[name].number.map { Int($0) } ?? -1 }
      self.init(whole("trials"), whole("hits"), whole("changes"))
    }

    /// Of some days together: a test may run over midnight.
    static func sum(_ days: JSON) -> Figures {
      days.elements.map { Figures($0) }.reduce(Figures(0, 0, 0)) {
        Figures($0.trials + $1.trials, $0.hits + $1.hits, $0.changes + $1.changes)
      }
    }

    var columns: String { "\(trials)|\(hits)|\(changes)" }
  }

  /// Expects these figures of the app `a` in `stats`, its days and both tables.
  private func expect(_ figures: Figures, _ daemon: RunningDaemon, _ step: String) throws {
    let stats = try daemon.stats("a")
    #expect(Figures(stats) == figures, "\(step)")
    #expect(Figures.sum(stats["days"]) == figures && stats["days"].elements.last == stats["today"], "\(step)")
    #expect(try daemon.connect().sync().reply.durable)
    #expect(
      try daemon.site.query("SELECT trials, hits, changes FROM apps WHERE app = 'a'") == figures.columns, "\(step)")
    let days = "SELECT sum(trials), sum(hits), sum(changes) FROM daily_hits WHERE app = 'a'"
    #expect(try daemon.site.query(days) == figures.columns, "\(step)")
  }

  @Test("Trials, hits and changes are those worked out by hand, in replies, file and database, over a stop and a kill")
  func counts() throws {
    try withSite(settings: Self.two) { site in
      var daemon = try site.start()
      let now = Int(Date().timeIntervalSince1970)
      // What nobody was shown is neither hit nor miss.
      try daemon.count("a.x n=3\na.y n=2\n")
      #expect(try Figures(daemon.stats("a")) == Figures(0, 0, 0))
      var file = try daemon.publish("a")
      #expect(file["hits"] == ["trials": 0, "hits": 0, "hitRate": .null, "recentHitRate": .null])
      #expect(file["shortcuts"].elements.map(RunningDaemon.action) == ["a.x", "a.y"])

      // Two hits and two misses, the last of which is one use of weight four.
      try daemon.count("a.x\na.y\na.z\na.z n=4\n")
      try expect(Figures(4, 2, 0), daemon, "before the second list")
      file = try daemon.publish("a")
      #expect(file["shortcuts"].elements.map(RunningDaemon.action) == ["a.z", "a.x"])
      #expect(file["hits"]["trials"] == 4 && file["hits"]["hits"] == 2 && file["hits"]["hitRate"] == .number(0.5))
      let keeps = pow(0.5, 1 / 200.0)
      let recent = (pow(keeps, 3) + pow(keeps, 2)) / (pow(keeps, 3) + pow(keeps, 2) + keeps + 1)
      #expect(file["hits"]["recentHitRate"] == .number((recent * 10_000).rounded() / 10_000))
      // Both places have changed, one by what it had already.
      try expect(Figures(4, 2, 2), daemon, "after the second list")

      // A miss; two hits, one of them an hour late; and nothing that counts: late by more than the interval, sent again,
      // or refused.
      try daemon.count("a.y n=2\na.z t=\(now - 3600)\na.z t=\(now - 2 * 86_400)\na.z id=q\na.z id=q\na.z n=0\n")
      try expect(Figures(7, 4, 2), daemon, "late ones")

      // The last list of this process has y, with 5, in place of x, with 4.
      #expect(try daemon.stop() == .status(0))
      daemon = try site.start()
      try expect(Figures(7, 4, 3), daemon, "after a stop")
      try daemon.count("a.y\na.x\n")
      try expect(Figures(9, 5, 3), daemon, "after a stop, used")
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.file(of: "a")["hits"]["hits"] == 5)
      try expect(Figures(9, 5, 3), daemon, "after a kill")
      try daemon.count("a.z\n")
      try expect(Figures(10, 6, 3), daemon, "after a kill, used")
      #expect(try daemon.stats("a")["hitRate"] == .number(0.6))
    }
  }

  @Test(
    "Uses that a kill leaves in the intake log alone are counted, and judged by nothing: no list was published then")
  func losesTrialsWithAKill() throws {
    try withSite(settings: RestartTests.unstored) { site in
      var daemon = try site.start()
      try daemon.count("a.x\n")
      try daemon.publish("a")
      try daemon.count("a.x\n")
      try daemon.send("a.x\na.y\n", until: 4)
      #expect(try Figures(daemon.stats("a")) == Figures(3, 2, 0))
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.file(of: "a")["shortcuts"].elements.map { $0["uses"] } == [3, 1])
      try expect(Figures(1, 1, 0), daemon, "after a kill")
      try daemon.count("a.y\n")
      try expect(Figures(2, 2, 0), daemon, "after a kill, used")
    }
  }

  @Test("Static and pinned actions that are shown are hits, disabled ones and others of the app are misses")
  func judgesTheWholeMenu() throws {
    try withSite(settings: Site.slow + "[Ranking]\nLimit=3\n") { site in
      try site.declare(
        "a.json",
        """
        {"app": "a", "actions": [{"type": "a.first", "kind": "static", "localizedTitle": "First"}]}
        """)
      let daemon = try site.start()
      try daemon.ask(#"{"op":"pin","action":"a.pinned"}"#)
      try daemon.ask(#"{"op":"disable","action":"a.off"}"#)
      try daemon.count("a.x n=9\na.y\n")
      let file = try daemon.publish("a")
      #expect(file["shortcuts"].elements.map(RunningDaemon.action) == ["a.first", "a.pinned", "a.x"])
      // The file of the start, with the static action alone, has judged these two.
      let before = try Figures(daemon.stats("a"))
      #expect(before == Figures(2, 0, 2))
      for (action, hits) in [("a.first", 1), ("a.pinned", 2), ("a.x", 3), ("a.off", 3), ("a.y", 3), ("a.new", 3)] {
        try daemon.count("\(action)\n")
        #expect(try Figures(daemon.stats("a")).hits == before.hits + hits, "\(action)")
      }
      #expect(try Figures(daemon.stats("a")).trials == before.trials + 6)
      // An action of the same name under another app is none of this one's.
      try daemon.count("a.x app=b\n")
      #expect(try Figures(daemon.stats("a")).trials == before.trials + 6)
    }
  }

  // MARK: What stats says

  @Test("Of an app that nobody knows there is nothing, and of all apps the sums, with those of most trials first")
  func addsUp() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let nothing = try daemon.stats("no.such")
      #expect(nothing["app"] == "no.such" && Figures(nothing) == Figures(0, 0, 0) && nothing["days"] == [])
      for name in ["hitRate", "recentHitRate", "changesPerDay", "method", "lists", "bestInHindsight", "shareOfBest"] {
        #expect(nothing[name] == .null && nothing.members[name] != nil, "\(name)")
      }
      #expect(try daemon.stats()["apps"] == [])

      try daemon.count("a.x\nb.x\nc.x\n")
      try daemon.publish("a")
      try daemon.count("a.x\nb.x\nb.y\nb.x\n")
      let all = try daemon.stats()
      #expect(all["app"] == .null && Figures(all) == Figures(4, 3, 0) && Figures.sum(all["days"]) == Figures(4, 3, 0))
      #expect(all["hitRate"] == .number(0.75))
      for name in ["method", "lists", "bestInHindsight", "shareOfBest"] { #expect(all[name] == .null) }
      #expect(
        all["apps"] == [
          ["app": "b", "trials": 3, "hits": 2, "hitRate": .number(0.6667), "changes": 0],
          ["app": "a", "trials": 1, "hits": 1, "hitRate": 1, "changes": 0],
        ])
      let one = try daemon.stats("b")
      #expect(one["method"] == ["kind": "fixed", "halfLife": "7d"] && one["apps"] == .null)
      // The list itself was judged from the first use on, which it could not have.
      #expect(one["lists"] == [["halfLife": "7d", "hits": 2, "hitRate": .number(0.5)]])
      #expect(one["bestInHindsight"] == "7d" && one["shareOfBest"] == .number(1.3333))
    }
  }

  @Test("Days are 1 to 400, and only those are listed")
  func boundsDays() throws {
    try withDaemon(settings: Site.slow) { daemon in
      try daemon.count("a.x\n")
      try daemon.publish("a")
      try daemon.count("a.x\n")
      for days in ["1", "400"] {
        let stats = try daemon.ask(#"{"op":"stats","app":"a","days":\#(days)}"#)["stats"]
        #expect(Figures(stats["today"]) == Figures(1, 1, 0) && stats["days"] == [stats["today"]], "\(days)")
      }
      for days in ["0", "401", "-1", "1.5", "\"7\""] {
        #expect(try daemon.refusal(of: #"{"op":"stats","days":\#(days)}"#) == "invalidArgument", "\(days)")
      }
      #expect(try daemon.refusal(of: #"{"op":"stats","app":"a b"}"#) == "invalidApp")
    }
  }

  @Test("Each day has its figures, also days before a restart, as far back as is asked for", .enabled(if: hasCompiler))
  func listsDays() throws {
    try withSite(settings: Site.slow) { site in
      let clock = try FakeClock(site)
      let noon = 20_000 * 86_400 + 43_200
      try clock.set(.to(noon))
      var daemon = try site.start(environment: clock.environment)
      try daemon.count("a.x n=5\n")
      try daemon.publish("a")
      try daemon.count("a.x\na.y\n")
      try clock.set(.to(noon + 86_400))
      try daemon.count("a.y\n")
      try daemon.publish("a")
      #expect(try daemon.stop() == .status(0))
      try clock.set(.to(noon + 3 * 86_400))
      daemon = try site.start(environment: clock.environment)
      try daemon.count("a.y\n")
      let days: [JSON] = [
        ["day": "2024-10-04", "trials": 2, "hits": 1, "changes": 0],
        ["day": "2024-10-05", "trials": 1, "hits": 0, "changes": 1],
        ["day": "2024-10-07", "trials": 1, "hits": 1, "changes": 0],
      ]
      for (asked, listed) in [(1, 1), (2, 1), (3, 2), (4, 3), (400, 3)] {
        for app in [#""app":"a","#, ""] {
          let stats = try daemon.ask(#"{"op":"stats",\#(app)"days":\#(asked)}"#)["stats"]
          #expect(stats["days"].elements == days.suffix(listed) && stats["today"] == days[2], "\(asked) \(app)")
          #expect(Figures(stats) == Figures(4, 2, 1))
        }
      }
      #expect(try daemon.stats("a")["changesPerDay"] == .number(0.3333))
      let dates = "SELECT group_concat(day) FROM (SELECT day FROM readable_daily_hits ORDER BY day)"
      #expect(try daemon.connect().sync().reply.durable)
      #expect(try site.query(dates) == "2024-10-04,2024-10-05,2024-10-07")
    }
  }

  // MARK: Forgetting

  /// The bytes of this are in nothing but an app's name.
  private static let word = "Xylophon7Q3"

  @Test(
    "What is forgotten takes the app's figures with it, and its name is in no file",
    arguments: [
      #"{"op":"forget","app":"com.example.Xylophon7Q3"}"#, #"{"op":"forget","all":true}"#,
      #"{"op":"forget","action":"com.example.Xylophon7Q3.only"}"#,
    ])
  func forgets(request: String) throws {
    try withSite(settings: Site.slow) { site in
      var daemon = try site.start()
      let app = "com.example.\(Self.word)"
      let rows = "SELECT (SELECT count(*) FROM apps), (SELECT count(*) FROM daily_hits)"
      try daemon.count("\(app).only n=3\nb.x\n")
      try daemon.publish(app)
      try daemon.count("\(app).only\nb.x\n")
      #expect(try site.query(rows) == "2|2")
      #expect(try site.filesHolding(Self.word).contains { $0.hasPrefix("state/state.db") })
      try daemon.askDurably(request)
      #expect(try site.filesHolding(Self.word) == [])
      let left = request.contains("all") ? "0|0" : "1|1"
      #expect(try site.query(rows) == left)
      #expect(try Figures(daemon.stats(app)) == Figures(0, 0, 0) && daemon.stats(app)["days"] == [])
      #expect(try Figures(daemon.stats()) == (request.contains("all") ? Figures(0, 0, 0) : Figures(1, 1, 0)))
      daemon.child.kill()
      daemon = try site.start()
      #expect(try Figures(daemon.stats(app)) == Figures(0, 0, 0))
      #expect(try daemon.stop() == .status(0))
      #expect(try site.filesHolding(Self.word) == [] && site.query(rows) == left)
    }
  }

  @Test(
    "An app that the catalogue or a pin keeps loses its figures as well, and begins anew",
    arguments: [#"{"op":"forget","app":"a"}"#, #"{"op":"forget","all":true}"#, #"{"op":"block","app":"a"}"#])
  func forgetsKeptApps(request: String) throws {
    try withSite(settings: Self.two) { site in
      try site.declare(
        "a.json", #"{"app": "a", "actions": [{"type": "a.first", "kind": "static", "localizedTitle": "First"}]}"#)
      var daemon = try site.start()
      try daemon.ask(#"{"op":"pin","action":"a.pinned"}"#)
      try daemon.count("a.x n=3\n")
      try daemon.publish("a")
      try daemon.count("a.first\na.pinned\na.x\n")
      #expect(try Figures(daemon.stats("a")).trials == 4)
      try daemon.askDurably(request)
      if request.contains("block") { try daemon.askDurably(#"{"op":"unblock","app":"a"}"#) }
      // That what was forgotten left the list is a change of it, at each of its places at most.
      for start in 0..<2 {
        let stats = try daemon.stats("a")
        #expect(stats["trials"] == 0 && stats["hits"] == 0 && stats["lists"] == .null, "\(start) \(stats)")
        #expect(Figures(stats).changes <= 2 && Figures.sum(stats["days"]) == Figures(stats), "\(start) \(stats)")
        for table in ["apps", "daily_hits"] {
          let trials = "SELECT coalesce(sum(trials), 0) FROM \(table) WHERE app = 'a'"
          #expect(try site.query(trials) == "0", "\(start)")
        }
        daemon.child.kill()
        daemon = try site.start()
      }
      try daemon.count("a.first\n")
      let anew = try daemon.stats("a")
      #expect(anew["trials"] == 1 && anew["hits"] == 1, "\(anew)")
    }
  }

  @Test("Uses of late that are forgotten leave the figures: these name no action")
  func keepsFiguresOfHours() throws {
    try withSite(settings: Site.slow) { site in
      let daemon = try site.start()
      try daemon.count("a.x n=3 t=\(Int(Date().timeIntervalSince1970) - 2 * 86_400)\n")
      try daemon.publish("a")
      try daemon.count("a.x\na.y\n")
      try daemon.askDurably(#"{"op":"forget","since":\#(Int(Date().timeIntervalSince1970) - 86_400)}"#)
      #expect(try daemon.file(of: "a")["shortcuts"].elements.map { $0["uses"] } == [3])
      try expect(Figures(2, 1, 0), daemon, "after forgetting")
    }
  }

  // MARK: As a user sees it

  @Test("The client shows the figures of the app, and says which list is in force")
  func shows() throws {
    try withDaemon(settings: Site.slow, isExact: false) { daemon in
      #expect(try daemon.client("stats") == "")
      try daemon.count("a.x\na.y\n")
      try daemon.publish("a")
      try daemon.count("a.x\na.y\na.new\na.x\n")
      let lines = try daemon.client("stats", "a").split(separator: "\n").map(String.init)
      #expect(lines.first?.wholeMatch(of: /on the menu +75\.0 % +3 of 4 uses/) != nil, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("In force is the list by the power law of uses, ") }, "\(lines)")
      #expect(lines.last?.wholeMatch(of: /\d{4}-\d\d-\d\d +4 +75\.0 % +█+ +0/) != nil, "\(lines)")
      let json = try decode(JSON.self, daemon.client("stats", "--json"))
      #expect(Figures(json) == Figures(4, 3, 0))
      try writeFile(daemon.site.config, Site.slow + "[Ranking]\nMethod=fixed\n")
      try daemon.reload()
      let fixed = "In force is the list by a half-life of 7d, which is fixed by the settings or for this app."
      #expect(try daemon.client("stats", "a").contains(fixed))
    }
  }
}
