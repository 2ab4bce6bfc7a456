import DecoderComparison
import Foundation
import TestSupport
import Testing
import Wire

/// Random lines that are JSON, or nearly so.
private struct JSONGenerator {
  var random = SeededRandom()

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

  mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  mutating func string() -> String {
    let usual = ["a", "b.c", "com.example", "#", "type", "longer.than.a.word"]
    let rare = [
      "é", "📷", #"\u0041"#, #"\ud83d\udcf7"#, #"\/"#, #"\\"#, #"\""#, " ", #"\n"#, #"\ud800"#, #"\x"#, "\u{85}",
      #"\u00e9"#, "\u{7f}", "e\u{301}", #"\u0000"#, #"\uDCF7"#, "\t", "'", String(repeating: "x", count: 250),
    ]
    return "\""
      + (0..<(isOne(in: 8) ? 0 : Int.random(in: 1...3, using: &random))).map { _ in
        isOne(in: 6) ? pick(rare) : pick(usual)
      }.joined()
      + "\""
  }

  mutating func number() -> String {
    if isOne(in: 2) {
      let whole = String(UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0...63, using: &random))
      let fraction = String(UInt64.random(in: 0 ... .max, using: &random)).prefix(
        Int.random(in: 1...12, using: &random))
      return isOne(in: 2) ? whole : whole + "." + fraction
    }
    return pick([
      "0", "1", "-1", "2.0", "1e3", "0.5", "1000000", "1000001", "1e308", "-0", "12.5e-1", "01", "1.", "1732900000.25",
      "1e400", "1e-400", "-1e400", "00", "0.", ".5", "+1", "1e", "1E+2", "0x1", "9223372036", "9223372037", "Infinity",
      "NaN", "1_0", "99999999999", "0e3", "-0e3", "1.0000000000", "--1", "1.5.5",
    ])
  }

  mutating func value(_ depth: Int) -> String {
    switch Int.random(in: 0...(depth > 2 ? 3 : 5), using: &random) {
    case 0, 1: string()
    case 2: number()
    case 3: pick(["true", "false", "null", "nul", "", "\"2024-11-29T17:06:40Z\""])
    case 4: "[" + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
    default: object(depth + 1)
    }
  }

  mutating func blank() -> String { isOne(in: 6) ? pick([" ", "\t", "\r", "  ", "\u{b}", "\u{a0}", "/**/"]) : "" }

  mutating func object(_ depth: Int) -> String {
    var names = ["target", "app", "id", "count", "time"]
    var members: [String] = depth == 0 && !isOne(in: 10) ? ["\"type\"" + blank() + ":" + blank() + string()] : []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      if isOne(in: 8) {
        names += ["count", "time", "id", "target", "x", #"\u0078"#, "y", "type", "", "Type", "idx", "op", #"\u0061pp"#]
      }
      let name = names.remove(at: Int.random(in: 0..<names.count, using: &random))
      let isNumber = name == "count" || name == "time"
      let value = isOne(in: 8) ? value(depth) : isNumber ? number() : string()
      members.append(blank() + "\"" + name + "\"" + blank() + ":" + blank() + value + blank())
    }
    if isOne(in: 10), let twice = members.randomElement(using: &random) { members.append(twice) }
    let end = isOne(in: 20) ? pick(["", ",}", "}}", "]", "} ", "}\0"]) : "}"
    return "{" + members.shuffled(using: &random).joined(separator: ",") + end
  }

  /// A line, as often as not with some of its bytes changed.
  mutating func line() -> [UInt8] {
    var line = [UInt8](object(0).utf8)
    while isOne(in: 3) {
      let place = Int.random(in: 1..<max(line.count, 2), using: &random)
      guard place < line.count else { break }
      let byte = isOne(in: 4) ? UInt8.random(in: 0...255, using: &random) : pick([UInt8]("{}[]\":,\\ 0e.-\u{7f}é".utf8))
      switch Int.random(in: 0...3, using: &random) {
      case 0: line[place] = byte
      case 1: line.insert(byte, at: place)
      case 2: line.remove(at: place)
      default: line.swapAt(place, Int.random(in: 1..<line.count, using: &random))
      }
    }
    return line
  }
}

/// The same line with one more member, which is ignored: it is no line of the kind any more that is read in one pass.
private func withIgnoredMember(_ line: [UInt8]) -> [UInt8]? {
  guard line.starts(with: [UInt8](#"{""#.utf8)) else { return nil }
  return [UInt8](#"{"~~":0,"#.utf8) + line.dropFirst()
}

@Suite("JSON lines beside Foundation")
struct DecoderComparisonTests {
  @Test("What is taken, JSONDecoder takes with the same values, and what it refuses is refused")
  func agreesWithDecoder() {
    var comparison = DecoderComparison()
    var generator = JSONGenerator()
    // make fuzz compares many more, led by the branches that they reach.
    for _ in 0..<5000 {
      let line = generator.line()
      if let difference = comparison.difference(in: line) {
        Issue.record(
          "\(difference) in \(String(reflecting: String(decoding: line, as: UTF8.self))), \(line); seed \(generator.random.seed)"
        )
      }
    }
    #expect(comparison.usesAlike > 300 && comparison.refusedAlike > 1000)
  }

  @Test("A line that is read in one pass means what it means in the reader of all JSON")
  func onePassChangesNothing() {
    var generator = JSONGenerator()
    var uses = 0
    for _ in 0..<10_000 {
      let line = generator.line()
      guard let other = withIgnoredMember(line) else { continue }
      let meaning = meaning(of: line)
      #expect(
        meaning == WireTests.meaning(of: other),
        "\(String(reflecting: String(decoding: line, as: UTF8.self))), seed \(generator.random.seed)")
      if case .use = meaning { uses += 1 }
    }
    #expect(uses > 300)
  }

  @Test("Nesting that JSONDecoder refuses is refused, however deep")
  func depth() {
    var comparison = DecoderComparison()
    for depth in [100, 127, 128, 129, 511, 512, 513, 10_000] {
      for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
        let nested = String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
        #expect(comparison.difference(in: [UInt8](#"{"type":"a","x":\#(nested)}"#.utf8)) == nil, "\(depth) \(open)")
      }
    }
    #expect(comparison.usesAlike == 4 && comparison.refusedAlike > 0)
  }
}
