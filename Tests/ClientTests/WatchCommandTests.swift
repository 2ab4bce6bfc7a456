import Foundation
import QuickActionsClient
import Testing
import Wire

struct WatchCommandTests {
  @Test("on a terminal the list follows uses, the window's size, and the daemon's end and return")
  func screen() throws {
    try withDaemon { daemon in
      try daemon.places.use("a.one", "a.two", "a.two")
      let terminal = try Tmux("echo before; $QA watch; echo rc $?; cat", at: daemon.places)
      try terminal.wait(for: "a.one is second") { Self.order($0) == ["a.two", "a.one"] }
      try daemon.places.use("a.one", "a.one", "a.one")
      let moved = try terminal.wait(for: "a.one is first") { Self.order($0) == ["a.one", "a.two"] }
      #expect(moved.contains("↑") && moved.contains("↓"))
      #expect(try terminal.screen(codes: true).contains("\u{1b}[32m↑"))

      try terminal.resize(columns: 100, rows: 6)
      try terminal.wait(for: "the last line at the new end") {
        $0.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 6 && Self.order($0).count == 2
      }
      daemon.stop()
      try terminal.wait(for: "The daemon went away")
      try daemon.start()
      try terminal.wait(for: "the daemon's return") { !$0.contains("went away") && Self.order($0).first == "a.one" }

      try terminal.type("q")
      let after = try terminal.wait(for: "rc 0")
      #expect(after.contains("before"))
    }
  }

  /// The titles of the rows.
  private static func order(_ screen: String) -> [String] {
    screen.split(separator: "\n").compactMap { line in
      line.contains(" ago  ") || line.contains("just now  ") ? line.split(separator: " ").last.map(String.init) : nil
    }
  }

  @Test("a signal and Ctrl-C give the terminal back as it was", arguments: ["signal", "C-c", "C-d"])
  func ends(way: String) throws {
    try withDaemon { daemon in
      let terminal = try Tmux("echo before; $QA watch; echo rc $?; stty -a; cat", at: daemon.places, rows: 24)
      try terminal.wait(for: "q quits")
      if way == "signal" { kill(try terminal.child(), SIGTERM) } else { try terminal.type(way) }
      let after = try terminal.wait(for: "time = ")
      #expect(after.contains("before") && after.contains("rc 0"))
      #expect(after.contains(" icanon") && after.contains(" echo ") && after.contains("isig "))
    }
  }

  @Test("into a pipe each change is a line, and the daemon's end and return are told")
  func lines() throws {
    try withDaemon { daemon in
      let running = try daemon.places.start(["watch", "a"])
      defer { running.kill() }
      try daemon.untilSubscribed()
      try daemon.places.use("a.one")
      try wait(for: "a line: \(running.output)") { running.output == "a: entered a.one; now a.one\n" }
      daemon.stop()
      try wait(for: "the end") { running.errors.contains("the daemon is gone") }
      try daemon.start()
      try wait(for: "the return") { running.errors.contains("the daemon is back") }
      try daemon.untilSubscribed()
      try daemon.places.use("a.two", "a.two", "a.two")
      try wait(for: "a line: \(running.output)") {
        running.output.hasSuffix("\na: entered a.two; moved a.one; now a.two a.one\n")
          || running.output.hasSuffix("\na: entered a.two; now a.two a.one\n")
      }
    }
  }

  @Test("as JSON a change has its lists of actions")
  func json() throws {
    try withDaemon { daemon in
      let running = try daemon.places.start(["watch", "a", "--json"])
      defer { running.kill() }
      try daemon.untilSubscribed()
      try daemon.places.use("a.one")
      try wait(for: "a line: \(running.output)") { running.output.hasSuffix("\n") }
      let change = try ClientTests.json(running.output.trimmingCharacters(in: .newlines))["change"]
      #expect(change?["app"]?.string == "a")
      #expect(change?["actions"]?.text == "[\"a.one\"]")
      #expect(change?["entered"]?.text == "[\"a.one\"]")
      #expect(change?["missed"]?.integer == 0)
    }
  }

  @Test("without a daemon at the start the status is 69")
  func noDaemon() throws {
    #expect(try Places().run("watch", "--user").status == 69)
  }
}

extension Places {
  /// Counts uses, and returns when they are counted.
  func use(_ actions: String...) throws {
    let ended = try start(["use"] + actions).end()
    guard ended.status == 0 else { throw Failure(ended.errors) }
  }
}

extension RealDaemon {
  /// Waits until somebody listens.
  func untilSubscribed() throws {
    try wait(for: "a subscriber") { try json(status().text)["subscribers"]?.integer == 1 }
  }
}
