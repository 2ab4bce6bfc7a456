import Foundation
import TestSupport
import Testing
import Wire

@testable import Catalogue

/// Property lists of both forms, held against those that Foundation writes.
struct PropertyListTests {
  private func read(_ bytes: [UInt8]) throws -> JSONNode {
    let text = SourceText(bytes, acceptsUTF16: true)
    try text.check()
    return try PropertyList.read(text)
  }

  private func read(_ xml: String) throws -> JSONNode { try read(Array("<plist>\(xml)</plist>".utf8)) }

  /// A value as Foundation has it, and as it is to be read.
  static func random(_ depth: Int, _ random: inout SeededRandom) -> (any Sendable, JSONValue) {
    switch Int.random(in: 0..<(depth > 3 ? 7 : 9), using: &random) {
    case 0:
      let value = Bool.random(using: &random)
      return (value, .bool(value))
    case 1:
      let value = Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0...63, using: &random)
      return (value, .number(JSONNumber(value)))
    case 2:
      let value = Double.random(in: -1e9...1e9, using: &random) * 0.5
      return (value, .number(JSONNumber(value) ?? JSONNumber(0)))
    case 3, 4:
      let letters = ["a", "<", "&", "é", "\u{1F600}", " ", "\"", "]]>", "-->", "\t", "\n"]
      let value = (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
        .joined()
      return (value, .string(value))
    case 5:
      let value = Data(
        (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      return (value, .string(value.base64EncodedString()))
    case 6:
      let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &random)
      return (
        Date(timeIntervalSince1970: Double(seconds)),
        .string(RFC3339.string(nanoseconds: seconds * 1_000_000_000, fractionDigits: 0))
      )
    case 7:
      let values = (0..<Int.random(in: 0...20, using: &random)).map { _ in Self.random(depth + 1, &random) }
      return (values.map(\.0) as [any Sendable], .array(values.map { JSONNode($0.1) }))
    default:
      let values = (0..<Int.random(in: 0...20, using: &random)).map { ("k\($0)", Self.random(depth + 1, &random)) }
      return (
        Dictionary(uniqueKeysWithValues: values.map { ($0, $1.0) }) as [String: any Sendable],
        .object(values.map { JSONObjectMember($0, JSONNode($1.1)) })
      )
    }
  }

  /// The value with the members of all objects in one order, and numbers by their values.
  static func ordered(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map { JSONNode(ordered($0.value)) })
    case .object(let members):
      .object(members.sorted { $0.name < $1.name }.map { JSONObjectMember($0.name, JSONNode(ordered($0.node.value))) })
    case .number(let number):
      .number(number.integer.map { JSONNumber($0) } ?? JSONNumber(number.double) ?? JSONNumber(0))
    default: value
    }
  }

  @Test("what Foundation writes is read as it was, in both forms")
  func model() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let (value, expected) = Self.random(0, &random)
      for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        let read = try read(Array(data))
        #expect(Self.ordered(read.value) == Self.ordered(expected), "seed \(random.seed)")
      }
    }
  }

  @Test("XML that means something is read")
  func xml() throws {
    func value(_ xml: String) throws -> JSONValue { try read(xml).value }
    #expect(try value("<string/>") == .string(""))
    #expect(try value("<string a='>' b=\"/>\">x</string >") == .string("x"))
    #expect(try value("<!-- <a> --> <string>a<!-- b -->c<![CDATA[<d>&amp;]]></string> ") == .string("ac<d>&amp;"))
    #expect(try value("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</string>") == .string("<>&\"'A\u{1F600}"))
    #expect(try value("<integer> -0x1F </integer>") == .number(JSONNumber(-31)))
    #expect(try value("<integer>18446744073709551615</integer>") == .number(JSONNumber(UInt64.max)))
    #expect(try value("<integer>-9223372036854775808</integer>") == .number(JSONNumber(Int64.min)))
    #expect(try value("<real>+1e2</real>") == .number(try #require(JSONNumber(100.0))))
    #expect(try value("<data> AA = = </data>") == .string("AA=="))
    #expect(try value("<true></true>") == .bool(true))
    #expect(
      try value("<dict><key>a</key><!-- --><array> <false/> </array></dict>")
        == .object([JSONObjectMember("a", JSONNode(.array([JSONNode(.bool(false))])))]))
    #expect(
      try read(Array("<?xml?><!-- --><!DOCTYPE plist><plist><true/></plist><!-- -->\n".utf8)).value == .bool(true))
  }

  @Test(
    "XML that is no property list is refused at its place",
    arguments: [
      ("<string>x", 16, .unexpectedEnd), ("<string>x</key>", 16, .wrongEndTag), ("<strong/>", 7, .unknownElement),
      ("x", 7, .unexpectedByte), ("<true>x</true>", 7, .unknownElement), ("<string>&x;</string>", 15, .badReference),
      ("<string>&#0;</string>", 15, .badReference), ("<string>&#xD800;</string>", 15, .badReference),
      ("<string>&#;</string>", 15, .badReference), ("<string>&#-1;</string>", 15, .badReference),
      ("<string>&amp</string>", 15, .badReference),
      ("<integer/>", 7, .badNumber), ("<integer>1.5</integer>", 7, .badNumber),
      ("<integer>--1</integer>", 7, .badNumber),
      ("<integer>18446744073709551616</integer>", 7, .badNumber), ("<integer>-0x+1</integer>", 7, .badNumber),
      ("<real>nan</real>", 7, .badNumber), ("<real>inf</real>", 7, .badNumber), ("<real>1e999</real>", 7, .badNumber),
      ("<real>x</real>", 7, .badNumber), ("<date>today</date>", 7, .badDate), ("<data>A</data>", 7, .badData),
      ("<data>AAA*</data>", 7, .badData), ("<data>A=AA</data>", 7, .badData), ("<data>A===</data>", 7, .badData),
      ("<dict><string/></dict>", 13, .keyExpected), ("<dict><key>a</key></dict>", 25, .unexpectedByte),
      ("<dict><key>a</key><true/><key>a</key><true/></dict>", 32, .duplicateKey),
      ("<true/><true/>", 14, .unexpectedByte), ("<!-- ", 12, .unexpectedEnd), ("<array", 13, .unexpectedEnd),
    ] as [(String, Int, PropertyListFault)])
  func badXML(xml: String, offset: Int, fault: PropertyListFault) {
    let error = #expect(throws: DefinitionError.self) {
      // What ends too early does so without what follows.
      try read(Array("<plist>\(xml)\(fault == .unexpectedEnd ? "" : "</plist>")".utf8))
    }
    #expect(error == DefinitionError(.propertyList(fault), at: offset))
  }

  @Test("a document type with declarations is refused, so that no entity grows without end")
  func declarations() {
    let text = "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>"
    let error = #expect(throws: DefinitionError.self) { try read(Array(text.utf8)) }
    #expect(error?.reason == .propertyList(.declarations))
  }

  @Test("values within each other are read up to the limit and refused beyond, in both forms", arguments: [64, 65])
  func deep(depth: Int) throws {
    var value: any Sendable = true
    for _ in 0..<depth { value = [value] as [any Sendable] }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
      if depth == 64 {
        #expect(throws: Never.self) { try read(Array(data)) }
      } else {
        let error = #expect(throws: DefinitionError.self) { try read(Array(data)) }
        #expect(error?.reason == .propertyList(.tooDeep))
      }
    }
    let endless = String(repeating: "<array>", count: 100_000)
    #expect(throws: DefinitionError.self) { try read(endless) }
  }

  /// A binary property list of objects with offsets and references of one byte.
  static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let start = UInt8(bytes.count)
    let zeros = [UInt8](repeating: 0, count: 7)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + zeros + [UInt8(objects.count)] + zeros + [top] + zeros + [start]
  }

  @Test("binary objects of all kinds are read")
  func binaryKinds() throws {
    func value(_ object: [UInt8]) throws -> JSONValue { try read(Self.binary([object])).value }
    #expect(try value([0x00]) == .null)
    #expect(try value([0x10, 200]) == .number(JSONNumber(200)))
    #expect(try value([0x13, 255, 255, 255, 255, 255, 255, 255, 254]) == .number(JSONNumber(-2)))
    #expect(
      try value([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8))
        == .number(JSONNumber(UInt64.max)))
    #expect(try value([0x22, 0x3F, 0, 0, 0]) == .number(try #require(JSONNumber(0.5))))
    #expect(try value([0x62, 0, 0x61, 0x20, 0x26]) == .string("a…"))
    #expect(try value([0x72, 0xC3, 0xA9]) == .string("é"))
    #expect(try value([0x5F, 0x10, 1, 0x61]) == .string("a"))
    #expect(try value([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]) == .string("2255-03-14T16:00:00Z"))
  }

  @Test(
    "binary property lists that cannot be right are refused",
    arguments: [
      (Array("bplist00".utf8), .unexpectedEnd),
      (binary([[0xA1, 0]]), .tooDeep),
      (binary([[0xA1, 1]]), .badLayout),
      (binary([[0x09]], top: 1), .badLayout),
      (binary([[0x0F]]), .unknownObject), (binary([[0x80, 1]]), .unknownObject), (binary([[0xC0]]), .unknownObject),
      (binary([[0x52, 0x61]]), .unexpectedEnd), (binary([[0x51, 0xE9]]), .badText),
      (binary([[0x61, 0xD8, 0]]), .badText), (binary([[0x71, 0xFF]]), .badText),
      (binary([[0x5F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]]), .unexpectedEnd),
      (binary([[0x5F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]]), .badLayout),
      (binary([[0xDF, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]]), .unexpectedEnd),
      (binary([[0x5F, 0x20]]), .badLayout), (binary([[0x5F]]), .unexpectedEnd),
      (binary([[0x23, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]]), .badNumber),
      (binary([[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]]), .badDate),
      (binary([[0xD1, 1, 1], [0x09]]), .keyExpected),
      (binary([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]]), .duplicateKey),
    ] as [([UInt8], PropertyListFault)])
  func badBinary(bytes: [UInt8], fault: PropertyListFault) {
    let error = #expect(throws: DefinitionError.self) { try read(bytes) }
    #expect(error?.reason == .propertyList(fault))
  }

  @Test("a small binary property list that stands for endless values is refused")
  func bomb() {
    // Each array refers ten times to the next one.
    let objects = (1...30).map { [0xAA] + [UInt8](repeating: $0, count: 10) } + [[0x09]]
    // 255 bytes are as far as an offset of one byte reaches.
    let error = #expect(throws: DefinitionError.self) { try read(Self.binary(Array(objects.prefix(20)) + [[0x09]])) }
    #expect(error?.reason == .propertyList(.tooLarge))
  }

  @Test("a binary container of a million references to itself takes little more room than the file")
  func selfReferences() async {
    await #expect(processExitsWith: .success) {
      let count = 1_000_000
      let size = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
      let zeros = [UInt8](repeating: 0, count: 7)
      let object = [0xAF, 0x12] + size + [UInt8](repeating: 0, count: count)
      let start = Array("bplist00".utf8).count + object.count
      let offsets = (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * $0)) }
      let bytes =
        Array("bplist00".utf8) + object + [8] + [0, 0, 0, 0, 0, 0, 1, 1] + zeros + [1] + zeros + [0] + offsets
      let before = try peakMemory()
      let error = #expect(throws: DefinitionError.self) { try BinaryPropertyList.read(bytes) }
      #expect(error?.reason == .propertyList(.tooDeep))
      #expect(try peakMemory() - before < 64 * 1024)
    }
  }
}

/// The most memory that this process has had, KiB.
private func peakMemory() throws -> Int {
  let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
  let line = try #require(lines.first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.split { !$0.isNumber }[0]))
}
