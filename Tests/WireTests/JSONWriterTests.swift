import Foundation
import Testing
import Wire

private func write(_ layout: JSONWriter.Layout = .compact, _ body: (inout JSONWriter) -> Void) -> String {
  var json = JSONWriter(layout)
  body(&json)
  return String(decoding: json.bytes, as: UTF8.self)
}

private func sample(_ json: inout JSONWriter) {
  json.object { json in
    json.member("text", "a\"b\\c\n\u{1}é")
    json.member("none", nil as String?)
    json.member("bytes", utf8: [0x78, 0x79] as [UInt8])
    json.member("count", -5)
    json.member("flag", true)
    json.member("score", number: 3.25)
    json.memberNull("null")
    json.member("empty", object: { _ in })
    json.member(
      "list",
      array: { json in
        json.integer(UInt64.max)
        json.array { _ in }
        json.object { $0.member("x", false) }
        json.string("end")
      })
  }
}

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test("Compact text has no blanks")
  func writesCompact() {
    #expect(
      write { sample(&$0) }
        == #"{"text":"a\"b\\c\n\u0001é","none":null,"bytes":"xy","count":-5,"flag":true,"score":3.25,"null":null,"#
        + #""empty":{},"list":[18446744073709551615,[],{"x":false},"end"]}"#)
  }

  @Test("Indented text has one member a line, and empty containers stay short")
  func writesIndented() {
    let text = write(.indented) { json in
      json.object { json in
        json.member("a", 1)
        json.member("none", array: { _ in })
        json.member("list", array: { json in json.object { $0.member("b", "c") } })
      }
      json.newline()
    }
    #expect(
      text == """
        {
          "a": 1,
          "none": [],
          "list": [
            {
              "b": "c"
            }
          ]
        }

        """)
  }

  @Test("Foundation reads both layouts as the same values")
  func isReadByFoundation() throws {
    let compact = try JSONSerialization.jsonObject(with: Data(write { sample(&$0) }.utf8)) as? NSDictionary
    let indented = try JSONSerialization.jsonObject(with: Data(write(.indented) { sample(&$0) }.utf8)) as? NSDictionary
    #expect(compact != nil && compact == indented)
    #expect(compact?["text"] as? String == "a\"b\\c\n\u{1}é")
  }

  @Test("Every scalar survives being written and read")
  func escapesWhatItMust() throws {
    let all = String(String.UnicodeScalarView((UInt32(0)...0x2100).compactMap(Unicode.Scalar.init))) + "\u{10ffff}"
    let text = write { json in json.array { $0.string(all) } }
    let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String]
    #expect(read?.first.map { Array($0.utf8) } == Array(all.utf8))
  }

  @Test("No control character stands in a text as it is, so that none reaches a terminal")
  func escapesControlCharacters() {
    let controls = Array(UInt32(0)..<0x20) + Array(0x7f..<0xa0)
    let text = String(String.UnicodeScalarView(controls.compactMap(Unicode.Scalar.init))) + "\u{a0}é\u{c2}\u{80}"
    let written = write { $0.string(text) }
    #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(written.contains("\\u001f\\u007f\\u0080\\u0081"))
    #expect(written.hasSuffix("\\u009e\\u009f\u{a0}é\u{c2}\\u0080\""))
  }
}
