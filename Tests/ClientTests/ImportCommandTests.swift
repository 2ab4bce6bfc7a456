import Foundation
import QuickActionsClient
import Testing
import Wire

@testable import quickactions

struct ImportCommandTests {
  @Test("a history counts once, however often it is imported, and what it has grown by counts, too")
  func twice() throws {
    try withDaemon { daemon in
      let (places, folder) = (daemon.places, daemon.places.folder)
      let start = "ls\nls\ngit push\n"
      let path = try folder.write(start, to: ".bash_history")
      let first = try places.run("import", path)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output == "bash: 3 entries read: 3 counted, 0 known already, 0 skipped\n")
      #expect(try places.run("import", path).output == "bash: 3 entries read: 0 counted, 3 known already, 0 skipped\n")
      try folder.write(start + "ls\n", to: ".bash_history")
      #expect(
        try places.run("import", path, "--json").output
          == "{\"format\":\"bash\",\"read\":4,\"requests\":0,\"counted\":1,\"known\":3,\"skipped\":0,\"blocked\":0,"
          + "\"notRecorded\":0,\"durable\":true}\n")
      let status = try daemon.status()
      #expect(status.counters["accepted"] == 4)
    }
  }

  @Test("uses have the times, counts and apps that the history tells")
  func times() throws {
    try withDaemon { daemon in
      let now = UnixTime.now.nanoseconds / 1_000_000_000
      let path = try daemon.places.folder.write("a.b\t\(now - 86_400)\t7\nc.d\t\(now)\t2\tx.y\n", to: "table")
      #expect(try daemon.places.run("import", path).status == 0)
      try wait(for: "the published list") {
        try Snapshot.read(in: daemon.places.state)?.shortcuts.map(\.uses) == [7, 2]
      }
      let list = try #require(try Snapshot.read(in: daemon.places.state)).shortcuts
      #expect(list.map(\.app) == ["a", "x.y"])
      #expect(list.map { ($0.lastUsed?.nanoseconds ?? 0) / 1_000_000_000 } == [now - 86_400, now])
    }
  }

  @Test("bad lines are told with their numbers, at most 20 of them, and the others count")
  func bad() throws {
    try withDaemon { daemon in
      let rows = (1...30).map { $0 % 6 == 0 ? "a.b\t100" : "bad row" }
      let path = try daemon.places.folder.write(rows.joined(separator: "\n"), to: "table")
      let ended = try daemon.places.run("import", path, "--format", "tsv")
      #expect(ended.status == 0)
      #expect(ended.output == "tsv: 30 entries read: 5 counted, 0 known already, 25 skipped\n")
      let told = ended.errors.split(separator: "\n")
      #expect(told.count == 21)
      #expect(told.first == "line 1: 1 column; allowed are action, time, count and app, separated by tabs")
      #expect(told.last == "and 5 more")
    }
  }

  @Test("a file in which nothing can be read is a failure")
  func nothing() throws {
    try withDaemon { daemon in
      let path = try daemon.places.folder.write("junk\njunk\n", to: "table")
      let ended = try daemon.places.run("import", path, "--format", "fish", "--json")
      #expect(ended.status == 1)
      let errors = try ended.errors.split(separator: "\n").map { try json(String($0)) }
      #expect(errors.map { $0["error"]?["code"]?.string } == ["invalidEntry", "invalidEntry", "invalidFormat"])
      #expect(errors.first?["error"]?["line"]?.integer == 1)
      #expect(
        try daemon.places.run("import", daemon.places.folder.write("", to: "empty"), "--format", "zsh").status == 0)
    }
  }

  @Test("many lines are sent with syncs between them, and each counts once")
  func many() throws {
    try withDaemon { daemon in
      let path = try daemon.places.folder.write(
        (0..<20_000).map { ": \(1_790_000_000 + $0):0;command\($0 % 100)\n" }.joined(), to: "history")
      let ended = try daemon.places.run("import", path)
      #expect(ended.output == "zsh: 20000 entries read: 20000 counted, 0 known already, 0 skipped\n")
    }
  }

  @Test("a daemon's refusal is told with the number of the entry, not of the line on the wire")
  func refusals() throws {
    let standIn = try StandIn("events.sock") { line in
      guard line["op"] != nil else { return [] }
      return [
        "{\"error\":{\"line\":3,\"code\":\"lineTooLong\",\"message\":\"too long\"}}",
        "{\"sync\":{\"seq\":\(line["seq"]?.integer ?? 0),\"accepted\":1,\"duplicates\":0,\"refused\":1,\"durable\":true}}",
      ]
    }
    defer { standIn.stop() }
    let folder = try Folder()
    // The third line on the wire is, behind a sync, the second use: line 4 of the file.
    let path = try folder.write("a\t1\n# a remark\n\nb\t2\n", to: "table")
    let ended = try Running([Programs.client, "--runtime-dir", standIn.runtime, "import", path]).end()
    #expect(ended.errors.contains("line 4: too long"))
  }

  @Test("while recording is paused nothing more is sent, and it says so")
  func paused() throws {
    let standIn = try StandIn("events.sock") { line in
      guard line["op"] != nil else { return [] }
      return [
        "{\"sync\":{\"seq\":\(line["seq"]?.integer ?? 0),\"accepted\":0,\"duplicates\":0,\"refused\":0,\"notRecorded\":1,"
          + "\"durable\":true}}"
      ]
    }
    defer { standIn.stop() }
    let folder = try Folder()
    let path = try folder.write("a\t1\nb\t2\nc\t3\n", to: "table")
    let ended = try Running([Programs.client, "--runtime-dir", standIn.runtime, "import", path]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.contains("recording is paused"))
    #expect(standIn.lines.count { $0["op"] == nil } == 1)
  }

  @Test("a connection that is lost is told with what to do")
  func lost() throws {
    let standIn = try StandIn("events.sock") { _ in nil }
    defer { standIn.stop() }
    let folder = try Folder()
    let ended = try Running([
      Programs.client, "--runtime-dir", standIn.runtime, "import", folder.write("a\t1\n", to: "table"),
    ]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.contains("run it again: nothing counts twice"))
  }

  @Test("what can't be guessed or is no format is wrong usage, and a file that is not there a failure")
  func usage() throws {
    let places = try Places()
    let path = try places.folder.write("ls\n", to: "unknown")
    #expect(try places.run("import", path).status == 64)
    let typo = try places.run("import", path, "--format", "bsh")
    #expect(typo.status == 64)
    #expect(typo.errors.contains("bash"))
    #expect(try places.run("import", path, "--format", "export", "--app", "x").status == 64)
    #expect(try places.run("import", "/nowhere/history").status == 1)
    #expect(try places.run("import", "/dev").status == 1)
  }

  @Test("without a daemon the status is 69")
  func noDaemon() throws {
    let places = try Places()
    let path = try places.folder.write("ls\n", to: "history")
    #expect(try places.run("import", path, "--format", "zsh", "--user").status == 69)
  }

  @Test("a bar is as full as the file is read")
  func bar() {
    #expect(ProgressBar.text(0, of: 10) == "[------------------------------] 0%")
    #expect(ProgressBar.text(5, of: 10) == "[###############---------------] 50%")
    #expect(ProgressBar.text(10, of: 10) == "[##############################] 100%")
    #expect(ProgressBar.text(0, of: 0).hasSuffix("100%"))
  }
}
