import Foundation
import QuickActionsClient
import Testing
import Wire

struct ForgetCommandTests {
  private func standIn(durable: Bool = true) throws -> StandIn {
    let reason = durable ? "" : ",\"reason\":\"disk full\""
    return try StandIn(answering: [
      "forget": "{\"forget\":{\"seq\":SEQ,\"actions\":3,\"uses\":57}}",
      "sync": "{\"sync\":{\"seq\":SEQ,\"accepted\":0,\"duplicates\":0,\"refused\":0,\"durable\":\(durable)\(reason)}}",
    ])
  }

  private func run(_ arguments: [String], at standIn: StandIn) throws -> Ended {
    let running = try Running([Programs.client, "--runtime-dir", standIn.runtime] + arguments)
    try running.closeInput()
    return running.end()
  }

  @Test("without a terminal nothing is forgotten unless --yes is said")
  func noTerminal() throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let ended = try run(["forget", "a"], at: standIn)
    #expect(ended.status == 1)
    #expect(ended.errors.contains("--yes"))
    #expect(standIn.lines.isEmpty)
  }

  @Test(
    "what is to be forgotten goes to the daemon, and the end of the disk's work is awaited",
    arguments: [
      (["a#b"], "action", #""a#b""#), (["--app", "x"], "app", #""x""#), (["--all"], "all", "true"),
      (["--since", "2026-11-30T12:00:00Z"], "since", #""2026-11-30T12:00:00.000Z""#),
    ])
  func forms(arguments: [String], member: String, value: String) throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let ended = try run(["forget", "--yes"] + arguments, at: standIn)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output == "57 uses of 3 actions forgotten\n")
    #expect(standIn.lines.map { $0["op"]?.string } == ["forget", "sync"])
    #expect(standIn.lines.first?[member]?.text == value)
  }

  @Test("how long ago is reckoned from now")
  func duration() throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let before = UnixTime.now.nanoseconds
    #expect(try run(["forget", "--yes", "--since", "2h"], at: standIn).status == 0)
    let since = try #require(standIn.lines.first?["since"]?.time).nanoseconds + 7_200_000_000_000
    // The text of a time has milliseconds.
    #expect((before - 1_000_000...UnixTime.now.nanoseconds).contains(since))
  }

  @Test(
    "what is not one thing, or no time, is wrong usage",
    arguments: [
      [], ["a", "--all"], ["--all", "--since", "2h"], ["--since", "2"], ["--since", "1796061600"], ["--since", "soon"],
      ["--since", ""], ["--since", "-1h"],
    ])
  func usage(arguments: [String]) throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    #expect(try run(["forget", "--yes"] + arguments, at: standIn).status == 64)
    #expect(standIn.lines.isEmpty)
  }

  @Test("it fails while what was forgotten is still on the disk")
  func notDurable() throws {
    let standIn = try standIn(durable: false)
    defer { standIn.stop() }
    let ended = try run(["forget", "a", "--yes", "--json"], at: standIn)
    #expect(ended.status == 1)
    #expect(ended.output == "{\"actions\":3,\"uses\":57,\"durable\":false}\n")
    #expect(try json(ended.errors)["error"]?["code"]?.string == "notDurable")
    #expect(ended.errors.contains("disk full"))
  }

  @Test("on a terminal it asks first, and only yes is yes", arguments: [("n", false), ("", false), ("yes", true)])
  func asks(answer: String, isYes: Bool) throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let terminal = try Tmux(
      "$QA --runtime-dir \(standIn.runtime) forget --since 2026-11-30T12:34:56Z; echo rc $?; cat", at: Places())
    try terminal.wait(for: "Forget all uses since 2026-11-30T12:00:00Z? It can't be taken back. [y/N]")
    #expect(standIn.lines.isEmpty)
    try terminal.type(answer)
    try terminal.type("Enter")
    try terminal.wait(for: isYes ? "rc 0" : "rc 1")
    #expect(standIn.lines.isEmpty != isYes)
  }
}
