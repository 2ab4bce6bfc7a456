import Foundation
import QuickActionsClient
import Testing
import Wire

/// `top`, `apps`, `status`, and what holds of every subcommand.
struct LookCommandTests {
  private static let list =
    #"{"top":{"seq":SEQ,"generation":1,"computedAt":"2026-11-30T12:00:00.000Z","limit":4,"shortcuts":["#
    + #"{"rank":1,"kind":"static","app":"m","type":"m.a","localizedTitle":"\u001b[31mred","score":3.25,"uses":57,"#
    + #""lastUsed":"2026-11-30T11:59:02Z"},{"rank":2,"kind":"dynamic","app":"m","type":"m.b","score":0,"uses":0}]}}"#

  @Test("a list is a table for people, with what a terminal would obey made visible")
  func top() throws {
    let daemon = try StandIn(answering: ["top": Self.list])
    defer { daemon.stop() }
    let ended = try Places().run("top", "-n", "2", "--runtime-dir", daemon.runtime)
    #expect(ended.status == 0)
    let lines = ended.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    #expect(lines.count == 3)
    #expect(lines[0] == ["#", "score", "uses", "last", "use", "kind", "app", "action", "title"])
    #expect(lines[1].last == "\\u{1b}[31mred")
    #expect(!ended.output.contains("\u{1b}"))
    #expect(daemon.lines.first?["limit"]?.integer == 2)
  }

  @Test("as JSON a list is what the daemon says, without the number of the request")
  func json() throws {
    let daemon = try StandIn(answering: ["top": Self.list])
    defer { daemon.stop() }
    let ended = try Places().run("top", "--json", "--runtime-dir", daemon.runtime)
    #expect(ended.output == Self.list.dropFirst(7).dropLast(1).replacing("\"seq\":SEQ,", with: "") + "\n")
  }

  @Test("without a daemon the published lists are shown, and their age is told")
  func files() throws {
    let daemon = try RealDaemon(Places())
    let places = daemon.places
    #expect(try places.run("use", "com.example.mail.write", "com.example.mail.read", "-n", "2").status == 0)
    try wait(for: "the list") { try Snapshot.read(in: places.state)?.shortcuts.count == 2 }
    daemon.stop()
    let top = try places.run("top")
    #expect(top.status == 0)
    #expect(top.output.contains("com.example.mail.read"))
    #expect(top.errors.contains("no daemon answers") && top.errors.contains("this was published "))
    let one = try places.run("top", "com.example.mail", "-n", "1", "--json")
    #expect(one.errors.isEmpty)
    #expect(try ClientTests.json(one.output)["shortcuts"]?.elements?.count == 1)
    let apps = try places.run("apps", "--json")
    let rows = try ClientTests.json(apps.output)["apps"]?.elements ?? []
    #expect(rows.map { $0["app"]?.string } == ["com.example.mail"])
    #expect(rows.first?["lastUsed"]?.string != nil)
    #expect(try places.run("apps").output.contains("com.example.mail"))
    #expect(try places.run("top", "com.example.other").status == 69)
  }

  @Test("apps are listed with what the daemon knows of them")
  func apps() throws {
    let daemon = try StandIn(answering: [
      "apps": #"{"apps":{"apps":[{"app":"m","localizedName":"Mail","actions":12,"uses":345,"lastUsed":null,"#
        + #""blocked":true,"defined":true}],"next":null}}"#
    ])
    defer { daemon.stop() }
    let table = try Places().run("apps", "--runtime-dir", daemon.runtime).output.split(separator: "\n")
    #expect(table.last?.split(separator: " ") == ["m", "12", "345", "never", "Mail", "blocked"])
  }

  @Test("the status is a table, or the daemon's own words")
  func status() throws {
    try withDaemon { daemon in
      #expect(try daemon.places.run("status").output.contains(daemon.places.runtime))
      let text = try daemon.places.run("status", "--json").output
      #expect(try ClientTests.json(text)["counters"]?["uses"]?.integer == 0)
    }
  }

  @Test("without a daemon every subcommand that needs one says so and what to do, with status 69")
  func noDaemon() throws {
    let places = try Places()
    for arguments in [
      ["use", "a"], ["use", "-"], ["top"], ["apps"], ["status"], ["pin", "a"], ["unpin", "a"], ["enable", "a"],
      ["disable", "a"], ["block", "a"], ["unblock", "--app", "a"], ["undefine", "a"], ["define", "a", "--title", "A"],
      ["recompute"],
    ] {
      let running = try places.start(arguments + ["--user"])
      try running.closeInput()
      let ended = running.end()
      #expect(ended.status == 69, "\(arguments)")
      #expect(ended.errors.contains("systemctl --user start"), "\(arguments)")
      #expect(ended.output.isEmpty)
    }
    let elsewhere = try places.run("status", "--runtime-dir", "/nowhere", "--json")
    let error = try ClientTests.json(elsewhere.errors)["error"]
    #expect(error?["status"]?.integer == 69 && error?["code"]?.string == "noDaemon")
    #expect(error?["hint"]?.string?.contains("quickactionsd --runtime-dir /nowhere") == true)
    let homeless = try Running([Programs.client, "status", "--user"])
    #expect(homeless.end().status == 69)
    #expect(homeless.errors.contains("XDG_RUNTIME_DIR"))
  }

  @Test("help and version go to standard output, wrong usage to standard error with 64")
  func help() throws {
    let places = try Places()
    let all = try places.run("--help")
    #expect(all.status == 0 && all.errors.isEmpty)
    #expect(all.output.contains("\n  top") && all.output.contains("--runtime-dir DIR"))
    let one = try places.run("top", "--help")
    #expect(one.output.hasPrefix("Usage: quickactions top [APP] [-n N]\n"))
    #expect(try places.run("--version").output == "quickactions 0.1.0\n")
    for arguments in [[], ["tpo"], ["top", "--al"], ["top", "-n", "x"], ["top", "-n", "0"], ["top", "a", "b"]] {
      let running = try places.start(arguments)
      #expect(running.end().status == 64, "\(arguments)")
      #expect(running.output.isEmpty && running.errors.hasPrefix("quickactions: "))
    }
    let wrong = try places.run("tpo", "--json")
    #expect(try ClientTests.json(wrong.errors)["error"]?["hint"]?.string == "did you mean 'top'?")
  }

  @Test("colours are for terminals, and for who wants them there")
  func colours() throws {
    let daemon = try StandIn(answering: ["top": Self.list])
    defer { daemon.stop() }
    let command = "\(Programs.client) top --runtime-dir \(daemon.runtime)"
    for (environment, hasColours) in [
      (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "0"], false),
      (["TERM": "xterm", "NO_COLOR": ""], true),
      (["TERM": "dumb"], false), ([:], false),
    ] {
      // It gives the command a terminal.
      let running = try Running(["/usr/bin/script", "-qec", command, "/dev/null"], environment: environment)
      #expect(running.end().status == 0)
      #expect(running.output.contains("\u{1b}[") == hasColours, "\(environment)")
      #expect(running.output.contains("\\u{1b}[31mred"))
    }
  }

  @Test("whoever may not ask the daemon is told so, and sees what is published", .enabled(if: geteuid() == 0))
  func forbidden() throws {
    let daemon = try StandIn(answering: [:])
    defer { daemon.stop() }
    chmod(daemon.runtime, 0o755)
    let published = try Folder()
    chmod(published.path, 0o755)
    try published.write(
      #"{"format":"quickactions-snapshot/1","generation":1,"shortcuts":[{"rank":1,"type":"a.b","app":"a"}]}"#,
      to: "snapshots/top.json")
    func asNobody(_ arguments: String...) throws -> Ended {
      let running = try Running(
        ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Programs.client] + arguments + [
          "--runtime-dir", daemon.runtime, "--state-dir", published.path,
        ])
      return running.end()
    }
    let status = try asNobody("status", "--json")
    #expect(status.status == 1)
    #expect(try ClientTests.json(status.errors)["error"]?["code"]?.string == "notPermitted")
    let top = try asNobody("top")
    #expect(top.status == 0)
    #expect(top.output.contains("a.b"))
    #expect(top.errors.contains("may not connect"))
  }

  @Test("output that can't be written is told, with status 1")
  func fullDisk() throws {
    let ended = try Running(["/bin/sh", "-c", "exec \(Programs.client) --help >/dev/full"]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.contains("standard output"))
  }
}
