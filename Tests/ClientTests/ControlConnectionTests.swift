import Testing
import Wire

@testable import QuickActionsClient

struct ControlConnectionTests {
  /// Makes a call on a daemon that gives one answer, and returns what that was asked, without the number.
  private func asked<Result: Equatable>(
    _ op: String, _ answer: String, _ expected: Result, _ call: (ControlConnection) throws -> Result
  ) throws -> String {
    let daemon = try StandIn(answering: [op: answer])
    defer { daemon.stop() }
    #expect(try call(ControlConnection(daemon.choice)) == expected)
    let request = try #require(daemon.lines.first)
    let members = (request.members ?? []).filter { $0.name != "seq" }
    return JSONNode(.object(members)).text
  }

  @Test("what registers says what it registers, and reads how many that were")
  func registering() throws {
    var definition = Definition(
      "com.example.mail.write#a\"b", title: "Write", subtitle: "to ab", icon: .symbol("pencil"),
      userInfo: "{\"k\": 1.50}")
    definition.titles = ["de": "Schreiben", "cs": "Psát"]
    definition.isEnabled = false
    let reply = DefineReply(app: "com.example.mail", defined: 1, removed: 0)
    let answer = #"{"define":{"seq":SEQ,"app":"com.example.mail","defined":1,"removed":0}}"#
    #expect(
      try asked("define", answer, reply) { try $0.define(definition) }
        == #"{"op":"define","action":{"type":"com.example.mail.write","target":"a\"b","localizedTitle":"Write","#
        + #""localizedSubtitle":"to ab","titles":{"cs":"Psát","de":"Schreiben"},"icon":{"symbol":"pencil"},"#
        + #""userInfo":{"k":1.50},"enabled":false}}"#)
    #expect(
      try asked("define", answer, reply) { try $0.define([Definition("a", title: "A")], app: "b") }
        == #"{"op":"define","app":"b","actions":[{"type":"a","localizedTitle":"A"}]}"#)
    #expect(
      try asked("undefine", #"{"undefine":{"app":"a","removed":1}}"#, 1) { try $0.undefine("a.b", app: "c") }
        == #"{"op":"undefine","action":"a.b","app":"c"}"#)
    #expect(
      try asked("undefine", #"{"undefine":{"app":"a","removed":7}}"#, 7) { try $0.undefineAll(of: "a") }
        == #"{"op":"undefine","app":"a"}"#)
    #expect(
      try asked("disable", #"{"disable":{"changed":true}}"#, true) { try $0.setEnabled(false, "a.b") }
        == #"{"op":"disable","action":"a.b"}"#)
  }

  @Test("user info that is no object is refused before anything is sent")
  func userInfo() throws {
    let daemon = try StandIn(answering: [:])
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice)
    for text in ["", "[1]", "{", "{\"a\":1,\"a\":2}", "{}x"] {
      #expect(throws: ClientError.self) { try connection.define(Definition("a", title: "A", userInfo: text)) }
    }
    #expect(daemon.lines.isEmpty)
  }

  @Test("choices say what they are about, and read whether they changed something")
  func choices() throws {
    func check(_ op: String, _ request: String, _ call: (ControlConnection) throws -> Bool) throws {
      for changed in [true, false] {
        #expect(try asked(op, "{\"\(op)\":{\"changed\":\(changed)}}", changed, call) == request)
      }
    }
    try check("pin", #"{"op":"pin","action":"a.b","app":"c"}"#) { try $0.pin("a.b", app: "c") }
    try check("unpin", #"{"op":"unpin","action":"a.b"}"#) { try $0.unpin("a.b") }
    try check("block", #"{"op":"block","action":"a.b"}"#) { try $0.block("a.b") }
    try check("block", #"{"op":"block","app":"a"}"#) { try $0.block(app: "a") }
    try check("unblock", #"{"op":"unblock","action":"a.b"}"#) { try $0.unblock("a.b") }
    try check("unblock", #"{"op":"unblock","app":"a"}"#) { try $0.unblock(app: "a") }
    try check("resume", #"{"op":"resume"}"#) { try $0.resume() }
  }

  @Test("forget names exactly one thing, and reads how much was forgotten")
  func forget() throws {
    let answer = #"{"forget":{"actions":3,"uses":57}}"#
    for (what, request) in [
      (.action("a.b", app: nil), #"{"op":"forget","action":"a.b"}"#),
      (.action("a.b", app: "c"), #"{"op":"forget","action":"a.b","app":"c"}"#),
      (.app("a"), #"{"op":"forget","app":"a"}"#), (.all, #"{"op":"forget","all":true}"#),
      (.since(UnixTime(seconds: 0)), #"{"op":"forget","since":"1970-01-01T00:00:00.000Z"}"#),
    ] as [(Forgotten, String)] {
      let done = try asked("forget", answer, [3, 57]) { connection -> [UInt64] in
        let reply = try connection.forget(what)
        return [reply.actions, reply.uses]
      }
      #expect(done == request)
    }
  }

  @Test("a pause is read with its end, or without one")
  func pause() throws {
    let until = #"{"pause":{"until":"2026-11-30T12:00:00Z"}}"#
    #expect(
      try asked("pause", until, UnixTime(seconds: 1_796_040_000)) { try $0.pause(seconds: 3600) }
        == #"{"op":"pause","for":"3600s"}"#)
    #expect(try asked("pause", #"{"pause":{"until":null}}"#, nil) { try $0.pause() } == #"{"op":"pause"}"#)
  }

  @Test("apps and exported lines are asked for page after page")
  func pages() throws {
    let daemon = try StandIn { line in
      switch (line["op"]?.string, line["after"]?.string) {
      case ("apps", nil): [#"{"apps":{"apps":[{"app":"a","actions":1,"uses":2}],"next":"a"}}"#]
      case ("apps", "a"): [#"{"apps":{"apps":[{"app":"b","localizedName":"B","blocked":true}],"next":null}}"#]
      case ("export", nil): [#"{"export":{"lines":["{\"type\":\"é\"}"],"next":"1"}}"#]
      case ("export", "1"): [#"{"export":{"lines":["x","y"],"next":"1"}}"#]
      default: nil
      }
    }
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice)
    let apps = try connection.apps()
    #expect(apps.map(\.app) == ["a", "b"])
    #expect(apps.map(\.uses) == [2, 0])
    #expect(apps.map(\.isBlocked) == [false, true])
    #expect(apps[1].localizedName == "B")
    var lines: [String] = []
    // The second page names itself as the next one, which would never end.
    try connection.export { lines += $0 }
    #expect(lines == ["{\"type\":\"é\"}", "x", "y"])
  }

  @Test("a list is read with everything that a row has")
  func top() throws {
    let daemon = try StandIn(answering: [
      "top": #"{"top":{"app":"m","generation":42,"computedAt":"2026-11-30T12:00:00.123Z","limit":4,"shortcuts":["#
        + #"{"rank":1,"kind":"static","type":"m.a","localizedTitle":"A","localizedSubtitle":null,"#
        + #""icon":{"file":"/a.png"},"userInfo":{"x":[1,2]},"score":3.25,"uses":57,"lastUsed":"2026-11-30T11:59:02Z"},"#
        + #"{"rank":2,"kind":"dynamic","type":"m.b","target":"","score":0,"uses":0,"lastUsed":null}],"dynamic":[]}}"#
    ])
    defer { daemon.stop() }
    let list = try ControlConnection(daemon.choice).top(of: "m", limit: 7)
    #expect(daemon.lines.first?["limit"]?.integer == 7)
    #expect(list.generation == 42)
    #expect(list.computedAt?.description == "2026-11-30T12:00:00.123Z")
    let (first, second) = (list.shortcuts[0], list.shortcuts[1])
    #expect(first.kind == .static)
    #expect(first.icon == .file("/a.png"))
    #expect(first.userInfo == #"{"x":[1,2]}"#)
    #expect(first.score == 3.25)
    #expect(first.app == "m")
    #expect(second.action == "m.b#")
    #expect(second.action.target?.isEmpty == true)
    #expect(second.lastUsed == nil)
    #expect(second.userInfo == "{}")
  }

  @Test("an explanation is read with its place and what is ahead")
  func explain() throws {
    let daemon = try StandIn(answering: [
      "explain": #"{"explain":{"app":"m","action":"m.b","kind":"dynamic","localizedTitle":"B","defined":"registered","#
        + #""enabled":true,"blockedSince":null,"pinnedSince":"2026-11-30T12:00:00Z","uses":57,"score":3.25,"#
        + #""halfLife":"7d","halfLifeOfApp":false,"rank":null,"limit":4,"place":{"dynamic":5,"of":12,"statics":1,"#
        + #""pinned":0,"ahead":{"action":"m.a","score":3.31,"by":"lastUse"}},"absent":"outranked","#
        + #""sinceLastUse":60.5,"weightOfLastUse":0.99}}"#
    ])
    defer { daemon.stop() }
    let explanation = try ControlConnection(daemon.choice).explain("m.b")
    #expect(explanation.definedBy == .registered)
    #expect(explanation.absence == .outranked)
    #expect(explanation.pinnedSince != nil && explanation.blockedSince == nil)
    #expect(explanation.place.dynamic == 5 && explanation.place.competitors == 12)
    #expect(explanation.place.ahead?.action == "m.a")
    #expect(explanation.place.ahead?.decision == .lastUse)
    #expect(explanation.weightOfLastUse == 0.99)
  }

  @Test("a refusal is told with its code and words, and the connection goes on")
  func refused() throws {
    let daemon = try StandIn { line in
      line["op"]?.string == "pin"
        ? [#"{"error":{"line":1,"code":"unknownAction","message":"never heard of it","op":"pin","seq":1}}"#]
        : [#"{"recompute":{"generation":43}}"#]
    }
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice)
    let refusal = Refusal(line: 1, code: "unknownAction", message: "never heard of it")
    #expect(throws: ClientError.refused(refusal)) { try connection.pin("a") }
    #expect(try connection.recompute() == 43)
  }

  @Test("an answer to an earlier request, which came too late, is not taken for the one that is waited for")
  func late() throws {
    let daemon = try StandIn { line in
      let seq = line["seq"]?.integer ?? 0
      return seq == 1
        ? [] : [#"{"pin":{"seq":1,"changed":false}}"#, "{\"pin\":{\"seq\":\(seq),\"changed\":true}}"]
    }
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice, timeout: .milliseconds(20))
    #expect(throws: ClientError.timedOut) { try connection.pin("a") }
    connection.timeout = .seconds(10)
    #expect(try connection.pin("b"))
  }

  @Test("a connection that ends before the answer is told as lost, and words that are no JSON as such")
  func lost() throws {
    let ending = try StandIn { _ in nil }
    defer { ending.stop() }
    #expect(throws: ClientError.connectionLost) { try ControlConnection(ending.choice).recompute() }
    let babbling = try StandIn { _ in ["hello"] }
    defer { babbling.stop() }
    do {
      try ControlConnection(babbling.choice).recompute()
      Issue.record("it was understood")
    } catch {
      guard case .badReply = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("changes come in order, also those that arrive while an answer is waited for")
  func changes() throws {
    @Sendable func change(_ generation: Int, _ app: String) -> String {
      #"{"change":{"app":\#(app),"generation":\#(generation),"shortcuts":[{"rank":1,"type":"a.b"}],"#
        + #""entered":["a.b"],"left":["a.c"],"moved":[],"missed":2}}"#
    }
    let daemon = try StandIn { line in
      line["op"]?.string == "subscribe"
        ? [#"{"subscribe":{"app":null}}"#, change(1, "\"a\"")]
        : [change(2, "null"), #"{"recompute":{"generation":2}}"#, change(3, "null")]
    }
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice)
    try connection.subscribe()
    #expect(try connection.recompute() == 2)
    var found: [Change] = []
    while found.count < 3 { found.append(try #require(try connection.nextChange())) }
    #expect(found.map(\.generation) == [1, 2, 3])
    #expect(found.map(\.app) == ["a", nil, nil])
    #expect(found[0].entered == ["a.b"] && found[0].left == ["a.c"] && found[0].missed == 2)
    #expect(found[0].shortcuts.first?.app == "a")
    #expect(try connection.nextChange(timeout: .zero) == nil)
  }

  @Test("of too many changes that nobody takes the oldest are counted as missed")
  func missed() throws {
    let daemon = try StandIn { _ in
      (1...300).map { #"{"change":{"generation":\#($0),"shortcuts":[],"missed":0}}"# } + [#"{"recompute":{}}"#]
    }
    defer { daemon.stop() }
    let connection = try ControlConnection(daemon.choice)
    try connection.recompute()
    let first = try #require(try connection.nextChange())
    #expect(first.missed == 44)
    #expect(first.generation == 45)
  }

  @Test("the daemon's own counters are read")
  func status() throws {
    try withDaemon { daemon in
      let stream = try UseStream(daemon.choice)
      try stream.send(Use("a.b", count: 5))
      #expect(try stream.sync().accepted == 1)
      let status = try daemon.status()
      #expect(status.counters["uses"] == 5)
      #expect(status.refused["invalidAction"] == 0)
      #expect(status.problems.isEmpty)
      #expect(!status.version.isEmpty && status.process > 0 && status.startedAt != nil)
      #expect(try ControlConnection(daemon.choice).sync().isDurable)
    }
  }
}
