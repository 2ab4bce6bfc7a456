import TestSupport
import Testing
import Wire

private let longest = String(repeating: "a", count: 255)

private let taken: [(String, Meaning)] = [
  ("", .nothing), (" ", .nothing), ("\t \t", .nothing), ("#", .nothing), ("# a comment \u{7}", .nothing),
  ("a", .use("a")),
  ("  \ta", .use("a")),
  ("a \t ", .use("a")),
  ("com.example.mail.compose", .use("com.example.mail.compose")),
  ("com.example.mail.write#alice", .use("com.example.mail.write#alice")),
  ("a#", .use("a#")), ("a##b", .use("a##b")),
  ("n=3", .use("n=3")), ("a=b=c", .use("a=b=c")), ("\"a\"", .use("\"a\"")), ("a{", .use("a{")),
  ("фото.снять", .use("фото.снять")), ("a\u{1F4F7}", .use("a\u{1F4F7}")), ("a\u{feff}", .use("a\u{feff}")),
  ("\u{10ffff}", .use("\u{10ffff}")), ("\u{a1}", .use("\u{a1}")),
  (longest, .use(longest)),
  ("a n=1", .use(action: "a")), ("a n=1000000", .use(action: "a", count: 1_000_000)),
  ("a n=0000000000000000000000000000007", .use(action: "a", count: 7)),
  ("a t=0", .use(action: "a", time: 0)), ("a t=-0", .use(action: "a", time: 0)),
  ("a t=1732900000", .use(action: "a", time: 1_732_900_000_000_000_000)),
  ("a t=1732900000.5", .use(action: "a", time: 1_732_900_000_500_000_000)),
  ("a t=0.0000000019", .use(action: "a", time: 1)),
  ("a t=-1.5", .use(action: "a", time: -1_500_000_000)),
  ("a t=9223372036.854775807", .use(action: "a", time: .max)),
  ("a t=9223372036.854775808", .use(action: "a", time: .max)),
  ("a t=-9223372036.854775808", .use(action: "a", time: .min)),
  ("a t=-9223372036.854775809", .use(action: "a", time: .min)),
  ("a t=" + String(repeating: "9", count: 500), .use(action: "a", time: .max)),
  ("a t=-" + String(repeating: "9", count: 500), .use(action: "a", time: .min)),
  ("a t=" + String(repeating: "0", count: 500) + "1", .use(action: "a", time: 1_000_000_000)),
  ("a t=1." + String(repeating: "9", count: 500), .use(action: "a", time: 1_999_999_999)),
  ("a t=2024-11-29T17:06:40Z", .use(action: "a", time: 1_732_900_000_000_000_000)),
  ("a t=2024-11-29t18:06:40.25+01:00", .use(action: "a", time: 1_732_900_000_250_000_000)),
  ("a app=b", .use(action: "a", app: "b")), ("a app=b=c", .use(action: "a", app: "b=c")),
  ("a app=\(longest)", .use(action: "a", app: longest)),
  ("a id=\(longest.prefix(64))", .use(action: "a", id: String(longest.prefix(64)))),
  ("a\tid=1 app=b  n=2\t\tt=3 ", .use(action: "a", app: "b", count: 2, time: 3_000_000_000, id: "1")),
]

private let refused: [(String, RefusalCode)] = [
  (" #a", .invalidAction), ("\t#", .invalidAction),
  (longest + "a", .invalidAction), ("a\u{1}", .invalidAction), ("\u{7f}", .invalidAction), ("a\u{80}", .invalidAction),
  ("a\u{9f}b", .invalidAction), ("a\u{a0}b", .invalidAction), ("a\u{3000}", .invalidAction),
  ("\u{2028}", .invalidAction), ("a\rb", .invalidAction), ("a\r", .invalidAction), ("a\u{0}", .invalidAction),
  ("a\u{b}n=1", .invalidAction), ("aaaaaaaaaaaaaaaa\u{c}", .invalidAction),
  ("a n=", .invalidCount), ("a n=0", .invalidCount), ("a n=-1", .invalidCount), ("a n=+1", .invalidCount),
  ("a n=0.5", .invalidCount), ("a n=1000001", .invalidCount), ("a n=1e308", .invalidCount),
  ("a n=9223372036854775808", .invalidCount), ("a n=18446744073709551617", .invalidCount),
  ("a n=\"5\"", .invalidCount), ("a n=0x1", .invalidCount), ("a n=4294967297", .invalidCount),
  ("a n=٣", .invalidCount), ("a n=1 n=1", .invalidCount),
  ("a t=", .invalidTime), ("a t=-", .invalidTime), ("a t=+1", .invalidTime), ("a t=1.", .invalidTime),
  ("a t=.5", .invalidTime), ("a t=1e3", .invalidTime), ("a t=0x10", .invalidTime), ("a t=inf", .invalidTime),
  ("a t=nan", .invalidTime), ("a t=1.5.5", .invalidTime), ("a t=--1", .invalidTime), ("a t=1,5", .invalidTime),
  ("a t=2023-02-29T00:00:00Z", .invalidTime), ("a t=2024-11-29", .invalidTime), ("a t=0 t=0", .invalidTime),
  ("a app=", .invalidApp), ("a app=\(longest)a", .invalidApp), ("a app=b\u{1}", .invalidApp),
  ("a app=b app=b", .invalidApp), ("a app=\u{85}", .invalidApp),
  ("a id=", .invalidId), ("a id=\(longest.prefix(65))", .invalidId), ("a id=\u{2003}", .invalidId),
  ("a id=b id=c", .invalidId),
  ("a b", .unknownField), ("a =", .unknownField), ("a =1", .unknownField), ("a N=1", .unknownField),
  ("a nn=1", .unknownField), ("a apq=1", .unknownField), ("a ie=1", .unknownField), ("a #", .unknownField),
  ("a \r", .unknownField), ("a count=1", .unknownField), ("a {\"type\":\"a\"}", .unknownField),
]

@Suite("Plain lines")
struct LineParserPlainTests {
  @Test("A good line has the meaning it says", arguments: taken)
  func takesGoodLines(line: String, expected: Meaning) {
    #expect(meaning(of: line) == expected)
  }

  @Test("A bad line is refused with the code of what is wrong in it", arguments: refused)
  func refusesBadLines(line: String, code: RefusalCode) {
    #expect(meaning(of: line) == .refused(code))
  }

  @Test(
    "Bytes that are not UTF-8 are refused and do not disturb the next line",
    arguments: [
      [0x10, 0xe4, 0xfd, 0xfd, 0x8b, 0x58], [0xff], [0x61, 0xff], [0x61, 0xfe], [0xc0, 0xaf], [0xc1, 0xbf],
      [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80], [0x80], [0xe2, 0x82], [0xe2], [0xf0, 0x9f, 0x93], [0xe2, 0x28, 0xa1],
      [0xf0, 0x9f, 0x28, 0x80], [0xc3, 0xc3],
    ] as [[UInt8]])
  func refusesOtherEncodings(bytes: [UInt8]) throws {
    var parser = LineParser()
    for prefix in ["", "a", "com.example.mail.compose."] {
      let line = [UInt8](prefix.utf8) + bytes
      #expect(throws: LineError.self) { try parse(line) }
      #expect(meaning(of: line) == .refused(.invalidAction))
      _ = try? parse(line, with: &parser)
      #expect(try parse([0x62], with: &parser) == .use("b"))
    }
  }

  @Test("Of all Unicode scalars, ids refuse controls and White_Space and nothing else")
  func followsUnicodeProperties() {
    var parser = LineParser()
    var wrong: [UInt32] = []
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value), value != 0x23 else { continue }
      let isAllowed = !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      let bytes = [0x61] + [UInt8](String(Character(scalar)).utf8)
      // A blank ends the id, so it is looked at inside the parser's tokens only.
      if value == 0x20 || value == 0x09 { continue }
      let isTaken = (try? parse(bytes, with: &parser)) != nil
      if isTaken != isAllowed { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A fault at any place of a long id is found, and said where it is")
  func findsFaultsAnywhere() {
    for length in 1...40 {
      for place in 0..<length {
        for byte in [0x01, 0x7f, 0x80, 0xff] as [UInt8] {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = byte
          do throws(LineError) {
            _ = try parse(bytes)
            Issue.record("taken: \(bytes)")
          } catch {
            #expect(error.code == .invalidAction && error.position == place + 1)
          }
        }
      }
    }
  }

  @Test("A time means the same with as many digits as are usual, more, or fewer")
  func readsAllDigits() {
    var random = SeededRandom()
    for _ in 0..<5000 {
      let whole = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 20...63, using: &random)
      let digits = Int.random(in: 0...9, using: &random)
      let scale = (0..<9 - digits).reduce(UInt64(1)) { scale, _ in scale * 10 }
      let fraction = UInt64.random(in: 0...999_999_999, using: &random) / scale
      let padded = String(String(fraction + 10_000_000_000).suffix(digits))
      let (product, isOver) = whole.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isOverToo) = product.addingReportingOverflow(fraction * scale)
      let expected = isOver || isOverToo ? Int64.max : Int64(clamping: sum)
      let usual = digits == 0 ? "\(whole)" : "\(whole).\(padded)"
      for text in [usual, "0" + usual, (digits == 0 ? usual + "." : usual) + "0000000000"] {
        #expect(meaning(of: "a t=\(text)") == .use(action: "a", time: expected), "\(text), seed \(random.seed)")
        let json = "{\"type\":\"a\",\"time\":\(text)}"
        if text.first != "0" || text.dropFirst().first == "." || text == "0" {
          #expect(meaning(of: json) == .use(action: "a", time: expected), "\(text), seed \(random.seed)")
        }
      }
      #expect(
        meaning(of: "a n=\(whole)")
          == ((1...1_000_000).contains(whole)
            ? .use(action: "a", count: UInt32(whole)) : .refused(.invalidCount)),
        "seed \(random.seed)")
    }
  }

  @Test("The position in an error counts bytes of the line from 1")
  func saysWhere() {
    #expect(error(of: " é n=0")?.position == 7)
    #expect(error(of: "a  bad=1")?.position == 4)
    #expect(error(of: "a app=xy\u{1}")?.position == 9)
    #expect(error(of: " #a")?.position == 2)
  }
}
