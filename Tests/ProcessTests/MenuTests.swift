import Foundation
import Testing

@Suite("What an app's list holds")
struct MenuTests {
  /// An app with two static actions, one that is declared as dynamic, and limits of its own.
  private static func app(_ more: String = "") -> String {
    """
    {"app": "a", \(more)"actions": [
      {"type": "a.first", "kind": "static", "localizedTitle": "First"},
      {"type": "a.second", "kind": "static", "localizedTitle": "Second"},
      {"type": "a.third", "kind": "dynamic", "localizedTitle": "Third"}]}
    """
  }

  private func rows(_ daemon: RunningDaemon, _ list: String = "shortcuts") throws -> [String] {
    try daemon.file(of: "a")[list].elements.map(RunningDaemon.action)
  }

  @Test("Static actions come first, in declared order, then pinned ones in the order of pinning, then the best others")
  func orders() throws {
    try withSite { site in
      try site.declare("a.json", Self.app())
      let daemon = try site.start()
      try daemon.count("a.second n=50\na.v n=9\na.w n=8\na.x n=7\na.y n=6\na.z n=5\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.count == 4 }
      #expect(try rows(daemon) == ["a.first", "a.second", "a.v", "a.w"])
      #expect(try rows(daemon, "dynamic") == ["a.v", "a.w", "a.x", "a.y"])
      let file = try daemon.file(of: "a")["shortcuts"].elements
      #expect(file.map { $0["kind"] } == ["static", "static", "dynamic", "dynamic"])
      #expect(file.map { $0["rank"] } == [1, 2, 3, 4])
      // The list over all apps goes by score alone.
      #expect(try daemon.top().shortcuts.map(\.action) == ["a.second", "a.v", "a.w", "a.x"])

      try daemon.ask(#"{"op":"pin","action":"a.z"}"#)
      try daemon.ask(#"{"op":"pin","action":"a.never"}"#)
      try daemon.ask(#"{"op":"pin","action":"a.first"}"#)
      try daemon.snapshot(of: "a") { $0.shortcuts.last?.action == "a.never" }
      #expect(try rows(daemon) == ["a.first", "a.second", "a.z", "a.never"])
      #expect(try rows(daemon, "dynamic") == ["a.z", "a.never", "a.v", "a.w"])
      try daemon.ask(#"{"op":"unpin","action":"a.z"}"#)
      try daemon.ask(#"{"op":"disable","action":"a.first"}"#)
      try daemon.ask(#"{"op":"disable","action":"a.v"}"#)
      try daemon.snapshot(of: "a") { $0.shortcuts.map(\.action) == ["a.second", "a.never", "a.w", "a.x"] }
      #expect(try daemon.explain("a.v")["absent"] == "disabled" && daemon.explain("a.z")["absent"] == "outranked")
      // Uses of what is disabled are counted.
      try daemon.count("a.v n=10\n")
      try daemon.ask(#"{"op":"enable","action":"a.v"}"#)
      try daemon.ask(#"{"op":"enable","action":"a.first"}"#)
      try daemon.snapshot(of: "a") { $0.dynamic?.map(\.uses) == [0, 19, 8, 7] }
    }
  }

  @Test("An app's own limit is the length of its list, also over a reload, and leaves other lists alone")
  func limitsApps() throws {
    try withSite { site in
      try site.declare("a.json", Self.app(#""limit": 3, "#))
      let daemon = try site.start()
      let lines = (0..<9).map { "a.x\($0) n=\(20 - $0)\nb.x\($0) n=\(20 - $0)\n" }.joined()
      try daemon.count(lines)
      let app = try daemon.snapshot(of: "a") { $0.dynamic?.count == 3 }
      #expect(app.limit == 3 && app.shortcuts.map(\.action) == ["a.first", "a.second", "a.x0"])
      #expect(try daemon.snapshot(of: "b") { $0.shortcuts.count == 4 }.limit == 4)
      try site.declare("a.json", Self.app(#""limit": 7, "#))
      try daemon.reload()
      try daemon.snapshot(of: "a") { $0.limit == 7 && $0.shortcuts.count == 7 && $0.dynamic?.count == 7 }
      #expect(try daemon.app("b").shortcuts.count == 4)
      try site.declare("a.json", Self.app())
      try daemon.reload()
      try daemon.snapshot(of: "a") { $0.limit == 4 && $0.shortcuts.count == 4 }
    }
  }

  @Test("An app's own half-life ranks its list; the list over all apps compares under the common one")
  func decaysByApp() throws {
    try withSite(settings: Site.quick + "[Ranking]\nHalfLife=100d\n") { site in
      try site.declare("a.json", #"{"app": "a", "halfLife": "1d"}"#)
      var daemon = try site.start()
      let now = Int(Date().timeIntervalSince1970)
      // Under 1 d the eight of three days ago are worth 1, under 100 d nearly all of 8.
      try daemon.count("a.old n=8 t=\(now - 3 * 86_400)\na.new n=2\nb.old n=8 t=\(now - 3 * 86_400)\nb.new n=2\n")
      for round in 0..<3 {
        let app = try daemon.snapshot(of: "a") { $0.shortcuts.count == 2 }
        #expect(app.shortcuts.map(\.action) == ["a.new", "a.old"])
        for (row, score) in zip(app.shortcuts, [2, 1.0]) {
          #expect((score * 0.995...score).contains(row.score), "\(row)")
        }
        let other = try daemon.snapshot(of: "b") { $0.shortcuts.count == 2 }
        // 8 · 2^(−3/100)
        #expect(other.shortcuts.map { ($0.score * 100).rounded() } == [784, 200])
        let top = try daemon.top().shortcuts
        #expect(top.map(\.action).suffix(2).sorted() == ["a.new", "b.new"])
        #expect(top.prefix(2).allSatisfy { $0.score > 7.8 })
        #expect(try daemon.explain("a.old")["halfLife"] == "1d" && daemon.explain("a.old")["halfLifeOfApp"] == true)
        if round == 0 { #expect(try daemon.stop() == .status(0)) } else { daemon.child.kill() }
        daemon = try site.start()
      }
      // A half-life that is gone: scores go on from those of that moment, as with the one of the settings.
      try site.declare("a.json", #"{"app": "a"}"#)
      try daemon.reload()
      #expect(try daemon.explain("a.old")["halfLife"] == "100d" && daemon.explain("a.old")["halfLifeOfApp"] == false)
    }
  }

  @Test("With OnlyDefined=yes a list has only what is defined, and a reload changes that")
  func showsOnlyDefined() throws {
    try withSite(settings: Site.quick + "[Ranking]\nOnlyDefined=yes\n") { site in
      try site.declare("a.json", Self.app())
      let daemon = try site.start()
      try daemon.count("a.x n=9\na.third n=2\nb.x\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.map(\.action) == ["a.first", "a.second", "a.third"] }
      #expect(try daemon.explain("a.x")["absent"] == "undefined")
      #expect(try daemon.list(nil) == ["a.third"])
      try daemon.ask(#"{"op":"define","action":{"type":"a.x","localizedTitle":"X"}}"#)
      try daemon.snapshot(of: "a") { $0.shortcuts.map(\.action) == ["a.first", "a.second", "a.x", "a.third"] }
      try writeFile(site.config, Site.quick)
      try daemon.reload()
      #expect(try daemon.list("b") == ["b.x"])
    }
  }

  @Test("Files are left alone while nothing but their time would change, also at SIGHUP and by an op without effect")
  func leavesFilesAlone() throws {
    try withSite { site in
      try site.declare("a.json", Self.app())
      let daemon = try site.start()
      try daemon.count("a.x n=3\nb.x\n")
      try daemon.snapshot(of: "a") { $0.shortcuts.count == 3 }
      try daemon.snapshot(of: "b")
      let paths = ["json", "tsv"].flatMap { [daemon.topPath($0), daemon.appPath("a", $0), daemon.appPath("b", $0)] }
      try wait(for: "the list over all apps") { try daemon.top().shortcuts.count == 2 }
      func facts() throws -> [[String]] {
        try paths.map { path in
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0] ?? "")" }
        }
      }
      let before = try facts()
      for _ in 0..<3 { try daemon.reload() }
      for op in [
        #"{"op":"recompute"}"#, #"{"op":"unpin","action":"a.x"}"#, #"{"op":"undefine","app":"a"}"#,
        #"{"op":"forget","action":"never.seen"}"#,
      ] { try daemon.askDurably(op) }
      // Another app's list shows that there was a round, of which these were no part.
      try daemon.ask(#"{"op":"define","action":{"type":"c.c","localizedTitle":"C"}}"#)
      try daemon.snapshot(of: "c")
      #expect(try facts() == before)
    }
  }
}
