import Testing
import Wire

private let longest = String(repeating: "a", count: 255)
private let deep127 = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
private let deep128 = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)

private let taken: [(String, Meaning)] = [
  (#"{"type":"a"}"#, .use("a")),
  (" \t{ \"type\" : \"a\" }\t ", .use("a")),
  (#"{"type":"a"}"# + "\r", .use("a")),
  (#"{"type":"a#b"}"#, .use("a#b")),
  (#"{"type":"a","target":"b"}"#, .use("a#b")),
  (#"{"target":"b#c","type":"a"}"#, .use("a#b#c")),
  (#"{"type":"a","target":""}"#, .use("a#")),
  (#"{"type":"a","target":null,"count":null,"time":null,"app":null,"id":null}"#, .use("a")),
  (
    #"{"type":"com.example.mail.compose","target":"alice","count":2,"time":1732900000.5,"app":"com.example.mail","id":"7"}"#,
    .use(
      action: "com.example.mail.compose#alice", app: "com.example.mail", count: 2, time: 1_732_900_000_500_000_000,
      id: "7")
  ),
  (#"{"\u0074ype":"\u0061\/\ud83d\udcf7\\\""}"#, .use("a/\u{1F4F7}\\\"")),
  (#"{"type":"\u00e9\u20ac","target":"\u0062","app":"\u0063","id":"\u0064"}"#, .use(action: "é€#b", app: "c", id: "d")),
  (#"{"type":"é€📷"}"#, .use("é€📷")),
  ("{\"type\":\"\(longest)\"}", .use(longest)),
  ("{\"type\":\"\(longest.prefix(253))\",\"target\":\"b\"}", .use(longest.prefix(253) + "#b")),
  ("{\"type\":\"a\",\"app\":\"\(longest)\"}", .use(action: "a", app: longest)),
  (#"{"type":"a","count":1000000}"#, .use(action: "a", count: 1_000_000)),
  (#"{"type":"a","count":2.0}"#, .use(action: "a", count: 2)),
  (#"{"type":"a","count":1e3}"#, .use(action: "a", count: 1000)),
  (#"{"type":"a","count":1E+6}"#, .use(action: "a", count: 1_000_000)),
  (#"{"type":"a","count":25000e-3}"#, .use(action: "a", count: 25)),
  (#"{"type":"a","count":0.5e1}"#, .use(action: "a", count: 5)),
  (#"{"type":"a","time":0}"#, .use(action: "a", time: 0)),
  (#"{"type":"a","time":-1.5}"#, .use(action: "a", time: -1_500_000_000)),
  (#"{"type":"a","time":1732900000.123456789}"#, .use(action: "a", time: 1_732_900_000_123_456_789)),
  (#"{"type":"a","time":1.7329e9}"#, .use(action: "a", time: 1_732_900_000_000_000_000)),
  (#"{"type":"a","time":1e999999999}"#, .use(action: "a", time: .max)),
  (#"{"type":"a","time":-1e99999999999999999999999}"#, .use(action: "a", time: .min)),
  (#"{"type":"a","time":1e-99999999999999999999999}"#, .use(action: "a", time: 0)),
  (#"{"type":"a","time":0e99999999999999999999999}"#, .use(action: "a", time: 0)),
  (#"{"type":"a","time":"2024-11-29T17:06:40Z"}"#, .use(action: "a", time: 1_732_900_000_000_000_000)),
  (#"{"type":"a","time":"2024-11-29\u005417:06:40Z"}"#, .use(action: "a", time: 1_732_900_000_000_000_000)),
  (#"{"type":"a","x":{"y":[1,-0.5e+3,true,false,null,"\n",{},[]]},"":0,"z":[{"a":1},{"a":1}]}"#, .use("a")),
  ("{\"type\":\"a\",\"x\":\(deep127)}", .use("a")),
  (#"{"type":"a","Type":"b","types":"c"}"#, .use("a")),
  (#"{"type":"a","seq":1}"#, .use("a")),
  (#"{"op":"status"}"#, .request(.control(.status))),
  (#"{"op":"sync"}"#, .request(.sync(seq: nil))),
  (#"{"op":"sync","seq":null}"#, .request(.sync(seq: nil))),
  (#"{"seq":7,"op":"sync"}"#, .request(.sync(seq: 7))),
  (#"{"op":"s\u0079nc","seq":-9223372036854775808}"#, .request(.sync(seq: .min))),
  (#"{"op":"sync","seq":9223372036854775807}"#, .request(.sync(seq: .max))),
  (#"{"op":"sync","seq":-0}"#, .request(.sync(seq: 0))),
  (#"{"op":"status","type":1,"count":"x"}"#, .request(.control(.status))),
]

private let refused: [(String, RefusalCode)] = [
  ("{", .invalidJSON), ("{}", .invalidAction), ("{}x", .invalidJSON), (#"{"type":"a"}{"#, .invalidJSON),
  (#"{"type":"a"} b"#, .invalidJSON), (#"{"type":"a",}"#, .invalidJSON), (#"{,"type":"a"}"#, .invalidJSON),
  (#"{"type" "a"}"#, .invalidJSON), (#"{"type":}"#, .invalidJSON), (#"{type:"a"}"#, .invalidJSON),
  (#"{'type':'a'}"#, .invalidJSON), (#"{"type":"a""#, .invalidJSON), (#"{"type":"a"#, .invalidJSON),
  (#"{"type":"a" "x":1}"#, .invalidJSON), (#"{"type":"a"/**/}"#, .invalidJSON),
  (#"{"type":"a","x":[1,]}"#, .invalidJSON),
  (#"{"type":"a","x":[1 2]}"#, .invalidJSON), (#"{"type":"a","x":[}"#, .invalidJSON),
  (#"{"type":"a","x":tru}"#, .invalidJSON),
  (#"{"type":"a","x":True}"#, .invalidJSON), (#"{"type":"a","x":nul"#, .invalidJSON),
  (#"{"type":"a","x":NaN}"#, .invalidJSON),
  (#"{"type":"a","x":01}"#, .invalidJSON), (#"{"type":"a","x":-}"#, .invalidJSON),
  (#"{"type":"a","x":+1}"#, .invalidJSON),
  (#"{"type":"a","x":1.}"#, .invalidJSON), (#"{"type":"a","x":.5}"#, .invalidJSON),
  (#"{"type":"a","x":1e}"#, .invalidJSON),
  (#"{"type":"a","x":1e+}"#, .invalidJSON), (#"{"type":"a","x":0x1}"#, .invalidJSON),
  (#"{"type":"a","x":-Infinity}"#, .invalidJSON),
  (#"{"type":"a","x":"\x"}"#, .invalidJSON), (#"{"type":"a","x":"\u12g4"}"#, .invalidJSON),
  (#"{"type":"a","x":"\u123"#, .invalidJSON),
  (#"{"type":"a","x":"\ud800"}"#, .invalidJSON), (#"{"type":"a","x":"\udc00"}"#, .invalidJSON),
  (#"{"type":"a","x":"\ud800\u0061"}"#, .invalidJSON), (#"{"type":"a","x":"\ud800\n"}"#, .invalidJSON),
  (#"{"type":"a","x":"\"#, .invalidJSON), ("{\"type\":\"a\tb\"}", .invalidJSON),
  ("{\"type\":\"a\u{0}\"}", .invalidJSON),
  ("{\"type\":\"a\"}\u{0}", .invalidJSON), ("{\u{a0}\"type\":\"a\"}", .invalidJSON),
  ("{\"type\":\"a\",\"x\":\(deep128)}", .invalidJSON),
  (#"{"type":"a","type":"a"}"#, .invalidJSON), (#"{"type":"a","\u0074ype":"a"}"#, .invalidJSON),
  (#"{"type":"a","count":1,"count":1}"#, .invalidJSON), (#"{"type":"a","time":1,"time":1}"#, .invalidJSON),
  (#"{"type":"a","app":"b","app":"b"}"#, .invalidJSON), (#"{"type":"a","id":"b","id":"b"}"#, .invalidJSON),
  (#"{"type":"a","target":"b","target":"b"}"#, .invalidJSON),
  (#"{"type":"a","x":1,"x":1}"#, .invalidJSON), (#"{"type":"a","x":1,"\u0078":1}"#, .invalidJSON),
  (#"{"type":"a","target":null,"target":null}"#, .invalidJSON), (#"{"type":"a","x":{"y":1,"y":2}}"#, .invalidJSON),
  (#"{"type":"a","":1,"":1}"#, .invalidJSON),
  // The syntax of the whole line comes before what its members say.
  (#"{"type":1,"x":}"#, .invalidJSON), (#"{"type":"a","count":0}x"#, .invalidJSON),
  (#"{"x":1}"#, .invalidAction), (#"{"type":null}"#, .invalidAction), (#"{"type":1}"#, .invalidAction),
  (#"{"type":["a"]}"#, .invalidAction), (#"{"type":""}"#, .invalidAction), (##"{"type":"#b"}"##, .invalidAction),
  (#"{"type":"","target":"b"}"#, .invalidAction), (#"{"type":"a#b","target":"c"}"#, .invalidAction),
  (#"{"type":"a\u0023b","target":"c"}"#, .invalidAction), (#"{"type":"a#","target":""}"#, .invalidAction),
  (#"{"type":"a","target":1}"#, .invalidAction), (#"{"type":"a","target":"b c"}"#, .invalidAction),
  (#"{"type":"a b"}"#, .invalidAction), (#"{"type":"a\u0000"}"#, .invalidAction),
  (#"{"type":"a\u0085"}"#, .invalidAction),
  (#"{"type":"\u2003"}"#, .invalidAction), ("{\"type\":\"\(longest)a\"}", .invalidAction),
  ("{\"type\":\"\(longest)\",\"target\":\"\"}", .invalidAction), ("{\"type\":\"\\u0061\(longest)\"}", .invalidAction),
  ("{\"type\":\"\(longest)\(longest)\(longest)\\n\",\"target\":\"\(longest)\(longest)\"}", .invalidAction),
  (#"{"type":"a","count":"5"}"#, .invalidCount), (#"{"type":"a","count":0}"#, .invalidCount),
  (#"{"type":"a","count":-1}"#, .invalidCount), (#"{"type":"a","count":0.5}"#, .invalidCount),
  (#"{"type":"a","count":1000001}"#, .invalidCount), (#"{"type":"a","count":1e308}"#, .invalidCount),
  (#"{"type":"a","count":9223372036854775808}"#, .invalidCount), (#"{"type":"a","count":true}"#, .invalidCount),
  (#"{"type":"a","count":[1]}"#, .invalidCount), (#"{"type":"a","count":1e-1}"#, .invalidCount),
  (#"{"type":"a","count":1e99999999999999999999}"#, .invalidCount),
  (#"{"type":"a","count":1.0000000000000000000001}"#, .invalidCount),
  (#"{"type":"a","time":"5"}"#, .invalidTime), (#"{"type":"a","time":""}"#, .invalidTime),
  (#"{"type":"a","time":true}"#, .invalidTime),
  (#"{"type":"a","time":{}}"#, .invalidTime), (#"{"type":"a","time":"2024-11-29"}"#, .invalidTime),
  (#"{"type":"a","app":""}"#, .invalidApp), (#"{"type":"a","app":5}"#, .invalidApp),
  (#"{"type":"a","app":"b c"}"#, .invalidApp),
  ("{\"type\":\"a\",\"app\":\"\(longest)a\"}", .invalidApp),
  (#"{"type":"a","id":""}"#, .invalidId), (#"{"type":"a","id":5}"#, .invalidId),
  (#"{"type":"a","id":"\u007f"}"#, .invalidId),
  ("{\"type\":\"a\",\"id\":\"\(longest.prefix(65))\"}", .invalidId),
  (#"{"op":"reset"}"#, .unknownOp), (#"{"op":""}"#, .unknownOp), (#"{"op":"Sync"}"#, .unknownOp),
  (#"{"op":1}"#, .invalidArgument), (#"{"op":null,"type":"a"}"#, .invalidArgument),
  (#"{"op":"sync","seq":"7"}"#, .invalidArgument),
  (#"{"op":"sync","seq":1.5}"#, .invalidArgument), (#"{"op":"sync","seq":9223372036854775808}"#, .invalidArgument),
  (#"{"op":"sync","seq":1e999999999}"#, .invalidArgument),
]

@Suite("JSON lines")
struct LineParserJSONTests {
  @Test("A good line has the meaning it says", arguments: taken)
  func takesGoodLines(line: String, expected: Meaning) {
    #expect(meaning(of: line) == expected)
  }

  @Test("A bad line is refused with the code of what is wrong in it", arguments: refused)
  func refusesBadLines(line: String, code: RefusalCode) {
    #expect(meaning(of: line) == .refused(code))
  }

  @Test(
    "No beginning of a good line is itself taken",
    arguments: taken.map(\.0).filter { $0.hasPrefix("{") && $0.hasSuffix("}") })
  func refusesEveryPrefix(line: String) {
    let bytes = [UInt8](line.utf8)
    for length in 1..<bytes.count {
      #expect(meaning(of: [UInt8](bytes[..<length])) == .refused(.invalidJSON))
    }
  }

  @Test(
    "Bytes inside a string that are not UTF-8 are refused, also in members that mean nothing",
    arguments: [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func refusesOtherEncodings(bytes: [UInt8]) {
    #expect(meaning(of: [UInt8](#"{"type":"a"#.utf8) + bytes + [UInt8](#""}"#.utf8)) == .refused(.invalidJSON))
    #expect(
      meaning(of: [UInt8](#"{"type":"a","x":["#.utf8) + [0x22] + bytes + [UInt8](#""]}"#.utf8))
        == .refused(.invalidJSON))
  }

  @Test("A megabyte of nesting, names or digits is answered, and quickly")
  func hasBoundedWork() {
    let size = 1_000_000
    #expect(meaning(of: "{\"x\":" + String(repeating: "[", count: size)) == .refused(.invalidJSON))
    #expect(meaning(of: String(repeating: "{\"x\":", count: size / 5)) == .refused(.invalidJSON))
    let digits = String(repeating: "9", count: size)
    #expect(meaning(of: "{\"type\":\"a\",\"count\":\(digits)}") == .refused(.invalidCount))
    #expect(meaning(of: "{\"type\":\"a\",\"time\":1e\(digits)}") == .use(action: "a", time: .max))
    #expect(meaning(of: "{\"type\":\"a\",\"time\":0.\(digits)e-\(digits)}") == .use(action: "a", time: 0))
    let names = (0..<100_000).map { "\"m\($0)\":1" }.joined(separator: ",")
    #expect(meaning(of: "{\"type\":\"a\",\(names)}") == .use("a"))
  }

  @Test("The position in an error counts bytes of the line from 1")
  func saysWhere() {
    #expect(error(of: #"{"type":"é"!}"#)?.position == 13)
    #expect(error(of: #" {"x":1}"#)?.position == 2)
    #expect(error(of: #"{"type":"a b"}"#)?.position == 11)
    #expect(error(of: #"{"type":"\u0061 b"}"#)?.position == 10)
    #expect(error(of: #"{"type":"a","target":"b c"}"#)?.position == 23)
  }
}
