import Foundation
import Testing
import Wire

@Suite("ControlRequest")
struct ControlRequestTests {
  /// Reads a request as the daemon does: the line's parser finds the op, then come its arguments.
  private static func read(_ line: String) -> Result<ControlRequest, LineError> {
    var seq: Int64?
    return read(line, seq: &seq)
  }

  private static func read(_ line: String, seq: inout Int64?) -> Result<ControlRequest, LineError> {
    var parser = LineParser()
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: line.utf8.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: line.utf8)
    do throws(LineError) {
      guard case .request(.control(let op)) = try parser.parse(UnsafeRawBufferPointer(bytes)) else {
        throw LineError(code: .unknownOp, reason: .missing)
      }
      seq = ControlRequest.seq(in: UnsafeRawBufferPointer(bytes))
      return .success(try ControlRequest(op, line: UnsafeRawBufferPointer(bytes)))
    } catch {
      return .failure(error)
    }
  }

  private static func id(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func name(_ id: String, _ app: String? = nil) -> ControlRequest.ActionName {
    ControlRequest.ActionName(id: Self.id(id), app: app.map { Self.id($0) })
  }

  private static let object = JSONNode(.object([JSONObjectMember("type", JSONNode(.string("a.b")))]))
  private static let longest = String(repeating: "x", count: 255)

  private static let good: [(String, ControlRequest.Op)] = [
    (#"{"op":"define","action":{"type":"a.b"}}"#, .define(object, app: nil)),
    (#"{"op":"define","action":{"type":"a.b"},"app":"c"}"#, .define(object, app: id("c"))),
    (#"{"op":"define","action":{"type":"a.b"},"app":null,"actions":null}"#, .define(object, app: nil)),
    (#"{"op":"define","app":"c","actions":[]}"#, .defineAll([], app: id("c"))),
    (
      #"{"actions":[{"type":"a.b"},7],"app":"c","op":"define"}"#,
      .defineAll([object, JSONNode(.number(JSONNumber(7)))], app: id("c"))
    ),
    (#"{"op":"undefine","action":"a.b#c"}"#, .undefine(.action(name("a.b#c")))),
    (#"{"op":"undefine","action":"a.b","app":"c"}"#, .undefine(.action(name("a.b", "c")))),
    (#"{"op":"undefine","app":"c"}"#, .undefine(.app(id("c")))),
    (#"{"op":"enable","action":"a.b"}"#, .setEnabled(true, name("a.b"))),
    (#"{"op":"disable","action":"a.b","app":"c"}"#, .setEnabled(false, name("a.b", "c"))),
    (#"{"op":"pin","action":"\u0061.b#\ud83d\ude00"}"#, .setPinned(true, name("a.b#😀"))),
    (#"{"op":"unpin","action":"a.b"}"#, .setPinned(false, name("a.b"))),
    (#"{"op":"block","action":"a.b"}"#, .setBlocked(true, .action(name("a.b")))),
    (#"{"op":"block","app":"c"}"#, .setBlocked(true, .app(id("c")))),
    (#"{"op":"unblock","app":"c"}"#, .setBlocked(false, .app(id("c")))),
    (#"{"op":"unblock","action":"a.b","app":"c"}"#, .setBlocked(false, .action(name("a.b", "c")))),
    (#"{"op":"forget","action":"a.b"}"#, .forget(.scope(.action(name("a.b"))))),
    (#"{"op":"forget","app":"c"}"#, .forget(.scope(.app(id("c"))))),
    (#"{"op":"forget","since":1800000000}"#, .forget(.since(1_800_000_000_000_000_000))),
    (#"{"op":"forget","since":0.5}"#, .forget(.since(500_000_000))),
    (#"{"op":"forget","since":-1e1}"#, .forget(.since(-10_000_000_000))),
    (#"{"op":"forget","since":"1970-01-01T01:00:00Z"}"#, .forget(.since(3_600_000_000_000))),
    (#"{"op":"forget","since":5,"all":false}"#, .forget(.since(5_000_000_000))),
    (#"{"op":"forget","all":true}"#, .forget(.everything)),
    (#"{"op":"forget","all":true,"app":null}"#, .forget(.everything)),
    (#"{"op":"forget","all":false,"app":"c"}"#, .forget(.scope(.app(id("c"))))),
    (#"{"op":"pause"}"#, .pause(duration: nil)),
    (#"{"op":"pause","for":"1h 30min"}"#, .pause(duration: "1h 30min")),
    (#"{"op":"resume"}"#, .resume),
    (#"{"op":"top"}"#, .top(app: nil, limit: nil)),
    (#"{"op":"top","app":"c","limit":1}"#, .top(app: id("c"), limit: 1)),
    (#"{"op":"top","limit":1e2}"#, .top(app: nil, limit: 100)),
    (#"{"op":"apps"}"#, .apps(after: nil)),
    (#"{"op":"apps","after":""}"#, .apps(after: [])),
    (#"{"op":"explain","action":"a.b","app":"c"}"#, .explain(name("a.b", "c"))),
    (#"{"op":"stats"}"#, .stats(app: nil, days: 14)),
    (#"{"op":"stats","days":400,"app":"c"}"#, .stats(app: id("c"), days: 400)),
    (#"{"op":"subscribe"}"#, .subscribe(app: nil)),
    (#"{"op":"subscribe","app":"c"}"#, .subscribe(app: id("c"))),
    (#"{"op":"recompute","whatever":[{}]}"#, .recompute),
    (#"{"op":"export"}"#, .export(after: nil)),
    (#"{"op":"export","after":"d5"}"#, .export(after: "d5")),
    (#" {"op":"status"} "#, .status),
    ("{\"op\":\"pin\",\"action\":\"\(longest)\",\"app\":\"\(longest)\"}", .setPinned(true, name(longest, longest))),
  ]

  @Test("every op is read with its arguments, in any order, and what means nothing is passed over")
  func readsGood() throws {
    for (line, op) in Self.good {
      let request = try? Self.read(line).get()
      #expect(request?.op == op && request?.seq == nil, "\(line)")
      let name = try Self.read(line).get().name.rawValue
      #expect(line.contains("\"op\":\"\(name)\""))
    }
    #expect(Set(Self.good.compactMap { try? Self.read($0.0).get().name }) == Set(OpName.allCases))
  }

  @Test("a number to tell replies by is any whole one of 64 bits, however it is written")
  func readsSeq() {
    for (text, seq) in [
      ("12", 12), ("-1", -1), ("0", 0), ("1e3", 1000), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("null", nil),
    ] as [(String, Int64?)] {
      #expect((try? Self.read("{\"op\":\"resume\",\"seq\":\(text)}").get()).map(\.seq) == .some(seq), "\(text)")
    }
  }

  /// Requests that are refused: the argument and its fault, or the code of an id's.
  private static let bad: [(String, ControlArgument, LineError.ArgumentFault)] = [
    (#"{"op":"define"}"#, .action, .missing),
    (#"{"op":"define","app":"c"}"#, .action, .missing),
    (#"{"op":"define","action":"a.b"}"#, .action, .wrongKind),
    (#"{"op":"define","action":[]}"#, .action, .wrongKind),
    (#"{"op":"define","actions":[]}"#, .app, .missing),
    (#"{"op":"define","actions":{},"app":"c"}"#, .actions, .wrongKind),
    (#"{"op":"define","action":{},"actions":[],"app":"c"}"#, .action, .contradictory),
    (#"{"op":"undefine"}"#, .action, .missing),
    (#"{"op":"undefine","action":{"type":"a.b"}}"#, .action, .wrongKind),
    (#"{"op":"enable","app":"c"}"#, .action, .missing),
    (#"{"op":"disable","action":7}"#, .action, .wrongKind),
    (#"{"op":"pin"}"#, .action, .missing),
    (#"{"op":"pin","action":null}"#, .action, .missing),
    (#"{"op":"forget","action":null,"app":"c"}"#, .action, .wrongKind),
    (#"{"op":"unpin","action":"a.b","app":true}"#, .app, .wrongKind),
    (#"{"op":"block"}"#, .action, .missing),
    (#"{"op":"unblock","app":["c"]}"#, .app, .wrongKind),
    (#"{"op":"forget"}"#, .action, .missing),
    (#"{"op":"forget","all":false}"#, .action, .missing),
    (#"{"op":"forget","all":1}"#, .all, .wrongKind),
    (#"{"op":"forget","all":"true"}"#, .all, .wrongKind),
    (#"{"op":"forget","all":true,"action":"a.b"}"#, .action, .contradictory),
    (#"{"op":"forget","all":true,"app":"c"}"#, .app, .contradictory),
    (#"{"op":"forget","all":true,"since":5}"#, .since, .contradictory),
    (#"{"op":"forget","since":5,"app":"c"}"#, .app, .contradictory),
    (#"{"op":"forget","since":5,"action":"a.b"}"#, .action, .contradictory),
    (#"{"op":"forget","since":true}"#, .since, .wrongKind),
    (#"{"op":"forget","since":"yesterday"}"#, .since, .wrongKind),
    (#"{"op":"forget","since":"1h"}"#, .since, .wrongKind),
    (#"{"op":"pause","for":3600}"#, .for, .wrongKind),
    (#"{"op":"top","limit":0}"#, .limit, .outOfRange),
    (#"{"op":"stats","days":401}"#, .days, .outOfRange),
    (#"{"op":"top","limit":1001}"#, .limit, .outOfRange),
    (#"{"op":"top","limit":-9223372036854775808}"#, .limit, .outOfRange),
    (#"{"op":"top","limit":1.5}"#, .limit, .wrongKind),
    (#"{"op":"top","limit":1e30}"#, .limit, .wrongKind),
    (#"{"op":"top","limit":"4"}"#, .limit, .wrongKind),
    (#"{"op":"top","app":7}"#, .app, .wrongKind),
    (#"{"op":"apps","after":7}"#, .after, .wrongKind),
    (#"{"op":"explain"}"#, .action, .missing),
    (#"{"op":"subscribe","app":{}}"#, .app, .wrongKind),
    (#"{"op":"export","after":0}"#, .after, .wrongKind),
  ]

  @Test("an argument that is missing, wrong or contradictory is named, with its place if it is there")
  func refusesArguments() {
    for (line, argument, fault) in Self.bad {
      guard case .failure(let error) = Self.read(line) else {
        Issue.record("taken: \(line)")
        continue
      }
      #expect(error.code == .invalidArgument && error.reason == .argument(argument, fault), "\(line): \(error)")
      let place = line.range(of: "\"\(argument.rawValue)\":").map {
        line.utf8.distance(from: line.startIndex, to: $0.upperBound) + 1
      }
      #expect(error.position == place || fault == .missing, "\(line): \(error)")
      #expect(error.message.hasPrefix("'\(argument.rawValue)' "), "\(error.message)")
      #expect(error.message.contains("; allowed is ") || error.message.contains("; allowed are "))
    }
  }

  @Test("ids are held against the rules of uses")
  func refusesIDs() {
    let ids: [(String, LineError.Reason)] = [
      ("", .empty), ("#x", .noType), ("a b", .whiteSpace), ("a\\u0007", .controlCharacter), ("a\\u2028b", .whiteSpace),
      (Self.longest + "x", .tooLong(limit: 255)),
    ]
    for (id, reason) in ids {
      for op in ["undefine", "enable", "pin", "block", "forget", "explain"] {
        let line = "{\"op\":\"\(op)\",\"action\":\"\(id)\"}"
        guard case .failure(let error) = Self.read(line) else {
          Issue.record("taken: \(line)")
          continue
        }
        #expect(error.code == .invalidAction && error.reason == reason, "\(line): \(error)")
      }
      if reason == .noType { continue }
      for op in ["undefine", "block", "forget", "top", "subscribe", "define\",\"actions\":[],\"x\":\""] {
        let line = "{\"op\":\"\(op)\",\"app\":\"\(id)\"}"
        guard case .failure(let error) = Self.read(line) else {
          Issue.record("taken: \(line)")
          continue
        }
        #expect(error.code == .invalidApp && error.reason == reason, "\(line): \(error)")
      }
    }
  }

  @Test(
    "whatever is wrong with a request, its number is known if it could be read",
    arguments: [
      #"{"op":"pin","seq":7}"#, #"{"op":"top","limit":0,"seq":7}"#, #"{"seq":7,"op":"explain","action":""}"#,
    ])
  func knowsSeq(line: String) {
    var seq: Int64?
    guard case .failure = Self.read(line, seq: &seq) else {
      Issue.record("taken")
      return
    }
    #expect(seq == 7)
  }

  @Test("a number that is none refuses the request", arguments: [#""7""#, "1.5", "9223372036854775808", "true", "[]"])
  func refusesSeq(text: String) {
    // Both the parser, for the members that it knows, and the request hold it against its kind.
    guard case .failure(let error) = Self.read("{\"op\":\"resume\",\"seq\":\(text)}") else {
      Issue.record("taken")
      return
    }
    #expect(error.code == .invalidArgument && error.position != nil)
  }

  @Test("the words for what only the daemon knows: an action or app that is not there, and what can't be done")
  func words() {
    #expect(
      LineError.unknownAction.message
        == "this action has no uses and no definition; an app= may have to be named")
    let refused = LineError.refusedOp("no, because")
    #expect(refused.code == .invalidArgument && refused.message == "no, because" && refused.position == nil)
    let argument = LineError(code: .invalidArgument, reason: .argument(.limit, .outOfRange), position: 21)
    #expect(argument.message == "'limit' is out of range at byte 21; allowed is a whole number from 1 to 100")
  }

  @Test("an error of a request says which op and number it was for")
  func errorNamesRequest() {
    var bytes: [UInt8] = []
    errorReply(line: 3, .unknownAction, op: .explain, seq: -4, to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"error":{"line":3,"code":"unknownAction","message":""#))
    #expect(text.hasSuffix(#"","op":"explain","seq":-4}}"# + "\n"))
  }
}
