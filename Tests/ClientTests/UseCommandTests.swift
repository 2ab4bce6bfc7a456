import Foundation
import QuickActionsClient
import Testing
import Wire

/// `use` and `run`, on the daemon itself.
struct UseCommandTests {
  @Test("uses are counted when the client ends, and nothing is said")
  func use() throws {
    try withDaemon { daemon in
      let ended = try daemon.places.run("use", "a.b", "a.c#d", "-n", "3", "--at", "2026-11-30T12:00:00Z", "--app", "e")
      #expect(ended.status == 0)
      #expect(ended.output.isEmpty && ended.errors.isEmpty)
      #expect(try daemon.status().counters["uses"] == 6)
      try wait(for: "the list") { try Snapshot.read(of: "e", in: daemon.places.state) != nil }
      let list = try #require(try Snapshot.read(of: "e", in: daemon.places.state))
      #expect(Set(list.shortcuts.map(\.action)) == ["a.b", "a.c#d"])
      #expect(list.shortcuts.allSatisfy { $0.uses == 3 && $0.lastUsed == UnixTime(seconds: 1_796_040_000) })
    }
  }

  @Test("one wrong id among several is told, and none is counted")
  func mistake() throws {
    try withDaemon { daemon in
      let ended = try daemon.places.run("use", "a.b", "a b")
      #expect(ended.status == 1)
      #expect(ended.errors.contains("white space at byte 2"))
      #expect(try daemon.status().counters["uses"] == 0)
    }
  }

  @Test("an id counts once, and it is told when it had been counted")
  func id() throws {
    try withDaemon { daemon in
      #expect(try daemon.places.run("use", "a.b", "--id", "7").errors.isEmpty)
      let again = try daemon.places.run("use", "a.b", "--id", "7", "--json")
      #expect(again.status == 0)
      let expected =
        #"{"accepted":0,"duplicates":1,"refused":0,"blocked":0,"notRecorded":0,"durable":true,"reason":null}"# + "\n"
      #expect(again.output == expected)
      #expect(try daemon.places.run("use", "a.b", "--id", "7").errors == "1 line had been counted before\n")
      #expect(try daemon.places.run("use", "a.b", "a.c", "--id", "7").status == 64)
    }
  }

  @Test("what is blocked or paused is told, with status 1")
  func uncounted() throws {
    for (name, words) in [("blocked", "blocked"), ("notRecorded", "paused")] {
      let daemon = try StandIn("events.sock") { line in
        line["op"] == nil ? [] : [#"{"sync":{"seq":1,"accepted":0,"\#(name)":1,"durable":true}}"#]
      }
      defer { daemon.stop() }
      let ended = try Places().run("use", "a.b", "--runtime-dir", daemon.runtime)
      #expect(ended.status == 1)
      #expect(ended.errors.contains("1 line not counted: ") && ended.errors.contains(words))
    }
  }

  @Test("uses that are not on the disk yet are told, and no failure")
  func notDurable() throws {
    let daemon = try StandIn("events.sock") { line in
      line["op"] == nil ? [] : [#"{"sync":{"seq":1,"accepted":1,"durable":false,"reason":"disk full"}}"#]
    }
    defer { daemon.stop() }
    let ended = try Places().run("use", "a.b", "--runtime-dir", daemon.runtime)
    #expect(ended.status == 0)
    #expect(ended.errors.contains("disk full"))
  }

  @Test("a datagram is sent without a word")
  func noWait() throws {
    try withDaemon { daemon in
      #expect(try daemon.places.run("use", "a.b", "--no-wait").status == 0)
      try wait(for: "the use") { try daemon.status().counters["datagrams"] == 1 }
      #expect(try daemon.places.run("use", "a b", "--no-wait").status == 1)
    }
    #expect(try Places().run("use", "a.b", "--no-wait").status == 69)
  }

  @Test("lines of standard input are counted, and each that is refused is told with its number, however many")
  func lines() throws {
    try withDaemon { daemon in
      var (input, wrong) = ("# a comment\r\n\n", [Int]())
      for number in 3...2002 {
        let isWrong = number % 4 == 0
        if isWrong { wrong.append(number) }
        input += isWrong ? "a.b n=0\n" : number % 3 == 0 ? "{\"type\":\"a.b\"}\n" : "a.c t=1796040000\n"
      }
      // The last line without its end counts, too.
      let ended = try daemon.places.run("use", "-", "--json", input: input + "a.b")
      #expect(ended.status == 1)
      let told = try ended.errors.split(separator: "\n").map { try json(String($0))["error"]?["line"]?.integer }
      #expect(told == wrong.map { Int64($0) })
      #expect(
        ended.output.hasPrefix("{\"accepted\":\(2001 - wrong.count),\"duplicates\":0,\"refused\":\(wrong.count),"))
      #expect(try daemon.status().counters["uses"] == UInt64(2001 - wrong.count))
      // They did not reach the daemon.
      #expect(try daemon.status().refused.values.allSatisfy { $0 == 0 })
    }
  }

  @Test("what only the daemon refuses is told with its number, too")
  func daemonRefuses() throws {
    try withDaemon { daemon in
      let long = "{\"type\":\"a.b\",\"x\":\"\(String(repeating: "x", count: 5000))\"}"
      let ended = try daemon.places.run("use", "-", input: "a n=0\n\n\(long)\na.b\n{\"op\":\"status\"}\n")
      #expect(ended.status == 1)
      #expect(Set(ended.errors.split(separator: "\n").map { $0.prefix(7) }) == ["line 1:", "line 3:", "line 5:"])
      #expect(try daemon.status().counters["uses"] == 1)
    }
  }

  @Test("lines arrive while the input is still open")
  func interactive() throws {
    try withDaemon { daemon in
      let running = try daemon.places.start(["use", "-"])
      defer { running.kill() }
      try running.type("a.b\na.c\n".utf8)
      try wait(for: "two uses") { try daemon.status().counters["uses"] == 2 }
      try running.closeInput()
      #expect(running.end().status == 0)
    }
  }

  @Test("a daemon that ends while lines are awaited is told at once")
  func gone() throws {
    let daemon = try RealDaemon(Places())
    let running = try daemon.places.start(["use", "-"])
    defer { running.kill() }
    try running.type("a.b\n".utf8)
    try wait(for: "a use") { try daemon.status().counters["uses"] == 1 }
    daemon.stop()
    #expect(running.end().status == 1)
    #expect(running.errors.contains("lost"))
  }

  @Test("a command takes the client's place, keeps its process and counts once it has started")
  func run() throws {
    try withDaemon { daemon in
      let running = try daemon.places.start(["run", "a.b", "--app", "c", "--", "sh", "-c", "echo $$; exit 7"])
      try running.closeInput()
      let ended = running.end()
      #expect(ended.status == 7)
      #expect(ended.output == "\(ended.process)\n")
      try wait(for: "the use") { try daemon.status().counters["uses"] == 1 }
    }
  }

  @Test("a command's arguments keep their bytes, and options behind -- are the command's")
  func arguments() throws {
    try withDaemon { daemon in
      let ended = try daemon.places.run("run", "a.b", "--", "printf", "%s|", "--json", "", "é")
      #expect(ended.output == "--json||é|")
    }
  }

  @Test("a command that can't be started counts nothing, with the status of shells")
  func notStarted() throws {
    try withDaemon { daemon in
      let folder = try Folder()
      let plain = try folder.write("text", to: "plain")
      let orphan = try folder.write("#!/nonexistent/interpreter\n", to: "orphan")
      chmod(orphan, 0o700)
      for (command, status) in [
        ("no-such-command", 127), (folder.path + "/no-such-file", 127), (plain, 126), (folder.path, 126), (orphan, 127),
        ("", 127),
      ] as [(String, Int32)] {
        #expect(try daemon.places.run("run", "a.b", "--", command).status == status, "\(command)")
      }
      // A use behind them all: what was to be counted would have been by now.
      #expect(try daemon.places.run("use", "c.d").status == 0)
      #expect(try daemon.status().counters["uses"] == 1)
    }
  }

  @Test("without a daemon the command runs all the same, and the use is told as not counted")
  func noDaemon() throws {
    let ended = try Places().run("run", "a.b", "--", "echo", "there")
    #expect(ended.status == 0)
    #expect(ended.output == "there\n")
    #expect(ended.errors.contains("not counted"))
    #expect(try Places().run("run", "a b", "--", "echo", "there").output.isEmpty)
    #expect(try Places().run("run", "a.b").status == 64)
  }
}
