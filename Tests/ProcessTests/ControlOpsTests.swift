import Foundation
import Testing

@Suite("The ops of control.sock")
struct ControlOpsTests {
  /// What an op answers, and to what request.
  private func expect(_ client: Client, _ request: String, _ reply: JSON) throws {
    let answer = try client.ask(request)
    #expect(answer == reply, "\(request)")
  }

  @Test("Each op answers once, in order, with its seq, as it is documented")
  func answers() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.control()
      let (app, write): (JSON, JSON) = ("com.example.mail", "com.example.mail.write#alice")
      try client.send("com.example.mail.write#alice n=3\n")
      try expect(
        client,
        #"{"op":"define","seq":1,"action":{"type":"com.example.mail.write","target":"alice","localizedTitle":"Write to Alice"}}"#,
        ["define": ["seq": 1, "app": app, "defined": 1, "removed": 0]])
      try expect(
        client,
        #"{"op":"define","seq":-2,"app":"com.example.mail","actions":[{"type":"com.example.mail.read","localizedTitle":"Read"},{"type":"com.example.mail.send","localizedTitle":"Send"}]}"#,
        ["define": ["seq": -2, "app": app, "defined": 2, "removed": 1]])
      for (op, changed) in [
        ("pin", true), ("pin", false), ("unpin", true), ("unpin", false), ("disable", true), ("disable", false),
        ("enable", true), ("enable", false),
      ] {
        try expect(
          client, #"{"op":"\#(op)","action":"com.example.mail.write#alice","seq":9223372036854775807}"#,
          [op: ["seq": .number(0x1p63), "app": app, "action": write, "changed": .bool(changed)]])
      }
      try expect(
        client, #"{"op":"undefine","action":"com.example.mail.read","seq":3}"#,
        ["undefine": ["seq": 3, "app": app, "removed": 1]])
      try expect(
        client, #"{"op":"undefine","app":"com.example.mail","unknown":[1]}"#, ["undefine": ["app": app, "removed": 1]])
      try expect(
        client, #"{"op":"undefine","app":"com.example.nobody"}"#,
        ["undefine": ["app": "com.example.nobody", "removed": 0]])
      try expect(
        client, #"{"op":"block","action":"com.example.mail.write#alice"}"#,
        ["block": ["app": app, "action": write, "changed": true, "uses": 3]])
      try expect(
        client, #"{"op":"block","action":"com.example.mail.write#alice"}"#,
        ["block": ["app": app, "action": write, "changed": false, "uses": 0]])
      try expect(
        client, #"{"op":"unblock","action":"com.example.mail.write#alice","seq":0}"#,
        ["unblock": ["seq": 0, "app": app, "action": write, "changed": true]])
      try client.send("com.example.mail.write#alice n=2\nb.b app=com.example.mail\n")
      try expect(
        client, #"{"op":"block","app":"com.example.mail"}"#, ["block": ["app": app, "changed": true, "uses": 3]])
      try expect(
        client, #"{"op":"unblock","app":"com.example.mail"}"#, ["unblock": ["app": app, "changed": true]])
      try client.send("com.example.mail.write#alice n=2\nb.b app=com.example.mail n=4\nc.c n=5\nc.d n=6\n")
      try expect(
        client, #"{"op":"forget","action":"b.b","app":"com.example.mail"}"#, ["forget": ["actions": 1, "uses": 4]])
      try expect(client, #"{"op":"forget","action":"b.b"}"#, ["forget": ["actions": 0, "uses": 0]])
      try expect(client, #"{"op":"forget","app":"com.example.mail"}"#, ["forget": ["actions": 1, "uses": 2]])
      try expect(client, #"{"op":"forget","since":1e9,"seq":5}"#, ["forget": ["seq": 5, "actions": 2, "uses": 11]])
      try client.send("c.c n=5\n")
      try expect(client, #"{"op":"forget","all":true}"#, ["forget": ["actions": 1, "uses": 5]])
      try expect(client, #"{"op":"pause","seq":6}"#, ["pause": ["seq": 6, "until": .null]])
      try expect(client, #"{"op":"resume","seq":7}"#, ["resume": ["seq": 7, "changed": true]])
      try expect(client, #"{"op":"resume"}"#, ["resume": ["changed": false]])
      let until = try client.ask(#"{"op":"pause","for":"1h"}"#)["pause"]["until"].string ?? ""
      let end = try #require(ISO8601DateFormatter().date(from: until)).timeIntervalSinceNow
      #expect((3500...3600).contains(end))
      try expect(client, #"{"op":"resume"}"#, ["resume": ["changed": true]])
      try expect(client, #"{"op":"subscribe","seq":8}"#, ["subscribe": ["seq": 8, "app": .null]])
      #expect(try client.sync().before == [])
    }
  }

  @Test("What an op shows is what there is: top, apps, explain, recompute, status")
  func shows() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.control()
      try client.send("a.x n=3\na.y n=2\na.z\nb.b n=9\n")
      let top = try client.ask(#"{"op":"top","app":"a","limit":2,"seq":1}"#)["top"]
      #expect(top["seq"] == 1 && top["app"] == "a" && top["limit"] == 2)
      #expect(top["shortcuts"].elements.map(RunningDaemon.action) == ["a.x", "a.y"])
      #expect(top["dynamic"].elements.map { $0["uses"] } == [3, 2])
      #expect(try daemon.list(nil) == ["b.b", "a.x", "a.y", "a.z"])
      let unknown = try client.ask(#"{"op":"top","app":"nobody"}"#)["top"]
      #expect(unknown["shortcuts"] == [] && unknown["dynamic"] == [])

      let apps = try client.ask(#"{"op":"apps","seq":2}"#)["apps"]
      #expect(apps["seq"] == 2 && apps["next"] == .null)
      #expect(apps["apps"].elements.map { $0["app"] } == ["a", "b"])
      let first = apps["apps"][0]
      #expect(first["actions"] == 3 && first["uses"] == 6 && first["blocked"] == false && first["defined"] == false)
      #expect(try client.ask(#"{"op":"apps","after":"a"}"#)["apps"]["apps"].elements.map { $0["app"] } == ["b"])
      #expect(try client.ask(#"{"op":"apps","after":"b"}"#)["apps"]["apps"] == [])

      let second = try client.ask(#"{"op":"explain","action":"a.y","seq":3}"#)["explain"]
      #expect(second["seq"] == 3 && second["app"] == "a" && second["uses"] == 2 && second["rank"] == 2)
      #expect(second["defined"] == .null && second["kind"] == "dynamic" && second["halfLife"] == "7d")
      #expect(second["place"]["dynamic"] == 2 && second["place"]["of"] == 3)
      #expect(second["place"]["ahead"]["action"] == "a.x" && second["place"]["ahead"]["by"] == "score")

      let before = try daemon.status().generation
      let round = try client.ask(#"{"op":"recompute","seq":4}"#)["recompute"]
      #expect(round["seq"] == 4 && round["generation"].number == Double(before + 1))
      try daemon.snapshot(of: "a") { $0.generation == before + 1 && $0.uses(of: "a.x") == 3 }
      #expect(try client.ask(#"{"op":"status","seq":5}"#)["status"]["seq"] == 5)
    }
  }

  @Test("Apps come 200 at a time, each once, in the order of their bytes")
  func pagesApps() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let names = (0..<450).map { "app\($0)" }
      try daemon.count(names.map { "x app=\($0)\n" }.joined())
      var (seen, pages): ([String], Int) = ([], 0)
      var after: String?
      repeat {
        let page = try daemon.ask(#"{"op":"apps"\#(after.map { #","after":"\#($0)""# } ?? "")}"#)["apps"]
        #expect(page["apps"].elements.count <= 200)
        seen += page["apps"].elements.compactMap { $0["app"].string }
        after = page["next"].string
        pages += 1
      } while after != nil
      #expect(seen == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && pages == 3)
    }
  }

  /// Requests that are wrong, and the code that says why.
  private static let wrong: [(request: String, code: String)] = [
    (#"{"op":"fly"}"#, "unknownOp"),
    (#"{"op":"Pin","action":"a.b"}"#, "unknownOp"),
    (#"{"op":7}"#, "invalidArgument"),
    (#"{"op":"pin","op":"pin","action":"a.b"}"#, "invalidJSON"),
    (#"{"op":"pin","action":"a.b""#, "invalidJSON"),
    (#"{"op":"pin"}"#, "invalidArgument"),
    (#"{"op":"pin","app":"a"}"#, "invalidArgument"),
    (#"{"op":"pin","action":7}"#, "invalidArgument"),
    (#"{"op":"pin","action":"a b"}"#, "invalidAction"),
    (#"{"op":"unpin","action":""}"#, "invalidAction"),
    (#"{"op":"pin","action":"a.b","app":"a\u0007"}"#, "invalidApp"),
    (#"{"op":"pin","action":"a.b","seq":"x"}"#, "invalidArgument"),
    (#"{"op":"pin","action":"a.b","seq":1.5}"#, "invalidArgument"),
    (#"{"op":"enable"}"#, "invalidArgument"),
    (#"{"op":"disable","action":["a.b"]}"#, "invalidArgument"),
    (#"{"op":"block"}"#, "invalidArgument"),
    (#"{"op":"unblock","app":"a b"}"#, "invalidApp"),
    (#"{"op":"undefine"}"#, "invalidArgument"),
    (#"{"op":"forget"}"#, "invalidArgument"),
    (#"{"op":"forget","all":false}"#, "invalidArgument"),
    (#"{"op":"forget","all":"yes"}"#, "invalidArgument"),
    (#"{"op":"forget","all":true,"action":"a.b"}"#, "invalidArgument"),
    (#"{"op":"forget","all":true,"since":0}"#, "invalidArgument"),
    (#"{"op":"forget","since":"yesterday"}"#, "invalidArgument"),
    (#"{"op":"forget","since":0,"app":"a"}"#, "invalidArgument"),
    (#"{"op":"pause","for":"soon"}"#, "invalidArgument"),
    (#"{"op":"pause","for":60}"#, "invalidArgument"),
    (#"{"op":"pause","for":"0"}"#, "invalidArgument"),
    (#"{"op":"pause","for":"2y"}"#, "invalidArgument"),
    (#"{"op":"top","limit":0}"#, "invalidArgument"),
    (#"{"op":"top","limit":1001}"#, "invalidArgument"),
    (#"{"op":"top","app":""}"#, "invalidApp"),
    (#"{"op":"apps","after":1}"#, "invalidArgument"),
    (#"{"op":"explain"}"#, "invalidArgument"),
    (#"{"op":"explain","action":"never.seen"}"#, "unknownAction"),
    (#"{"op":"subscribe","app":7}"#, "invalidArgument"),
    (#"{"op":"export","after":"elsewhere"}"#, "invalidArgument"),
    (#"{"op":"define"}"#, "invalidArgument"),
    (#"{"op":"define","action":"a.b"}"#, "invalidArgument"),
    (#"{"op":"define","action":{"type":"a.b"}}"#, "invalidArgument"),
    (#"{"op":"define","action":{"localizedTitle":"B"}}"#, "invalidArgument"),
    (#"{"op":"define","action":{"type":"a b","localizedTitle":"B"}}"#, "invalidArgument"),
    (#"{"op":"define","action":{"type":"a.b","localizedTitle":"B","kind":"static"}}"#, "invalidArgument"),
    (#"{"op":"define","action":{"type":"a.b","localizedTitle":"B","userInfo":[]}}"#, "invalidArgument"),
    (#"{"op":"define","actions":[]}"#, "invalidArgument"),
    (#"{"op":"define","app":"a","action":{"type":"a.b","localizedTitle":"B"},"actions":[]}"#, "invalidArgument"),
    (
      #"{"op":"define","app":"a","actions":[{"type":"a.b","localizedTitle":"B"},{"type":"a.b","localizedTitle":"C"}]}"#,
      "invalidArgument"
    ),
  ]

  @Test("A wrong request gets an error with line, op and seq, is counted by its code, and changes nothing")
  func refuses() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.control()
      try client.send("a.b n=2\n")
      let before = try daemon.ask(#"{"op":"export"}"#)
      for (place, (request, code)) in Self.wrong.enumerated() {
        let reply = try client.ask(request)
        let error = reply["error"]
        #expect(error["code"].string == code && reply.members.count == 1, "\(request): \(reply)")
        #expect(error["line"].number == Double(place + 2) && error["message"].string?.isEmpty == false, "\(request)")
      }
      let text = try client.ask(#"{"op":"pin","action":"no good","seq":77}"#)["error"]
      #expect(text["op"] == "pin" && text["seq"] == 77 && text["code"] == "invalidAction", "\(text)")
      let unknown = try client.ask(#"{"op":"explain","action":"never.seen","seq":78}"#)["error"]
      #expect(unknown["op"] == "explain" && unknown["seq"] == 78, "\(unknown)")
      #expect(try client.sync().reply.refused == Self.wrong.count + 2)
      let status = try daemon.status()
      #expect(status.refused["invalidArgument"] == Self.wrong.count { $0.code == "invalidArgument" })
      #expect(status.refused["unknownAction"] == 2 && status.refused["unknownOp"] == 2)
      #expect(status["accepted"] == 1 && status["requests"] == 2)
      #expect(try daemon.ask(#"{"op":"export"}"#) == before)
    }
  }

  @Test("Uses, ops and syncs on one connection are answered in their order, written a byte at a time or at once")
  func keepsOrder() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let lines = """
        a.x n=2
        {"op":"pin","action":"a.x","seq":1}
        a.x n=0
        {"op":"explain","action":"a.x","seq":2}
        # a comment

        {"op":"nothing","seq":3}
        a.x
        {"op":"explain","action":"a.x","seq":4}

        """
      for isSlow in [false, true] {
        let client = try daemon.control()
        if isSlow { for byte in lines.utf8 { try client.send([byte]) } } else { try client.send(lines) }
        let replies = try (0..<5).map { _ in try client.readJSON() }
        #expect(replies.map { $0.members.keys.first } == ["pin", "error", "explain", "error", "explain"])
        #expect(replies[0]["pin"]["seq"] == 1 && replies[2]["explain"]["seq"] == 2 && replies[4]["explain"]["seq"] == 4)
        #expect(replies[1]["error"]["line"] == 3 && replies[3]["error"]["line"] == 7)
        #expect(replies[2]["explain"]["uses"] == (isSlow ? 5 : 2) && replies[4]["explain"]["uses"] == (isSlow ? 6 : 3))
        let sync = try client.sync(5)
        #expect(sync.before == [] && sync.reply == SyncReply(seq: 5, accepted: 2, duplicates: 0, refused: 2))
      }
    }
  }

  @Test("A thousand requests sent before anything is read are each answered once, and in order")
  func answersMany() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.control()
      try client.send((0..<1000).map { #"{"op":"pin","action":"a.b","seq":\#($0)}"# + "\n" }.joined())
      for place in 0..<1000 { #expect(try client.readJSON()["pin"]["seq"].number == Double(place)) }
      #expect(try daemon.status()["repliesDropped"] == 0)
    }
  }

  @Test("No op is taken on an events socket or in a datagram, and none of them has an effect")
  func refusesOpsElsewhere() throws {
    try withDaemon(settings: Site.slow) { daemon in
      try daemon.count("a.b n=2\n")
      let ops = [
        "define", "undefine", "enable", "disable", "pin", "unpin", "block", "unblock", "forget", "pause", "resume",
        "top", "apps", "explain", "subscribe", "recompute", "export", "status",
      ]
      let members = #""action":"a.b","all":true,"seq":7"#
      let client = try daemon.connect()
      for op in ops {
        let error = try client.ask(#"{"op":"\#(op)",\#(members)}"#)["error"]
        #expect(error["code"] == "notPermitted" && error["op"].string == op && error["seq"] == 7, "\(op): \(error)")
      }
      let datagrams = try Client(daemon.datagramPath, datagram: true)
      for op in ops { try datagrams.send(#"{"op":"\#(op)",\#(members)}"#) }
      try datagrams.send("a.c")
      try wait(for: "the datagrams") { try daemon.status()["accepted"] == 2 }
      #expect(try daemon.status().refused["notPermitted"] == 2 * ops.count)
      #expect(try daemon.list("a") == ["a.b", "a.c"])
      #expect(try daemon.explain("a.b")["uses"] == 2)
    }
  }

  @Test("A define of 64 KiB is taken, one byte more is too long, and the connection goes on")
  func takesLongDefines() throws {
    try withDaemon(settings: Site.slow) { daemon in
      let client = try daemon.control()
      let rows = (0..<60).map { #"{"type":"a.b\#($0)","localizedTitle":"\#(String(repeating: "t", count: 1000))"}"# }
      let request = #"{"op":"define","app":"a","actions":[\#(rows.joined(separator: ","))],"seq":1}"#
      #expect(request.utf8.count < 65_536)
      let whole = request + String(repeating: " ", count: 65_536 - request.utf8.count)
      #expect(try client.ask(whole)["define"]["defined"] == 60)
      let error = try client.ask(whole + " ")["error"]
      #expect(error["code"] == "lineTooLong" && error["line"] == 2)
      #expect(try client.ask(#"{"op":"undefine","app":"a"}"#)["undefine"]["removed"] == 60)
      // On an events socket the limit is that of the settings.
      let events = try daemon.connect()
      #expect(try events.ask(String(repeating: "x", count: 4097))["error"]["code"] == "lineTooLong")
    }
  }

  @Test("Registered and pinned actions are limited, and what is over the limit changes nothing")
  func limitsDefinitions() throws {
    try withDaemon(settings: Site.slow) { daemon in
      func rows(_ range: Range<Int>) -> String {
        range.map { #"{"type":"a.b\#($0)","localizedTitle":"T"}"# }.joined(separator: ",")
      }
      #expect(
        try daemon.ask(#"{"op":"define","app":"a","actions":[\#(rows(0..<256))]}"#)["define"]["defined"] == 256)
      #expect(try daemon.refusal(of: #"{"op":"define","app":"a","actions":[\#(rows(1..<258))]}"#) == "invalidArgument")
      #expect(
        try daemon.refusal(of: #"{"op":"define","action":{"type":"a.more","localizedTitle":"T"}}"#)
          == "invalidArgument")
      // One that is there already is no further one.
      try daemon.ask(#"{"op":"define","action":{"type":"a.b0","localizedTitle":"New"}}"#)
      #expect(try daemon.explain("a.b0")["localizedTitle"] == "New")
      for place in 0..<20 { try daemon.ask(#"{"op":"pin","action":"a.b\#(place)"}"#) }
      #expect(try daemon.refusal(of: #"{"op":"pin","action":"a.b20"}"#) == "invalidArgument")
      #expect(try daemon.ask(#"{"op":"pin","action":"a.b0"}"#)["pin"]["changed"] == false)
      try daemon.ask(#"{"op":"unpin","action":"a.b7"}"#)
      #expect(try daemon.ask(#"{"op":"pin","action":"a.b20"}"#)["pin"]["changed"] == true)
    }
  }
}
