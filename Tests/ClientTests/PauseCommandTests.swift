import QuickActionsClient
import Testing
import Wire

struct PauseCommandTests {
  private func run(_ arguments: [String], answering answers: [String: String]) throws -> (ended: Ended, asked: String) {
    let standIn = try StandIn(answering: answers)
    defer { standIn.stop() }
    let ended = try Running([Programs.client, "--runtime-dir", standIn.runtime] + arguments).end()
    return (ended, standIn.lines.first?.text ?? "")
  }

  @Test("a pause says until when, or how it ends")
  func pause() throws {
    let timed = try run(
      ["pause", "1h 30min"], answering: ["pause": "{\"pause\":{\"seq\":SEQ,\"until\":\"2026-11-30T13:00:00Z\"}}"])
    #expect(timed.ended.output == "recording is paused until 2026-11-30T13:00:00Z\n")
    #expect(timed.asked == "{\"op\":\"pause\",\"seq\":1,\"for\":\"1h 30min\"}")
    let endless = try run(["pause"], answering: ["pause": "{\"pause\":{\"seq\":SEQ,\"until\":null}}"])
    #expect(endless.ended.output == "recording is paused until: quickactions resume\n")
    #expect(endless.asked == "{\"op\":\"pause\",\"seq\":1}")
  }

  @Test("a refusal is told in the daemon's words")
  func refused() throws {
    let answer = "{\"error\":{\"seq\":SEQ,\"line\":1,\"code\":\"invalidArgument\",\"message\":\"for: no duration\"}}"
    let ended = try run(["pause", "long"], answering: ["pause": answer]).ended
    #expect(ended.status == 1)
    #expect(ended.errors.contains("for: no duration"))
  }

  @Test("resume says whether there was a pause")
  func resume() throws {
    for (changed, words) in [("true", "recording goes on\n"), ("false", "recording was not paused\n")] {
      let answer = "{\"resume\":{\"seq\":SEQ,\"changed\":\(changed)}}"
      #expect(try run(["resume"], answering: ["resume": answer]).ended.output == words)
      #expect(
        try run(["resume", "--json"], answering: ["resume": answer]).ended.output == "{\"changed\":\(changed)}\n")
    }
  }
}
