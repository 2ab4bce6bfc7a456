import Foundation
import Testing
import Wire

@Suite("JSON texts")
struct JSONNodeTests {
  private func node(_ text: String) throws -> JSONNode { try JSONNode.object(Array(text.utf8)) }

  @Test("every kind of value is read, in its place")
  func kinds() throws {
    let text = #" {"a": null, "b": [true, false, 1.50, -2e3], "c": {"é": "x\n\u00e9\"📷"}, "": {}, "d": []} "#
    let root = try node(text)
    #expect(root.offset == 1)
    #expect(root["a"] == nil)
    #expect(root.members?.first?.node.value == .null)
    #expect(root["b"]?.offset == 18)
    #expect(root["b"]?.elements?.map(\.bool) == [true, false, nil, nil])
    #expect(root["b"]?.elements?.map(\.double) == [nil, nil, 1.5, -2000])
    #expect(root["b"]?.elements?.last?.integer == -2000)
    #expect(root["b"]?.elements?[2].integer == nil)
    #expect(root["c"]?["é"]?.string == "x\né\"📷")
    #expect(root[""]?.members?.isEmpty == true)
    #expect(root["d"]?.elements?.isEmpty == true)
  }

  @Test("what was read is written as it was, numbers to the last digit")
  func roundTrip() throws {
    let text = #"{"a":[1.50,-0,1e-7,123456789012345678901234567890,"é\"\\"],"b":{"c":null,"d":{"e":[[]]}},"f":true}"#
    var writer = JSONWriter()
    writer.value(try node(text))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  @Test(
    "a text that is not one object is refused at the byte that cannot be there",
    arguments: [
      ("", 1), ("[]", 1), ("\"x\"", 1), ("{", 2), ("{\"a\":1}}", 8), ("{\"a\":1,\"\\u0061\":2}", 9),
      ("{\"a\":{\"b\":1,\"b\":2}}", 14), ("{\"a\":01}", 7), ("{\"a\":[1,]}", 9), ("{\"a\":\"\\ud800\"}", 7),
      ("{\"a\":nul}", 9), ("\u{FEFF}{}", 1), ("{\"a\":[[}", 8),
    ])
  func refusals(text: String, position: Int) {
    #expect { try node(text) } throws: {
      let error = $0 as? LineError
      return error?.code == .invalidJSON && error?.position == position
    }
  }

  @Test("nesting is bounded")
  func depth() throws {
    let deep = { String(repeating: #"{"a":"#, count: $0) + "1" + String(repeating: "}", count: $0) }
    #expect(throws: Never.self) { try node(deep(128)) }
    #expect(throws: LineError.self) { try node(deep(129)) }
    #expect(throws: LineError.self) { try node(#"{"a":"# + String(repeating: "[", count: 100_000)) }
  }

  @Test("whole numbers beyond 64 bits are none")
  func integers() throws {
    let root = try node(#"{"a":[9223372036854775807,9223372036854775808,1.0,1e2,1e400,0.5]}"#)
    #expect(root["a"]?.elements?.map(\.integer) == [.max, nil, 1, 100, nil, nil])
    #expect(root["a"]?.elements?[4].double == .infinity)
  }
}
