import QuickActionsClient
import Testing
import Wire

/// The subcommands that register and choose, on a daemon that stands in for the real one.
struct ChangeCommandTests {
  /// What a subcommand asked, wrote and said when it was answered so.
  private func run(
    _ answers: [String: String], _ arguments: [String], input: String = ""
  ) throws -> (asked: [String], ended: Ended) {
    let daemon = try StandIn(answering: answers)
    defer { daemon.stop() }
    let running = try Places().start(arguments + ["--runtime-dir", daemon.runtime])
    try running.type(input.utf8)
    try running.closeInput()
    let ended = running.end()
    let asked = daemon.lines.map { line in
      JSONNode(.object((line.members ?? []).filter { $0.name != "seq" })).text
    }
    return (asked, ended)
  }

  @Test(
    "a choice is asked for and told",
    arguments: [
      ("pin", "a.b is pinned now\n", "a.b is pinned already\n"),
      ("unpin", "a.b is unpinned now\n", "a.b was not pinned\n"),
      ("enable", "a.b is enabled now\n", "a.b was not disabled\n"),
      ("disable", "a.b is disabled now\n", "a.b is disabled already\n"),
      ("unblock", "a.b is blocked no more\n", "a.b was not blocked\n"),
    ])
  func choices(op: String, changed: String, unchanged: String) throws {
    for (isChanged, words) in [(true, changed), (false, unchanged)] {
      let answer = #"{"\#(op)":{"seq":SEQ,"app":"a","action":"a.b","changed":\#(isChanged)}}"#
      let (asked, ended) = try run([op: answer], [op, "a.b", "--app", "c"])
      #expect(asked == [#"{"op":"\#(op)","action":"a.b","app":"c"}"#])
      #expect(ended.status == 0)
      #expect(ended.output == words)
      let (_, json) = try run([op: answer], [op, "a.b", "--json"])
      #expect(json.output == #"{"app":"a","action":"a.b","changed":\#(isChanged)}"# + "\n")
    }
  }

  @Test("a block is done when it is gone from the disk")
  func block() throws {
    let answer = #"{"block":{"app":"a","changed":true,"uses":57}}"#
    let durable = #"{"sync":{"seq":SEQ,"durable":true}}"#
    let (asked, ended) = try run(["block": answer, "sync": durable], ["block", "--app", "a"])
    #expect(asked == [#"{"op":"block","app":"a"}"#, #"{"op":"sync"}"#])
    #expect(ended.output == "a is blocked now; 57 uses forgotten\n")
    let waiting = #"{"sync":{"seq":SEQ,"durable":false,"reason":"disk full"}}"#
    let (_, late) = try run(["block": answer, "sync": waiting], ["block", "a.b"])
    #expect(late.status == 1)
    #expect(late.errors.contains("disk full"))
  }

  @Test("an action is defined by its options")
  func define() throws {
    let answer = #"{"define":{"seq":SEQ,"app":"a","defined":1,"removed":0}}"#
    let (asked, ended) = try run(
      ["define": answer],
      [
        "define", "a.b#c", "--title", "T", "--subtitle", "S", "--icon", "symbol:x:y", "--user-info", #"{"k":1}"#,
        "--app", "a",
      ])
    #expect(
      asked == [
        #"{"op":"define","app":"a","action":{"type":"a.b","target":"c","localizedTitle":"T","localizedSubtitle":"S","#
          + #""icon":{"symbol":"x:y"},"userInfo":{"k":1}}}"#
      ])
    #expect(ended.output == "a: 1 action defined\n")
    for arguments in [
      ["define"], ["define", "a"], ["define", "a", "--title", "T", "--icon", "x"],
      ["define", "a", "--title", "T", "b"],
      ["define", "--file", "f"], ["define", "a", "--app", "a", "--file", "f"],
    ] {
      #expect(try run([:], arguments).ended.status == 64, "\(arguments)")
    }
    #expect(try run([:], ["define", "a", "--title", "T", "--user-info", "[]"]).ended.status == 1)
  }

  @Test("a list of actions is taken from a file or from standard input, and stays as it is")
  func defineList() throws {
    let answer = #"{"define":{"app":"a","defined":2,"removed":1}}"#
    let list = "[\n  {\"type\": \"a.b\", \"userInfo\": {\"n\": 1.0e3}},\n  {\"type\": \"a.c\"}\n]\n"
    let request =
      #"{"op":"define","app":"a","actions":[{"type":"a.b","userInfo":{"n":1.0e3}},{"type":"a.c"}]}"#
    let (asked, ended) = try run(["define": answer], ["define", "--app", "a", "--file", "-"], input: list)
    #expect(asked == [request])
    #expect(ended.output == "a: 2 actions defined, 1 of those before taken back\n")
    let folder = try Folder()
    let path = try folder.write(list, to: "list.json")
    #expect(try run(["define": answer], ["define", "--app", "a", "--file", path]).asked == [request])
    for (text, words) in [("{}", "no JSON list"), ("[", "byte 2")] {
      try folder.write(text, to: "list.json")
      let (asked, ended) = try run([:], ["define", "--app", "a", "--file", path])
      #expect(asked.isEmpty && ended.status == 1)
      #expect(ended.errors.contains(words) && ended.errors.contains(path), "\(ended.errors)")
    }
    #expect(try run([:], ["define", "--app", "a", "--file", folder.path]).ended.errors.contains("folder"))
    #expect(try run([:], ["define", "--app", "a", "--file", "/nowhere"]).ended.errors.contains("not there"))
  }

  @Test("definitions are taken back, one or all of an app")
  func undefine() throws {
    let one = #"{"undefine":{"app":"a","removed":1}}"#
    #expect(try run(["undefine": one], ["undefine", "a.b"]).ended.output == "1 definition of a.b taken back\n")
    let none = #"{"undefine":{"app":"a","removed":0}}"#
    let (asked, ended) = try run(["undefine": none], ["undefine", "--app", "a"])
    #expect(asked == [#"{"op":"undefine","app":"a"}"#])
    #expect(ended.output == "nothing was defined of a\n")
    #expect(try run([:], ["undefine"]).ended.status == 64)
  }

  @Test("a refusal is told in the daemon's words, with status 1, as JSON if that is wanted")
  func refused() throws {
    let answer = #"{"error":{"line":1,"code":"unknownAction","message":"never heard \u001b of it","op":"pin","seq":1}}"#
    let (_, ended) = try run(["pin": answer], ["pin", "a.b"])
    #expect(ended.status == 1 && ended.output.isEmpty)
    #expect(ended.errors == "quickactions: never heard \\u{1b} of it\n")
    let (_, json) = try run(["pin": answer], ["pin", "a.b", "--json"])
    #expect(
      json.errors
        == #"{"error":{"status":1,"code":"unknownAction","message":"never heard \u001b of it","hint":null}}"# + "\n")
  }

  @Test("recompute tells the generation")
  func recompute() throws {
    let answer = #"{"recompute":{"generation":43}}"#
    #expect(try run(["recompute": answer], ["recompute"]).ended.output == "published up to generation 43\n")
    #expect(try run(["recompute": answer], ["recompute", "--json"]).ended.output == "{\"generation\":43}\n")
  }
}
