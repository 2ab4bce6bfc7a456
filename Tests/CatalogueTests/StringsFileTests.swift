import Foundation
import Testing

@testable import Catalogue

struct StringsFileTests {
  private func read(_ bytes: [UInt8]) throws -> [String: String] {
    let text = SourceText(bytes, acceptsUTF16: true)
    try text.check()
    return Dictionary(
      uniqueKeysWithValues: try StringsFile.read(text).map { (String(decoding: $0, as: UTF8.self), $1) })
  }

  private func read(_ text: String) throws -> [String: String] { try read(Array(text.utf8)) }

  @Test("entries, comments and escapes are read")
  func entries() throws {
    let text = #"""
      /* A comment with "quotes" = and ; **/
      // another "
      "a" = "1"; "b"="2";
      "key \"c\"" = "l1\nl2\t\\\'\U00e9\ud83d\uDE00" ;
      d.e-f = plain_1; "g" /* x */ = // y
      "7"; "alone"; "a" = "last";
      """#
    #expect(
      try read(text) == [
        "a": "last", "b": "2", "key \"c\"": "l1\nl2\t\\'é\u{1F600}", "d.e-f": "plain_1", "g": "7", "alone": "alone",
      ])
    #expect(try read("\u{FEFF}\r\n") == [:])
    #expect(try read("/**/") == [:])
  }

  @Test("UTF-16 of either order is read, and so are property lists of either form")
  func encodings() throws {
    let text = "\u{FEFF}\"k\" = \"é\u{1F600}\";"
    let units = Array(text.utf16)
    #expect(try read(units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == ["k": "é\u{1F600}"])
    #expect(try read(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == ["k": "é\u{1F600}"])
    let value: [String: any Sendable] = ["k": "é", "plural": ["one": "1"]]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
      #expect(try read(Array(data)) == ["k": "é"])
    }
  }

  @Test(
    "what is no file of strings is refused at its place",
    arguments: [
      (#""a" = "b""#, 9, .unexpectedEnd), (#""a" "b";"#, 4, .unexpectedByte), (#"= "b";"#, 0, .unexpectedByte),
      (#""a" = ;"#, 6, .unexpectedByte), (#""a = "#, 0, .unexpectedEnd), ("/* x", 0, .unexpectedEnd),
      (#""\x";"#, 1, .badEscape), (#""\U12";"#, 1, .badEscape), (#""\Ud83d";"#, 1, .badEscape),
      (#""\U0000";"#, 1, .badEscape), (#""\"#, 1, .unexpectedEnd), (#""\U+123";"#, 1, .badEscape),
      ("{ a = b; }", 0, .unexpectedByte),
    ] as [(String, Int, StringsFault)])
  func bad(text: String, offset: Int, fault: StringsFault) {
    let error = #expect(throws: DefinitionError.self) { try read(text) }
    #expect(error == DefinitionError(.strings(fault), at: offset))
  }

  @Test("UTF-16 that is none is no text")
  func badUTF16() {
    for bytes: [UInt8] in [[0xFE, 0xFF, 0xD8, 0], [0xFF, 0xFE, 0x61]] {
      let error = #expect(throws: DefinitionError.self) { try read(bytes) }
      #expect(error?.reason == .notUTF8)
    }
  }
}
