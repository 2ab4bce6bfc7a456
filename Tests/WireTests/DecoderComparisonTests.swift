import Foundation
import Testing
import TestSupport
import Wire

/// Random lines that are JSON, or nearly so.
private struct JSONGenerator {
  var random = SeededRandom()

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

  mutating func string() -> String {
    let pieces = [
      "a", "b.c", "com.example", "é", "📷", #"\u0041"#, #"\ud83d\udcf7"#, #"\/"#, #"\\"#, #"\""#, "#", " ", #"\n"#,
      #"\ud800"#, #"\x"#, "\u{85}", #"\u00e9"#, "type",
    ]
    return "\"" + (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(pieces) }.joined() + "\""
  }

  mutating func number() -> String {
    pick([
      "0", "1", "-1", "2.0", "1e3", "0.5", "1000000", "1000001", "1e308", "-0", "12.5e-1", "01", "1.", "1732900000.25",
    ])
  }

  mutating func value(_ depth: Int) -> String {
    switch Int.random(in: 0...(depth > 2 ? 3 : 5), using: &random) {
    case 0, 1: string()
    case 2: number()
    case 3: pick(["true", "false", "null", "nul", ""])
    case 4: "[" + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
    default: object(depth + 1)
    }
  }

  mutating func object(_ depth: Int) -> String {
    var names = ["\"x\"", "\"\\u0078\"", "\"y\"", "\"app\"", "\"id\"", "\"count\"", "\"time\"", "\"target\""]
    var members: [String] = depth == 0 ? ["\"type\":" + string()] : []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let name = names.remove(at: Int.random(in: 0..<names.count, using: &random))
      let isNumber = name == "\"count\"" || name == "\"time\""
      members.append(
        pick(["", " "]) + name + pick([":", " : "]) + (isNumber ? number() : depth == 0 ? string() : value(depth)))
    }
    if Int.random(in: 0...3, using: &random) == 0 { members.append("\"z\":" + value(depth)) }
    return "{" + members.shuffled(using: &random).joined(separator: ",") + pick(["}", "}", "}", "}", "", ",}"])
  }
}

@Suite("JSON lines beside Foundation")
struct FoundationJSONTests {
  @Test("What is taken is JSON for Foundation too, with the same values")
  func agreesWithFoundation() throws {
    var generator = JSONGenerator()
    var takenCount = 0
    var refusedCount = 0
    for _ in 0..<20_000 {
      let line = generator.object(0)
      let note = Comment(rawValue: "\(line); seed \(generator.random.seed)")
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      switch meaning(of: line) {
      case .use(let action, let app, let count, let time, let id):
        takenCount += 1
        let object = try #require(object, note)
        let type = try #require(object["type"] as? String, note)
        let target = object["target"] as? String
        #expect(Array(action.utf8) == Array((type + (target.map { "#" + $0 } ?? "")).utf8), note)
        #expect(app == object["app"] as? String, note)
        #expect(id == object["id"] as? String, note)
        #expect(Double(count) == (object["count"] as? Double ?? 1), note)
        let seconds = object["time"] as? Double
        #expect((time == nil) == (seconds == nil), note)
        if let seconds, let time {
          #expect(seconds > 1e18 ? time == .max : abs(Double(time) / 1e9 - seconds) <= abs(seconds) * 1e-15, note)
        }
      case .refused(.invalidJSON):
        refusedCount += 1
        // Foundation takes a few things that RFC 8259 does not, and names that come twice; nothing else.
        let isDuplicate = line.contains("\\u0078")
        #expect(
          object == nil || isDuplicate || line.contains("01") || line.contains("\\ud800") || line.contains(",}")
            || line.contains(",]"), note)
      case .refused, .nothing, .request: break
      }
    }
    #expect(takenCount > 500 && refusedCount > 500)
  }
}
