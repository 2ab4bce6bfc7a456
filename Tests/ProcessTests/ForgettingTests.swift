import Foundation
import Testing

@Suite("Forgetting")
struct ForgettingTests {
  /// What is to be forgotten; the bytes of the last part are in nothing else.
  private static let word = "Xylophon7Q3"
  private static let secret = "com.example.secret.\(word)"
  /// A small intake log, so that it goes round.
  private static let small = Site.slow + "[Storage]\nCommitInterval=1h\nIntakeLogSize=4M\n"

  /// A daemon that has used the secret often, in several commits, beside 3,000 other actions; with the backup, the state
  /// and the intake log that were set aside as damaged, and published files that all hold it.
  private func startWithTraces(_ site: Site) throws -> RunningDaemon {
    let now = Int(Date().timeIntervalSince1970)
    var daemon = try site.start()
    try daemon.count((0..<3000).map { "other\($0 % 50).action\($0) n=\(1 + $0 % 7)\n" }.joined())
    for round in 0..<5 {
      try daemon.count((0..<40).map { "\(Self.secret) t=\(now - round * 7200 - $0) id=\(round)-\($0)\n" }.joined())
    }
    #expect(try daemon.stop() == .status(0))
    // The next start makes the backup anew, from this state.
    try FileManager.default.removeItem(atPath: site.state + "/state.db.backup")
    daemon = try site.start()
    try wait(for: "a backup with the secret") { try site.filesHolding(Self.word).contains("state/state.db.backup") }
    #expect(try daemon.stop() == .status(0))
    // A page in the middle is not what it was, the secret is elsewhere.
    let state = site.state + "/state.db"
    var bytes = try readFile(state)
    bytes.removeLast(4096)
    try Data(bytes).write(to: URL(filePath: state))
    daemon = try site.start()
    try daemon.send("\(Self.secret) n=7\n", until: try daemon.status()["accepted"] + 1)
    daemon.child.kill()
    // Behind what was logged the log is not what it was.
    let log = site.runtime + "/intake.log"
    bytes = try readFile(log)
    let used = try #require(bytes.lastIndex { $0 != 0 })
    bytes[used] ^= 0x40
    try Data(bytes).write(to: URL(filePath: log))
    daemon = try site.start()
    // Round the intake log, and not in step with it.
    let client = try daemon.connect()
    let line = "\(Self.secret) app=com.example.secret \(String(repeating: " ", count: 2000))\n"
    for _ in 0..<30 { try client.send(String(repeating: line, count: 100)) }
    #expect(try client.sync().reply.durable)
    let datagrams = try Client(daemon.datagramPath, datagram: true)
    let accepted = try daemon.status()["accepted"]
    try datagrams.send("\(Self.secret)\n\(Self.secret)#x")
    try wait(for: "the datagram") { try daemon.status()["accepted"] == accepted + 2 }
    try daemon.ask(#"{"op":"recompute"}"#)
    try daemon.snapshot(of: "com.example.secret") { $0.uses(of: "\(Self.secret)#x") == 1 }
    let files = try site.filesHolding(Self.word)
    for name in [
      "run/intake.log", "state/snapshots/apps/com.example.secret.json", "state/snapshots/apps/com.example.secret.tsv",
      "state/snapshots/top.json", "state/state.db", "state/state.db.backup",
    ] { #expect(files.contains(name), "\(name) of \(files)") }
    #expect(files.contains { $0.hasPrefix("state/state.db.damaged-") }, "\(files)")
    return daemon
  }

  /// What forgets the secret, each in its way.
  enum Way: String, CaseIterable {
    case action = #"{"op":"forget","action":"com.example.secret.Xylophon7Q3"}"#
    case app = #"{"op":"forget","app":"com.example.secret"}"#
    case since = #"{"op":"forget","since":1e9}"#
    case all = #"{"op":"forget","all":true}"#
    case block = #"{"op":"block","app":"com.example.secret"}"#
  }

  /// Forgets, and returns a connection on which the requests have been answered.
  private func forget(_ daemon: RunningDaemon, _ way: Way) throws -> Client {
    let client = try daemon.control()
    let requests =
      way == .action ? [way.rawValue, way.rawValue.replacingOccurrences(of: #""}"#, with: ##"#x"}"##)] : [way.rawValue]
    for request in requests {
      let reply = try client.ask(request)
      #expect(reply["error"] == .null, "\(reply)")
    }
    return client
  }

  private func expectForgotten(_ site: Site, _ daemon: RunningDaemon, _ way: Way, _ comment: String = "") throws {
    let files = try site.filesHolding(Self.word)
    #expect(files == [], "\(way) \(comment)")
    #expect(try site.query("SELECT wipe_is_owed FROM daemon") == "0")
    #expect(try site.query("SELECT count(*) FROM actions WHERE app = 'com.example.secret'") == "0")
    let others = try Int(site.query("SELECT count(*) FROM actions WHERE action <> 'other0.action0'")) ?? 0
    #expect(others == (way == .all || way == .since ? 0 : 2999), "\(way): \(others)")
    #expect(try site.query("PRAGMA integrity_check") == "ok")
    #expect(FileFacts(daemon.appPath("com.example.secret")) == nil || way == .block)
  }

  @Test("Once a sync behind it is answered nothing is left in any file", arguments: Way.allCases)
  func leavesNothing(way: Way) throws {
    try withSite(settings: Self.small) { site in
      var daemon = try startWithTraces(site)
      let client = try forget(daemon, way)
      #expect(try client.sync().reply.durable)
      try expectForgotten(site, daemon, way)
      #expect(try daemon.list("com.example.secret") == [])
      // What goes on is counted, and nothing comes back.
      try daemon.count("other0.action0 n=100\n")
      daemon.child.kill()
      daemon = try site.start()
      try expectForgotten(site, daemon, way, "after a kill")
      #expect(try daemon.list("other0").first == "other0.action0")
      #expect(try daemon.stop() == .status(0))
      #expect(try site.filesHolding(Self.word) == [])
    }
  }

  @Test("A request to forget what is forgotten already leaves nothing of its own either")
  func forgetsTwice() throws {
    try withSite(settings: Self.small) { site in
      let daemon = try site.start()
      try daemon.count("\(Self.secret) n=3\nb.b\n")
      for uses in [3, 0, 0] {
        let reply = try daemon.askDurably(Way.action.rawValue)
        #expect(reply["forget"]["uses"].number == Double(uses))
        #expect(try site.filesHolding(Self.word) == [], "\(uses)")
      }
    }
  }

  @Test(
    "Killed after the answer and before any sync it is forgotten all the same",
    arguments: [Way.action, .app, .since, .all, .block])
  func survivesAKill(way: Way) throws {
    try withSite(settings: Self.small) { site in
      var daemon = try site.start()
      try daemon.count((0..<3000).map { "other\($0 % 50).action\($0)\n" }.joined())
      try daemon.count("\(Self.secret) n=50\n")
      _ = try daemon.ask(#"{"op":"recompute"}"#)
      try daemon.snapshot(of: "com.example.secret")
      // This is in the intake log alone.
      try daemon.send("\(Self.secret) n=8\n\(Self.secret)#x\n", until: 3003)
      _ = try forget(daemon, way)
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.list("com.example.secret") == [])
      #expect(try daemon.count("b.b app=other1\n").durable)
      try wait(for: "the wipe") { try site.query("SELECT wipe_is_owed FROM daemon") == "0" }
      #expect(try site.filesHolding(Self.word) == [], "\(way)")
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.list("com.example.secret") == [])
      #expect(try site.filesHolding(Self.word) == [], "\(way)")
    }
  }

  @Test("Killed at any moment of its commit it is forgotten with the next start", arguments: 0..<6)
  func survivesAKillInItsCommit(round: Int) throws {
    try withSite(settings: Self.small) { site in
      var daemon = try site.start()
      try daemon.count((0..<3000).map { "other\($0 % 50).action\($0)\n" }.joined())
      try daemon.count("\(Self.secret) n=50\n")
      let client = try forget(daemon, .action)
      let commits = try daemon.status()["commits"]
      try client.send(#"{"op":"sync"}"# + "\n")
      // As far as it comes while so many questions are answered, or to the end of the commit.
      for _ in 0..<(round * 3) where try daemon.status()["commits"] == commits {}
      daemon.child.kill()
      daemon = try site.start()
      #expect(try daemon.count("b.b\n").durable)
      #expect(try site.filesHolding(Self.word) == [])
      #expect(try site.query("SELECT count(*) FROM actions") == "3001")
    }
  }

  @Test("What can't be wiped is told, owed, and wiped when it can be", .enabled(if: Tracer.isThere))
  func owesTheWipe() throws {
    try withSite(settings: Site.slow + "[Storage]\nCommitInterval=100ms\nIntakeLogSize=4M\n") { site in
      let daemon = try site.start()
      try daemon.count((0..<500).map { "other.action\($0)\n" }.joined() + "\(Self.secret) n=50\n")
      let tracer = try Tracer(daemon, calls: "pwrite64", fault: "error=ENOSPC")
      let client = try forget(daemon, .action)
      let reply = try client.sync().reply
      #expect(!reply.durable && reply.reason != nil, "\(reply)")
      try tracer.detach()
      try wait(for: "the state to be stored") { try daemon.status().storageError == nil }
      #expect(try client.sync(2).reply.durable)
      #expect(try site.filesHolding(Self.word) == [])
    }
  }

  @Test("With since the older hours stay as they are, uses, scores and history")
  func keepsOlderHours() throws {
    let settings = Site.slow + "[Ranking]\nHalfLife=1h\n[Storage]\nCommitInterval=1h\n"
    try withSite(settings: settings) { site in
      var daemon = try site.start()
      let now = Int(Date().timeIntervalSince1970)
      let hour = now / 3600
      func lines(_ action: String) -> String {
        """
        \(action) n=3 t=\((hour - 3) * 3600 + 600)
        \(action) n=4 t=\((hour - 2) * 3600 + 1)
        \(action) n=5 t=\((hour - 1) * 3600 + 3599)
        \(action) n=1

        """
      }
      // One is stored, one is not; one is older, one newer altogether.
      try daemon.count(lines("a.stored") + "a.old n=2 t=\((hour - 3) * 3600)\n")
      try daemon.send(lines("a.logged") + "a.new n=9\n", until: 10)
      let reply = try daemon.askDurably(#"{"op":"forget","since":\#((hour - 2) * 3600 + 1800)}"#)
      #expect(reply["forget"] == ["actions": 3, "uses": 29])
      for round in 0..<2 {
        #expect(
          try site.query("SELECT action, uses FROM actions ORDER BY action") == "a.logged|3\na.old|2\na.stored|3",
          "\(round)")
        #expect(
          try site.query(
            "SELECT hour, action, h.uses FROM hourly_uses h JOIN actions USING (action_number) ORDER BY action")
            == "\(hour - 3)|a.logged|3\n\(hour - 3)|a.old|2\n\(hour - 3)|a.stored|3")
        for action in ["a.stored", "a.logged"] {
          let explained = try daemon.explain(action)
          let age = Date().timeIntervalSince1970 / 3600 - Double(hour - 3)
          let scores = 3 * exp2(-age) * 0.999...3 * exp2(1 - age)
          #expect(explained["score"].number.map(scores.contains) == true, "\(explained) in \(scores)")
        }
        #expect(try daemon.list("a").sorted() == ["a.logged", "a.old", "a.stored"])
        daemon.child.kill()
        daemon = try site.start()
      }
    }
  }

  @Test("Only what is meant is forgotten; definitions, pins, blocks and ids stay")
  func keepsTheRest() throws {
    try withSite(settings: Site.slow) { site in
      var daemon = try site.start()
      try daemon.ask(#"{"op":"define","action":{"type":"a.b","localizedTitle":"B"}}"#)
      try daemon.ask(#"{"op":"pin","action":"a.p"}"#)
      try daemon.ask(#"{"op":"block","action":"a.never"}"#)
      try daemon.ask(#"{"op":"disable","action":"a.off"}"#)
      try daemon.count("a.b n=3 id=one\na.p n=2\na.b app=other n=4\na.bb n=5\na.b#x n=6\na.never\n")
      #expect(try daemon.askDurably(#"{"op":"forget","action":"a.b"}"#)["forget"] == ["actions": 1, "uses": 3])
      #expect(try daemon.list("a").sorted() == ["a.b", "a.b#x", "a.bb", "a.p"])
      #expect(try daemon.list("other") == ["a.b"])
      #expect(try daemon.askDurably(#"{"op":"forget","all":true}"#)["forget"] == ["actions": 4, "uses": 17])
      for _ in 0..<2 {
        #expect(try daemon.list("a") == ["a.p", "a.b"] && daemon.list("other") == [])
        #expect(try daemon.explain("a.b")["localizedTitle"] == "B" && daemon.explain("a.b")["uses"] == 0)
        #expect(try daemon.explain("a.never")["absent"] == "blocked" && daemon.explain("a.off")["enabled"] == false)
        #expect(try daemon.count("a.b id=one\n").duplicates == 1)
        daemon.child.kill()
        daemon = try site.start()
      }
    }
  }

  @Test("An app that was forgotten and is used again has its files again, as has one that comes in its place")
  func publishesAgain() throws {
    try withSite(settings: Site.quick) { site in
      let daemon = try site.start()
      for round in 1...3 {
        try daemon.count("a.b n=\(round)\nb\(round).c n=2\n")
        try daemon.snapshot(of: "a") { $0.uses(of: "a.b") == round }
        try daemon.snapshot(of: "b\(round)")
        for app in ["a", "b\(round)"] {
          try daemon.askDurably(#"{"op":"forget","app":"\#(app)"}"#)
          try wait(for: "the files of \(app) to go") {
            ["json", "tsv"].allSatisfy { FileFacts(daemon.appPath(app, $0)) == nil }
          }
        }
      }
    }
  }

  @Test("What is blocked is counted as blocked and nowhere else; unblocked it begins anew")
  func blocks() throws {
    try withSite(settings: Self.small) { site in
      var daemon = try site.start()
      try daemon.count("\(Self.secret) n=57\nb.b\n")
      #expect(try daemon.askDurably(#"{"op":"block","app":"com.example.secret"}"#)["block"]["uses"] == 57)
      for round in 0..<3 {
        let reply = try daemon.count("\(Self.secret) n=4 id=x\n\(Self.secret)#y\nb.b\n")
        #expect(reply.accepted == 1 && reply.blocked == 2 && reply.duplicates == 0, "\(reply)")
        #expect(try daemon.status()["blocked"] == 2 * (round + 1))
        #expect(try site.filesHolding(Self.word) == [])
        #expect(try daemon.list(nil) == ["b.b"])
        if round == 0 { daemon.child.kill() } else { #expect(try daemon.stop() == .status(0)) }
        daemon = try site.start()
      }
      #expect(try daemon.ask(#"{"op":"unblock","app":"com.example.secret"}"#)["unblock"]["changed"] == true)
      #expect(try daemon.count("\(Self.secret) id=x\n").accepted == 1)
      #expect(try daemon.explain(Self.secret)["uses"] == 1)
      #expect(
        try site.query("SELECT sum(hourly_uses.uses) FROM hourly_uses JOIN actions USING (action_number)") == "5")

      // One action alone; the id is there as what is blocked, and in no other way.
      try daemon.askDurably(#"{"op":"block","action":"\#(Self.secret)"}"#)
      #expect(try daemon.count("\(Self.secret)\n\(Self.secret)#y\n").blocked == 1)
      try daemon.ask(#"{"op":"forget","action":"\#(Self.secret)#y"}"#)
      try daemon.askDurably(#"{"op":"recompute"}"#)
      let files = try site.filesHolding(Self.word)
      #expect(files.allSatisfy { $0.hasPrefix("state/state.db") }, "\(files)")
      #expect(try site.query("SELECT count(*) FROM actions WHERE app = 'com.example.secret'") == "0")
      try daemon.askDurably(#"{"op":"unblock","action":"\#(Self.secret)"}"#)
      #expect(try daemon.explain("b.b")["uses"] == 4)
    }
  }
}
